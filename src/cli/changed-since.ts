import { hashFiles, hashText } from "../audit/identity.js";
import type { Manifest } from "../domain/manifest.js";
import type { Precedent } from "../domain/precedent.js";
import { readPrecedents } from "../workspace/records.js";
import { loadRuleSets } from "../workspace/rule-files.js";
import type { Workspace } from "../workspace/workspace.js";

export type Changed = "rules" | "precedents" | "decisions";

/** What of the workspace is no longer as the run saw it. Decisions count as changed when any was added. */
export async function changedSince(workspace: Workspace, { hashes }: Pick<Manifest, "hashes">): Promise<Changed[]> {
  const rules = loadRuleSets(workspace).map(({ set }) => set);
  const precedents: Precedent[] = [];
  for await (const batch of readPrecedents(workspace)) precedents.push(...batch);
  const now: Record<Changed, string> = {
    rules: hashText(JSON.stringify(rules)),
    precedents: hashText(JSON.stringify(precedents)),
    decisions: await hashFiles([workspace.paths.decisions, workspace.paths.decisionsParquet]),
  };
  return (["rules", "precedents", "decisions"] as const).filter((name) => now[name] !== hashes[name]);
}
