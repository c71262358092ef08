import type { Command } from "commander";
import { auditFormat } from "../../app/audit/audit-request.js";
import { type AuditsPlace, findAudits } from "../../app/find-audits.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import type { AuditsFrom } from "../../experiments/audits.js";
import type { FileContext } from "../../store/files/stores.js";
import { type AuditFlags, withAuditOptions } from "../audit/options.js";
import {
  ACTIONS_HELP,
  actions,
  type CommonOptions,
  collect,
  contextOf,
  integer,
  withCommonOptions,
} from "../options.js";
import { type FigureOptions, type PageOptions, withResultOptions } from "../page.js";
import { auditsBy } from "./audits.js";

export interface ArmFlags extends AuditFlags, PageOptions, FigureOptions {
  run?: string;
  audits?: string;
  actions?: Actions;
  rows: number;
}

/** Flags of an experiment that audits the same decisions under several arms, or analyses such audits. */
export function withArmOptions(command: Command, rows = 15): Command {
  return withAuditOptions(withResultOptions(withCommonOptions(command)))
    .option("--run <id>", "analyse this run (or `newest`, the newest of this experiment) again; no model is asked")
    .option("--audits <file>", "analyse an audits file with a column `arm` (JSONL, CSV or Parquet); no model is asked")
    .option("--actions <names>", `with --audits: the actions, ${ACTIONS_HELP}`, actions)
    .option("--rows <n>", "rules and decisions shown", integer(1), rows);
}

/** Flags that only mean something where audits are made. */
const AUDITING = [
  "auditor",
  "signal",
  "template",
  "tier",
  "temperature",
  "samples",
  "maxCost",
  "prompts",
  "communities",
  "filter",
  "cohort",
  "limit",
  "sample",
  "seed",
  "retryErrors",
  "dryRun",
  "new",
] as const satisfies readonly (keyof AuditFlags)[];

/** Refuses flags of audits where none are made. `own`: those that the analysis reads too. */
export function refuseAuditing(flags: AuditFlags & { run?: unknown }, own: readonly (keyof AuditFlags)[] = []): void {
  for (const name of AUDITING) {
    if (own.includes(name) || flags[name] === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new InputError(
      "no_audits_made",
      `${flag}: cannot be used with ${flags.run === undefined ? "--audits" : "--run"}, which analyses audits that are there`,
      "Leave out one of the two.",
    );
  }
}

/** Whose audits are analysed: those that the flags name, else new ones. A file alone needs no workspace; with one its rules are known. */
export async function armsFrom(flags: ArmFlags): Promise<{ context: FileContext | null; from: AuditsFrom }> {
  const { run, audits } = flags;
  if (run === undefined && audits === undefined) {
    if (flags.actions) {
      throw new InputError("needs_audits", "--actions: requires --audits", "A workspace knows its own actions.");
    }
    const context = await contextOf(flags);
    return { context, from: { make: auditsBy(context, flags) } };
  }
  if (run !== undefined && audits !== undefined) throw runAndAudits();
  refuseAuditing(flags);
  if (run !== undefined) return { context: await contextOf(flags), from: { run } };
  const file = { path: audits!, format: auditFormat(audits!) };
  const context = flags.workspace === undefined ? null : await contextOf(flags);
  return { context, from: { file, actions: flags.actions } };
}

export function runAndAudits(): InputError {
  return new InputError("run_and_audits", "--run and --audits: got both, expected one", "Leave out one of the two.");
}

export interface ExperimentFlags extends CommonOptions, PageOptions, FigureOptions {
  run?: string[];
  audits?: string[];
  actions?: Actions;
}

/** The flags of every experiment that analyses what there is. */
export function withAnalysisOptions(command: Command): Command {
  return withResultOptions(withCommonOptions(command))
    .option("--run <id>", "which run, or newest (default: the newest); may be given several times", collect)
    .option("--audits <file>", "an audits file instead of a workspace; may be given several times", collect)
    .option("--actions <names>", `with --audits: the actions, ${ACTIONS_HELP}`, actions);
}

export interface ExperimentPlaces {
  /** Null with audits files. */
  context: FileContext | null;
  places: [AuditsPlace, ...AuditsPlace[]];
}

/** The audits that an experiment was asked to look at. */
export async function experimentPlaces(flags: ExperimentFlags): Promise<ExperimentPlaces> {
  const { run, audits } = flags;
  if (audits) {
    if (run) {
      throw new InputError("needs_workspace", "--run: needs a workspace; got --audits", "Leave out one of the two.");
    }
    const of = (path: string) =>
      findAudits(null, { file: { path, format: auditFormat(path) }, actions: flags.actions });
    return { context: null, places: await each(audits, of) };
  }
  if (flags.actions) {
    throw new InputError("needs_audits", "--actions: requires --audits", "A run knows its own actions.");
  }
  const context = await contextOf(flags);
  const names = run ? [...new Set(run)] : [undefined];
  const places = await each(names, (name) => findAudits(context.runs, name === undefined ? {} : { run: name }));
  return { context, places };
}

/** One after the other; flags that were given name at least one. */
async function each<T>(
  names: readonly T[],
  find: (name: T) => Promise<AuditsPlace>,
): Promise<ExperimentPlaces["places"]> {
  const [first, ...rest] = names as [T, ...T[]];
  const places: ExperimentPlaces["places"] = [await find(first)];
  for (const name of rest) places.push(await find(name));
  return places;
}
