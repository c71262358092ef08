import { type AuditTable, openAuditTable } from "../analysis/audit-table.js";
import type { TruthPlaces } from "../analysis/labels/true-verdicts.js";
import type { AuditRequest, Selection } from "../app/audit/audit-request.js";
import { type AuditsPlace, findAudits } from "../app/find-audits.js";
import { Refusal } from "../app/notices.js";
import type { DataFile } from "../app/report/choose-target.js";
import type { Arm } from "../audit/arms.js";
import { InputError } from "../core/errors.js";
import type { Figure } from "../core/figure.js";
import type { Actions } from "../core/records/actions.js";
import type { Template } from "../core/records/audit.js";
import type { Manifest } from "../core/records/manifest.js";
import type { ArmSource } from "../core/results/compare.js";
import type { Experiment, ExperimentKind } from "../core/results/experiment.js";
import { chosenRunOf } from "../store/choose-run.js";
import type { Context } from "../store/context.js";
import { withDuckDB } from "../store/files/duckdb.js";
import type { RecordsFile, RunStore } from "../store/ports.js";

/** The warning for figures that do not come from a language model. */
export function auditorNotes(auditors: readonly (string | null)[]): string[] {
  const names = new Set(auditors.map((name) => name?.split(":")[0] ?? ""));
  const notes: string[] = [];
  if (names.has("baseline")) {
    notes.push(
      "the auditor is the embedded baseline: its figures show how the method works, not how good the policy is",
    );
  }
  if (names.has("simulated")) {
    notes.push("the auditor is simulated: its figures are those of its stated errors, not of a model");
  }
  return notes;
}

/** The audits that an experiment needs. Everything else about them (auditor, tier, signal, money) is up to their maker. */
export interface ExperimentAudits
  extends Pick<AuditRequest, "design" | "replicatesFor" | "observe" | "again" | "source"> {
  kind: ExperimentKind;
  arms: readonly Arm[];
  /** Audits of each decision under each arm. Default: 1. */
  replicates?: number;
  /** The plan, if later audits depend on earlier ones: in words without a full stop, and the most audits it may take. */
  plan?: { words: string; most: number };
  /** Which decisions, in place of those selected for all audits. */
  selection?: Selection;
  /** The same for the auditor, the template of the trace, the limit in USD and the file of the weights of S. */
  auditor?: string;
  template?: Template;
  maxCost?: number;
  weights?: string;
}

/**
 * Makes the audits of an experiment in one run. An interrupted run is continued, and a complete one is used again. null: there is nothing
 * to analyse, because the audits were only planned or were stopped.
 */
export type MakeAudits = (wanted: ExperimentAudits) => Promise<Manifest | null>;

/** The source of an experiment's audits: a run (`newest`: the newest of this experiment), a file, or new audits. */
export type AuditsFrom = { run: string } | { file: DataFile; actions?: Actions } | { make: MakeAudits };

/** The same for several runs or files. */
export type SeveralFrom =
  | { runs: readonly string[] }
  | { files: readonly DataFile[]; actions?: Actions }
  | { make: MakeAudits };

/** The audits of an experiment; null: there is nothing to analyse. Only a file needs no context. */
export async function experimentAudits(
  context: Context | null,
  from: AuditsFrom,
  wanted: ExperimentAudits,
): Promise<AuditsPlace | null> {
  if ("file" in from) return findAudits(null, from);
  const { runs } = context!;
  const manifest = "run" in from ? await chosenRunOf(runs, wanted.kind, from.run) : await from.make(wanted);
  return manifest && placeOf(runs, manifest);
}

export async function placeOf(runs: RunStore, manifest: Manifest): Promise<AuditsPlace> {
  const { run_id, actions } = manifest;
  return { source: await runs.snapshot(run_id), actions, label: `run ${run_id}`, manifest };
}

/** Opens audits with the fields that a paired analysis reads. */
export async function withArmTable<T>(place: AuditsPlace, work: (table: AuditTable) => Promise<T>): Promise<T> {
  const also = ["thread_id", "decided_at", "ruleset_version"] as const;
  const options = { actions: place.actions, also, anyArm: true };
  return withDuckDB(async (db) => work(await openAuditTable(db, place.source, options)), { ordered: false });
}

export function armSource({ label, manifest }: AuditsPlace): ArmSource {
  return {
    name: label,
    run_id: manifest?.run_id ?? null,
    auditor: manifest?.auditor ?? null,
    temperature: manifest?.temperature ?? null,
  };
}

/** A result and where it is kept; null: nowhere, since it is of a file or must not replace a better one. */
export interface Kept<T> {
  result: T;
  kept: string | null;
  /** Figures of other results, whose data are written with its own. */
  figures?: readonly Figure[];
}

/** Keeps a result for reports. null: there is nowhere to keep it. */
export async function keepResult<T extends Experiment>(context: Context | null, result: T): Promise<Kept<T>> {
  return { result, kept: context && (await context.experiments.keep(result)) };
}

/** Where a workspace keeps the truth about its decisions and the labels people gave them. */
export interface ReferencePlaces extends TruthPlaces {
  /** Null: there are no labels. */
  labels: RecordsFile | null;
  /** The run that the audits belong to; null: they come from a file. */
  runId: string | null;
}

export async function referencePlaces(
  { records, labels }: Context,
  { manifest }: Pick<AuditsPlace, "manifest">,
): Promise<ReferencePlaces> {
  return {
    runId: manifest?.run_id ?? null,
    truth: (await records.truth())?.path ?? null,
    decisions: await records.snapshot(),
    labels: await labels.snapshot(),
  };
}

/** Why an experiment cannot be run. */
export type ExperimentRefusal =
  | { code: "no_rules" }
  /** The number of verdicts in a run by kind, of which no case can be made. */
  | { code: "nothing_to_attack"; verdicts: number; clean: number; settled: number }
  | { code: "no_opposite"; run: string }
  | { code: "other_run"; run: string }
  | { code: "changed_since_run"; run: string; parts: string[] }
  | { code: "no_cases"; because: "no_decision" | "no_verdict" }
  | { code: "nothing_differs_there"; asked: string[]; differing: string[] }
  /** `run`: the run of the simulated workspace, none of whose verdicts has a known truth; null: nothing was found. */
  | { code: "nothing_to_validate"; run: { run_id: string; without_truth: number } | null }
  | { code: "bad_simulation"; file: string }
  | { code: "unknown_cohort"; role: string; asked: string; there: string[] }
  | { code: "other_world"; root: string; preset: string; seed: number };

export function refusal(why: ExperimentRefusal): Refusal<ExperimentRefusal> {
  return new Refusal(why);
}

/** A refusal in the words of the command line. */
export function refusalWords(why: ExperimentRefusal): InputError {
  const [message, remedy] = wordsOf(why);
  return new InputError(why.code, message, remedy);
}

function wordsOf(why: ExperimentRefusal): [message: string, remedy: string] {
  switch (why.code) {
    case "no_rules":
      return ["rules: the workspace has no rules", "Import some: `defensible import rules.yaml`."];
    case "nothing_to_attack":
      return [
        `attack: no case can be made; of ${why.verdicts} verdicts ${why.clean} are clean and ${why.settled} are settled by the rules`,
        "Ask for some cases, or audit decisions whose rules settle them.",
      ];
    case "no_opposite":
      return [`run ${why.run}: has no audits of opposites`, "Leave out --run or --dual."];
    case "other_run":
      return [
        `run ${why.run}: did not audit this attack file`,
        "Leave out --run to audit it, or name the file that the run was made with.",
      ];
    case "changed_since_run":
      return [
        `attack: ${changedText(why)}; layers 2 and 3 would judge by other texts than the auditor was shown`,
        "Leave out --run to audit the file again, or put the texts back; --anyway analyses anyway and keeps nothing.",
      ];
    case "no_cases":
      return why.because === "no_decision"
        ? ["stability: no decision was chosen", "Check --cohort, --communities and --filter."]
        : [
            "stability: the pilot gave no verdict, so that no case could be chosen",
            "`defensible runs show` says how its audits ended.",
          ];
    case "nothing_differs_there":
      return [
        `--communities: the rules of ${why.asked.join(", ")} are the same on both sides; ${why.differing.join(", ")} differ`,
        "Name one of these.",
      ];
    case "nothing_to_validate":
      return why.run === null
        ? [
            "--worlds 0: leaves nothing to do without a run of a simulated workspace",
            "Make a world with `defensible simulate DIR`, audit it, and validate there; or leave out --worlds.",
          ]
        : [
            `run ${why.run.run_id}: no verdict is of a decision whose truth is known; got ${why.run.without_truth} without`,
            "Name another run, or leave out --worlds 0.",
          ];
    case "bad_simulation":
      return [`${why.file}: not the settings of a world`, "Make the world again, or name --preset."];
    case "unknown_cohort":
      return [
        `--cohort-${why.role}: there is no cohort "${why.asked}"; there ${why.there.length === 1 ? "is" : "are"} ${why.there.join(", ") || "none"}`,
        "`defensible cohort create` makes one.",
      ];
    case "other_world":
      return [
        `${why.root}: holds a simulated world of other settings (preset ${why.preset}, seed ${why.seed})`,
        "Name another folder with --out, or replace that world and its runs with --force.",
      ];
  }
}

/** The parts of a workspace that have changed since a run. */
export function changedText({ run, parts }: { run: string; parts: readonly string[] }): string {
  return `the ${parts.join(" and ")} of the workspace are no longer those of run ${run}`;
}
