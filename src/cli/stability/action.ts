import { auditFormat } from "../../app/audit/audit-format.js";
import { type AuditsPlace, findAudits } from "../../app/calibrate/load-scores.js";
import { InputError } from "../../core/errors.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { Stability } from "../../core/results/stability.js";
import { buildStability, isRepeated, type StabilityInputs } from "../../experiments/stability/build-stability.js";
import { stabilityDocument } from "../../experiments/stability/document/stability-document.js";
import type { PlanSettings } from "../../experiments/stability/stability-plan.js";
import { chosenRunOf } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { writeExperiment } from "../../store/files/experiment-store.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { RunStore } from "../../store/ports.js";
import { printable } from "../../text/printable.js";
import type { StabilityFlags } from "../commands/stability.js";
import { writeFigureData } from "../figure-data.js";
import { workspaceOf } from "../options.js";
import { printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { ALPHA, auditStability, CAP } from "./audits.js";

/** `defensible stability`: audits, unless audits are named, and analyses them. */
export async function stability(flags: StabilityFlags): Promise<void> {
  if (flags.temperature !== undefined) {
    throw new InputError("temperature_is_varied", "--temperature: the experiment sets it", "Use --temperatures.");
  }
  if (flags.fixed && flags.sequential) {
    throw new InputError("fixed_and_sequential", "--fixed and --sequential: got both", "Leave out one of the two.");
  }
  const found = flags.run || flags.audits ? await namedAudits(flags) : await newAudits(flags);
  if (!found) return;
  const { workspace } = found;
  const result = await stabilityOf(found);
  if (workspace) keepRepeated(workspace, result);
  writeFigureData(result.figures, flags);
  printPage(() => stabilityDocument(result, { rows: flags.rows }), flags, printJson(result, flags));
}

/** A result without repetitions says nothing, and must not take the place of one that does. */
function keepRepeated(workspace: Workspace, result: Stability): void {
  if (isRepeated(result)) say(`Kept as ${printable(writeExperiment(workspace, result))}`);
  else say("Not kept: no decision was audited twice under the same conditions. What was kept before stays.");
}

/** What audits say of stability. */
export async function stabilityOf({ places, inputs }: StabilityAudits): Promise<Stability> {
  const sources = places.map(({ source, actions, label, manifest }) => ({
    source,
    actions,
    name: label,
    run: manifest?.run_id ?? null,
    auditor: manifest?.auditor ?? null,
  }));
  return withDuckDB((db) => buildStability(db, { ...inputs, sources }));
}

export interface StabilityAudits {
  /** Null: nowhere to keep the result. */
  workspace: Workspace | null;
  places: AuditsPlace[];
  inputs: Omit<StabilityInputs, "sources">;
}

/** Flags that only mean something where audits are made. */
const AUDITING = [
  "auditor",
  "template",
  "tier",
  "cohort",
  "sample",
  "limit",
  "communities",
  "filter",
  "dryRun",
  "new",
] as const;

async function namedAudits(flags: StabilityFlags): Promise<StabilityAudits> {
  for (const name of AUDITING) {
    if (flags[name] === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new InputError(
      "no_audits_made",
      `${flag}: does not go with ${flags.run ? "--run" : "--audits"}, which analyses audits that are there`,
      "Leave out one of the two.",
    );
  }
  if (flags.run && flags.audits) {
    throw new InputError("run_and_audits", "--run and --audits: got both, expected one", "Leave out one of the two.");
  }
  if (flags.audits) {
    const files = flags.audits.map((path) => ({ path, format: auditFormat(path) }));
    const places = await Promise.all(files.map((file) => findAudits(null, { file, actions: flags.actions })));
    return { workspace: null, places, inputs: inputsOf(flags, null, flags.seed ?? 1) };
  }
  const workspace = await workspaceOf(flags);
  const ledger = fileStores(workspace).runs;
  const places: AuditsPlace[] = [];
  const named = new Map<string, Manifest>();
  for (const id of flags.run!) {
    const manifest = await chosenRunOf(ledger, "stability", id);
    named.set(manifest.run_id, manifest);
  }
  for (const manifest of named.values()) places.push(await placeOf(ledger, manifest));
  return {
    workspace,
    places,
    inputs: inputsOf(flags, places[0]!.manifest, flags.seed ?? workspace.config.seed),
  };
}

async function placeOf(ledger: RunStore, manifest: Manifest): Promise<AuditsPlace> {
  const { run_id, actions } = manifest;
  return { source: await ledger.snapshot(run_id), actions, label: `run ${run_id}`, manifest };
}

/** How audits that are there are read: as the run was designed, unless the flags say otherwise. */
function inputsOf(flags: StabilityFlags, manifest: Manifest | null, seed: number): StabilityAudits["inputs"] {
  const own = manifest?.experiment?.kind === "stability" ? manifest.experiment.design : undefined;
  const design = (own ?? {}) as Partial<Omit<PlanSettings, "temperatures">>;
  return {
    mode: flags.fixed ? "fixed" : flags.sequential ? "sequential" : (design.mode ?? "fixed"),
    stop: flags.stop ?? design.stop ?? "boundary",
    evidence: flags.raoBlackwell ? "probabilities" : (design.evidence ?? "labels"),
    alpha: flags.alpha ?? design.alpha ?? ALPHA,
    cap: flags.replicates ?? design.replicates ?? CAP,
    budget: design.budget ?? null,
    rule: flags.flippers ?? design.rule ?? "level",
    ...(flags.pilot ? { pilot: flags.pilot } : {}),
    asked: design.cases ?? null,
    seed,
    draws: flags.draws,
  };
}

async function newAudits(flags: StabilityFlags): Promise<StabilityAudits | null> {
  if (flags.actions) {
    throw new InputError("needs_audits", "--actions: goes with --audits", "A workspace knows its own actions.");
  }
  return stabilityAudits(await workspaceOf(flags), flags);
}

/** New audits of a workspace, ready to be analysed. Null: there are none, and it has been said why. */
export async function stabilityAudits(workspace: Workspace, flags: StabilityFlags): Promise<StabilityAudits | null> {
  const manifest = await auditStability(workspace, flags);
  if (!manifest) return null;
  const places = [await placeOf(fileStores(workspace).runs, manifest)];
  const seed = flags.seed ?? workspace.config.seed;
  return { workspace, places, inputs: inputsOf({ ...flags, pilot: 0 }, manifest, seed) };
}
