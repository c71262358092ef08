import { type Command, Option } from "commander";
import { type AuditsPlace, auditFormat, findAudits, type NamedAudits } from "../../app/find-audits.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import type { Experiment } from "../../core/results/experiment.js";
import type { AuditsFrom, SeveralFrom } from "../../experiments/audits.js";
import type { ArmStudy, FoundAudits } from "../../experiments/slice.js";
import type { FileContext } from "../../store/files/stores.js";
import type { RunStore } from "../../store/ports.js";
import { type AuditFlags, refuseAuditing, withAuditOptions } from "../audit/options.js";
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
  run?: string | string[];
  audits?: string | string[];
  actions?: Actions;
  rows: number;
}

const ACTIONS = ["--actions <names>", `with --audits: the actions, ${ACTIONS_HELP}`, actions] as const;

/** Help texts of the flags that name existing audits. */
const ONE_RUN = {
  run: "analyse this run (or `newest`, the newest of this experiment) again; no model is asked",
  audits: "analyse an audits file with a column `arm` (JSONL, CSV or Parquet); no model is asked",
  rows: "rules and decisions shown",
};

/** Adds the flags of an experiment that audits the same decisions under several arms, or analyses such audits. */
export function withArmOptions(command: Command, { rows = 15, several }: Arms): Command {
  const words = several ?? ONE_RUN;
  const named = (flag: string, does: string) => {
    const option = new Option(flag, does);
    return several ? option.argParser(collect) : option;
  };
  return withAuditOptions(withResultOptions(withCommonOptions(command)))
    .addOption(named("--run <id>", words.run))
    .addOption(named("--audits <file>", words.audits))
    .option(...ACTIONS)
    .option("--rows <n>", words.rows, integer(1), rows);
}

type Arms = Pick<ArmStudy<Experiment, unknown>, "rows" | "several">;

/** The audits to analyse: those named by the flags, else new ones. Files need no workspace; if one is named, its rules are known. */
export async function armsFrom(
  flags: ArmFlags,
  { several }: Arms,
): Promise<{ context: FileContext | null; from: From }> {
  const { run, audits } = flags;
  if (run === undefined && audits === undefined) {
    if (flags.actions) {
      throw new InputError("needs_audits", "--actions: requires --audits", "A workspace knows its own actions.");
    }
    const context = await contextOf(flags);
    return { context, from: { make: auditsBy(context, flags) } };
  }
  if (run !== undefined && audits !== undefined) {
    throw new InputError("run_and_audits", "--run and --audits: got both, expected one", "Leave out one of the two.");
  }
  refuseAuditing(flags, several?.reads);
  if (run !== undefined) return { context: await contextOf(flags), from: Array.isArray(run) ? { runs: run } : { run } };
  const files = Array.isArray(audits) ? { files: audits.map(fileOf) } : { file: fileOf(audits!) };
  const context = flags.workspace === undefined ? null : await contextOf(flags);
  return { context, from: { ...files, actions: flags.actions } };
}

const fileOf = (path: string) => ({ path, format: auditFormat(path) });

type From = AuditsFrom | SeveralFrom;

export interface ExperimentFlags extends CommonOptions, PageOptions, FigureOptions {
  run?: string[];
  audits?: string[];
  actions?: Actions;
}

/** Adds the flags of experiments that analyse existing audits. */
export function withAnalysisOptions(command: Command): Command {
  return withResultOptions(withCommonOptions(command))
    .option("--run <id>", "which run, or newest (default: the newest); may be given several times", collect)
    .option("--audits <file>", "an audits file instead of a workspace; may be given several times", collect)
    .option(...ACTIONS);
}

/** The audits that the user named for an experiment. */
export async function experimentPlaces(flags: ExperimentFlags): Promise<FoundAudits> {
  const { run, audits } = flags;
  if (audits) {
    if (run) {
      throw new InputError("needs_workspace", "--run: needs a workspace; got --audits", "Leave out one of the two.");
    }
    const files = audits.map((path) => ({ file: fileOf(path), actions: flags.actions }));
    return { context: null, places: await placesOf(null, files) };
  }
  if (flags.actions) {
    throw new InputError("needs_audits", "--actions: requires --audits", "A run knows its own actions.");
  }
  const context = await contextOf(flags);
  const named = [...new Set(run)].map((name) => ({ run: name }));
  return { context, places: await placesOf(context.runs, named.length > 0 ? named : [{}]) };
}

/** Finds the audits one after another; there is at least one. */
async function placesOf(runs: RunStore | null, asked: readonly NamedAudits[]): Promise<FoundAudits["places"]> {
  const places: AuditsPlace[] = [];
  for (const one of asked) places.push(await findAudits(runs, one));
  return places as [AuditsPlace, ...AuditsPlace[]];
}
