import { type Command, Option } from "commander";
import { type AuditTable, openAuditTable } from "../analysis/audit-table.js";
import { auditFormat } from "../app/audit/audit-format.js";
import { type AuditsPlace, findAudits } from "../app/calibrate/load-scores.js";
import { hashList } from "../audit/identity.js";
import { InputError } from "../core/errors.js";
import type { Actions } from "../core/records/actions.js";
import type { Manifest } from "../core/records/manifest.js";
import type { Experiment, ExperimentKind } from "../core/results/experiment.js";
import type { ArmSource } from "../core/results/paired-change.js";
import type { RulesShown } from "../experiments/rules/build-tiers.js";
import { chosenRunOf } from "../store/choose-run.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { writeExperiment } from "../store/files/experiment-store.js";
import { loadRuleSets } from "../store/files/rule-files.js";
import { fileStores } from "../store/files/stores.js";
import type { Workspace } from "../store/files/workspace.js";
import type { RunStore } from "../store/ports.js";
import { printable } from "../text/printable.js";
import { type AuditFlags, withAuditOptions } from "./experiment-run.js";
import { type FigureOptions, withFigureOption } from "./figure-data.js";
import { actions, integer, withCommonOptions, workspaceOf } from "./options.js";
import { say } from "./output.js";
import type { PageOptions } from "./page.js";

export interface ArmFlags extends AuditFlags, PageOptions, FigureOptions {
  run?: string;
  audits?: string;
  actions?: Actions;
  rows: number;
}

/** Flags of an experiment that audits the same decisions under several arms, or analyses such audits. */
export function withArmOptions(command: Command): Command {
  return withAuditOptions(withFigureOption(withCommonOptions(command)))
    .option("--run <id>", "analyse this run (or `newest`, the newest of this experiment) again; no model is asked")
    .option("--audits <file>", "analyse an audits file with a column `arm` (JSONL, CSV or Parquet); no model is asked")
    .option("--actions <positive,negative>", "with --audits: the two actions, the restricting one first", actions)
    .option("--rows <n>", "rules and decisions shown", integer(1), 15)
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp());
}

/** Flags that only mean something where audits are made. */
const AUDITING = {
  auditor: "--auditor",
  signal: "--signal",
  template: "--template",
  tier: "--tier",
  temperature: "--temperature",
  samples: "--samples",
  maxCost: "--max-cost",
  communities: "--communities",
  filter: "--filter",
  cohort: "--cohort",
  limit: "--limit",
  sample: "--sample",
  seed: "--seed",
  retryErrors: "--retry-errors",
  dryRun: "--dry-run",
  prompts: "--prompts",
  new: "--new",
} as const satisfies Partial<Record<keyof AuditFlags, string>>;

export interface ArmAudits {
  /** Null for a file outside of any workspace. */
  workspace: Workspace | null;
  place: AuditsPlace;
}

/** The audits of an experiment: those that were named, else new ones. Null: there is nothing to analyse, and it has been said why. */
export async function armAudits(
  kind: ExperimentKind,
  flags: ArmFlags,
  audit: (workspace: Workspace) => Promise<Manifest | null>,
): Promise<ArmAudits | null> {
  const { run, audits } = flags;
  if (run === undefined && audits === undefined) {
    if (flags.actions) {
      throw new InputError("needs_audits", "--actions: goes with --audits", "A workspace knows its own actions.");
    }
    const workspace = await workspaceOf(flags);
    const manifest = await audit(workspace);
    return manifest && { workspace, place: await placeOf(fileStores(workspace).runs, manifest) };
  }
  if (run !== undefined && audits !== undefined) {
    throw new InputError("run_and_audits", "--run and --audits: got both, expected one", "Leave out one of the two.");
  }
  for (const [name, flag] of Object.entries(AUDITING)) {
    if (flags[name as keyof typeof AUDITING] === undefined) continue;
    throw new InputError(
      "no_audits_made",
      `${flag}: does not go with ${run === undefined ? "--audits" : "--run"}, which analyses audits that are there`,
      "Leave out one of the two.",
    );
  }
  if (audits !== undefined) {
    const file = { path: audits, format: auditFormat(audits) };
    // A file alone needs no workspace; with one its rules are known.
    const workspace = flags.workspace === undefined ? null : await workspaceOf(flags);
    return { workspace, place: await findAudits(null, { file, actions: flags.actions }) };
  }
  const workspace = await workspaceOf(flags);
  const ledger = fileStores(workspace).runs;
  return {
    workspace,
    place: await placeOf(ledger, await chosenRunOf(ledger, kind, run!)),
  };
}

async function placeOf(ledger: RunStore, manifest: Manifest): Promise<AuditsPlace> {
  const { run_id, actions: own } = manifest;
  const source = await ledger.snapshot(run_id);
  return { source, actions: own, label: `run ${run_id}`, manifest };
}

/** Opens the audits with what a paired analysis reads. */
export async function withArmTable<T>(place: AuditsPlace, work: (table: AuditTable) => Promise<T>): Promise<T> {
  return withDuckDB(
    async (db) =>
      work(
        await openAuditTable(db, place.source, {
          actions: place.actions,
          also: ["thread_id", "ruleset_version"],
          anyArm: true,
        }),
      ),
    { ordered: false },
  );
}

export function armSource({ label, manifest }: AuditsPlace): ArmSource {
  return {
    name: label,
    run_id: manifest?.run_id ?? null,
    auditor: manifest?.auditor ?? null,
    temperature: manifest?.temperature ?? null,
  };
}

/** The rules that the auditor was shown, if they are still those of the workspace. */
export function rulesShown({ workspace, place }: ArmAudits): RulesShown {
  if (!workspace) return { reason: "an audits file does not hold the rules; --workspace DIR says where they are" };
  const sets = loadRuleSets(workspace).map(({ set }) => set);
  if (place.manifest && place.manifest.hashes.rules !== hashList(sets)) {
    return { reason: "the rules of the workspace are no longer those of the run" };
  }
  return { sets };
}

/** Keeps the result of a run beside the workspace's others, for reports, and says where; that of a file is nowhere's. */
export function keepResult({ workspace, place }: ArmAudits, result: Experiment): string | null {
  if (!workspace || !place.manifest) return null;
  const path = writeExperiment(workspace, result);
  say(`Kept as ${printable(path)}`);
  return path;
}
