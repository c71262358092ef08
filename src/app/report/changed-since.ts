import { hashFiles, hashList } from "../../audit/identity.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { Precedent } from "../../core/records/precedent.js";
import { CHANGED_PARTS, type ChangedPart } from "../../measures/report-page.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";

/** What of the workspace is no longer as the run saw it. Decisions count as changed when any was added. */
export async function changedSince(workspace: Workspace, { hashes }: Pick<Manifest, "hashes">): Promise<ChangedPart[]> {
  const now = await hashesNow(workspace);
  return CHANGED_PARTS.filter((name) => now[name] !== hashes[name]);
}

/** Hashes of what a run is made with, as the manifest of one that is made now would have them. */
export async function hashesNow(workspace: Workspace): Promise<Manifest["hashes"]> {
  const rules = loadRuleSets(workspace).map(({ set }) => set);
  const precedents: Precedent[] = [];
  for await (const batch of fileStores(workspace).records.precedents()) precedents.push(...batch);
  return {
    rules: hashList(rules),
    precedents: hashList(precedents),
    decisions: await hashFiles([workspace.paths.decisions, workspace.paths.decisionsParquet]),
  };
}
