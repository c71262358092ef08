import type { Arm, RunSettings } from "../../audit/arms.js";
import type { PatienceOptions } from "../../audit/calls/patience.js";
import type { DecisionSource } from "../../audit/rules-in-force.js";
import type { Auditor } from "../../auditors/auditor.js";
import { type DefensibleError, InputError } from "../../core/errors.js";
import type { Audit, Usage } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { RunCounts } from "../../core/records/manifest.js";
import type { PromptLine } from "../../core/records/prompt-line.js";
import type { ExperimentKind } from "../../core/results/experiment.js";
import { nearestName } from "../../core/text-checks.js";
import { HashSample, parseFilter, unknownCohort } from "../../store/cohorts.js";
import type { Context } from "../../store/context.js";
import type { CohortStore, RunWriter } from "../../store/ports.js";
import type { Scrub } from "../../text/scrub/scrub.js";
import type { Notice } from "../notices.js";
import type { BatchOutcome } from "./batch/run-batch.js";
import type { IntakeOutcome, PromptCounts, RunEstimate } from "./estimate.js";
import type { Remarks } from "./plan.js";

export interface AuditRequest extends Omit<RunSettings, "runId" | "weights" | "promptVersion"> {
  auditor: Auditor;
  selection: Selection;
  experiment?: ExperimentKind;
  /** Conditions under which each decision is audited. Default: the run's own settings only. Requires `experiment`. */
  arms?: readonly Arm[];
  /** How many opposite decisions to audit as the flip control, drawn at random; Infinity: all. Default 0. Not for experiments. */
  flip?: number;
  /** How many of each decision's nearest alternatives to audit, too; needs more than two actions. Default 0. Not for experiments. */
  alternatives?: number;
  /** Whether to audit restrictions again, using only the rules that their stated reasons name. Not for experiments. */
  statedReasons?: boolean;
  /** Anything else that determines the experiment's audits; part of its fingerprint. */
  design?: Record<string, unknown>;
  /** Replicates of a decision under an arm, instead of `replicates`; evaluated again in each pass. */
  replicatesFor?: (decision: Decision, arm: Arm) => number;
  /** Called for every audit of the run, both those already recorded and new ones. */
  observe?: (audit: Audit) => void;
  /** Called after each complete pass over the decisions: whether to make another. The run is sealed after the last. */
  again?: () => boolean;
  /** Decisions to select from instead of the workspace's. */
  source?: { decisions: DecisionSource; hash: string };
  /** Audit even if the workspace has rules for communities without decisions. */
  allowUnusedRules?: boolean;
  /** Maximum number of calls in flight. */
  concurrency: number;
  retryErrors: boolean;
  /** Start a new run even if one with these settings exists. */
  fresh: boolean;
  runId?: string;
  dryRun: boolean;
  /** Receives every question without an answer: all of them in a dry run, otherwise those that the run still waits for. */
  prompt?: (line: PromptLine) => void;
  /** Total cost limit of the run in USD; null: no limit. */
  maxCost: number | null;
  /** Send the questions to the provider's batch service and collect the answers that are ready. */
  batch: boolean;
  /** Keep every raw answer in the run's folder. */
  keepRaw: boolean;
  /** Reuse cached answers to identical requests. */
  cache: boolean;
  /** What is hidden from the model; `id` names it in the manifest. */
  scrub: (Scrub & { id: string }) | null;
  /** URL of the server, for a model that is not tied to one. */
  endpoint: string | null;
  /** Token limit of prompt and answer together, if the user set one. */
  contextTokens: number | null;
  /** Ends the run early; everything done so far is kept. */
  stop: AbortSignal;
  progress: (
    done: Omit<RunCounts, "planned">,
    planned: number,
    usage: ReturnType<RunWriter["usage"]>,
    live: Readonly<LiveCounts>,
  ) => void;
  /** Called once, before the first call. */
  estimated: (estimate: RunEstimate) => void;
  /** How long a server may refuse every call before the run stops, in ms. Default: ten minutes. */
  giveUpMs?: number | undefined;
  /** Called every second while the server refuses every call, and with null when that ends. */
  refused?: PatienceOptions["tell"];
  /** Something the user should know. `technical`: concerns the model, its signals or the cache, and needs no action. */
  notice: (notice: Notice, kind?: "technical") => void;
}

/** What a run has produced since it was started or continued. */
export interface LiveCounts {
  /** Verdicts at levels 1, 2 and 3, without the flip control and audits of stated reasons. */
  levels: [number, number, number];
  /** Number of repeated calls. */
  retries: number;
}

export interface AuditResult {
  /** `done`: nothing was left to do. `planned`: a dry run. `waiting`: a batch is at the provider, or answers are missing. */
  status: "sealed" | "done" | "stopped" | "planned" | "waiting";
  /** Why it stopped; null: it did not stop, or the user stopped it. */
  reason: DefensibleError | null;
  runId: string | null;
  /** The run existed before. */
  continued: boolean;
  counts: RunCounts;
  /** Counts of the flip control, which `counts` does not include; null: no flip control. */
  flip: RunCounts | null;
  /** Number of planned audits that are of alternatives. */
  alternatives: number;
  /** Number of planned audits that are of stated reasons. */
  stated: number;
  communitiesWithoutRules: string[];
  /** Selected decisions (`of`) that are not asked about because no rule applies to them (`decisions`). */
  noRules: { decisions: number; of: number; communities: string[] };
  estimate: RunEstimate | null;
  usage: Usage | null;
  batch: BatchOutcome | null;
  /** Questions passed to `prompt`; null: no `prompt` was given. */
  prompts: PromptCounts | null;
  /** What became of answers that come from elsewhere; null: this process asks the auditor. */
  intake: IntakeOutcome | null;
  remarks: Remarks;
}

const LOOSEN = "Select more: by community, filter, cohort, sample or limit.";

export function nothingToAudit({
  selection,
  auditor,
  source,
}: Pick<AuditRequest, "selection" | "auditor" | "source">): InputError {
  if (source) {
    return new InputError("no_decisions", "decisions: the experiment has none that match the selection", LOOSEN);
  }
  if (auditor.knows) {
    return new InputError(
      "no_decisions",
      `decisions: ${auditor.name} has an answer for none of those selected`,
      "Replay a run of this workspace, and of the same decisions.",
    );
  }
  return isEverything(selection)
    ? new InputError(
        "no_decisions",
        "decisions: the workspace has none",
        "Import some with `defensible import FILE`, or see the example with `defensible demo`.",
      )
    : new InputError("no_decisions", "decisions: nothing matches the selection", LOOSEN);
}

/** Refuses community names that no decision has: a typo would silently drop the decisions that were meant. */
async function checkCommunities(from: () => AsyncIterable<Decision[]>, asked: readonly string[]): Promise<void> {
  const names = new Set<string>();
  const missing = () => asked.filter((name) => !names.has(name));
  for await (const batch of from()) {
    for (const { community } of batch) names.add(community);
    if (missing().length === 0) return;
  }
  if (missing().length === 0 || names.size === 0) return;
  const meant = missing().flatMap((name) => nearestName(name, names) ?? []);
  const shown = [...names].sort().slice(0, 20);
  const all = `Communities: ${shown.join(", ")}${names.size > shown.length ? ` and ${names.size - shown.length} more` : ""}.`;
  throw new InputError(
    "unknown_community",
    `communities: no decision is of ${missing().join(", ")}`,
    meant.length > 0 ? `Did you mean ${meant.join(", ")}?` : all,
  );
}

/** Which decisions of a workspace a command covers. Conditions are joined by "and"; sample and limit apply last. */
export interface Selection {
  cohort?: string;
  communities?: string[];
  filters?: string[];
  sample?: { size: number; seed: number };
  limit?: number;
  /** Number of decisions that a program passed in, instead of the workspace's own. */
  given?: number;
}

function isEverything(selection: Selection): boolean {
  return Object.values(selection).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
}

/** Streams the selected decisions in their order; a sample is drawn once. `from` replaces the stored decisions as the source. */
export async function selectDecisions(
  { records, cohorts }: Pick<Context, "records" | "cohorts">,
  selection: Selection,
  from: () => AsyncIterable<Decision[]> = () => records.decisions(),
): Promise<DecisionSource> {
  await checkCommunities(from, selection.communities ?? []);
  const matches = await conditions(cohorts, selection);
  const sampled = selection.sample ? await sampleIds(from, matches, selection.sample) : null;
  return () => chosenDecisions(from, selection, matches, sampled);
}

async function* chosenDecisions(
  from: () => AsyncIterable<Decision[]>,
  selection: Selection,
  matches: (decision: Decision) => boolean,
  sampled: ReadonlySet<string> | null,
): AsyncGenerator<Decision[]> {
  let left = selection.limit ?? Number.POSITIVE_INFINITY;
  for await (const batch of from()) {
    let chosen = batch.filter((decision) => (sampled ? sampled.has(decision.id) : matches(decision)));
    if (chosen.length > left) chosen = chosen.slice(0, left);
    left -= chosen.length;
    if (chosen.length) yield chosen;
    if (left <= 0) return;
  }
}

async function conditions(cohorts: CohortStore, selection: Selection): Promise<(decision: Decision) => boolean> {
  const tests: ((decision: Decision) => boolean)[] = [];
  if (selection.cohort) {
    const cohort = await cohorts.find(selection.cohort);
    if (!cohort)
      throw unknownCohort(
        selection.cohort,
        (await cohorts.list()).map(({ name }) => name),
      );
    const members = new Set(cohort.decision_ids);
    tests.push((decision) => members.has(decision.id));
  }
  if (selection.communities?.length) {
    const communities = new Set(selection.communities);
    tests.push((decision) => communities.has(decision.community));
  }
  for (const filter of selection.filters ?? []) tests.push(parseFilter(filter));
  return (decision) => tests.every((test) => test(decision));
}

async function sampleIds(
  from: () => AsyncIterable<Decision[]>,
  matches: (decision: Decision) => boolean,
  { size, seed }: { size: number; seed: number },
): Promise<Set<string>> {
  const sample = new HashSample(seed, size);
  for await (const batch of from()) {
    for (const decision of batch) if (matches(decision)) sample.add(decision.id);
  }
  return new Set(sample.ids());
}
