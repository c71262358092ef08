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

/** What a run is to do. */
export interface AuditRequest extends Omit<RunSettings, "runId" | "weights" | "promptVersion"> {
  auditor: Auditor;
  selection: Selection;
  /** The experiment that the run is for. */
  experiment?: ExperimentKind;
  /** Conditions under which each decision is audited. Default: the run as it is. Needs `experiment`. */
  arms?: readonly Arm[];
  /** How many opposites to audit as flip control, drawn at random; Infinity: all. Default 0. Not for an experiment. */
  flip?: number;
  /** How many of each decision's nearest alternatives to audit too, where there are more than two actions. Default 0. Not for an experiment. */
  alternatives?: number;
  /** Whether to audit restrictions again by the rules alone that their stated reasons name. Not for an experiment. */
  statedReasons?: boolean;
  /** Whatever else decides the experiment's audits: part of its fingerprint. */
  design?: Record<string, unknown>;
  /** Replicates of a decision under an arm, instead of `replicates`; asked anew in each pass. */
  replicatesFor?: (decision: Decision, arm: Arm) => number;
  /** Called for every audit of the run: of those that are there before, and of each new one. */
  observe?: (audit: Audit) => void;
  /** Asked when a pass over the decisions is complete: whether to make another. Then the run is sealed. */
  again?: () => boolean;
  /** Decisions that are not the workspace's; the selection is made among them. */
  source?: { decisions: DecisionSource; hash: string };
  /** Audit although the workspace has rules of communities without decisions. */
  allowUnusedRules?: boolean;
  /** Most calls in flight. */
  concurrency: number;
  retryErrors: boolean;
  /** Start another run even if one with these settings exists. */
  fresh: boolean;
  /** Continue this run. */
  runId?: string;
  /** Say what would be done and do nothing. */
  dryRun: boolean;
  /** Given every question that has no answer: all of them in a dry run, else those that the run still waits for. */
  prompt?: (line: PromptLine) => void;
  /** USD that the run may cost in all; null: no limit. */
  maxCost: number | null;
  /** Send the questions to the provider's batch service, and collect what it has answered. */
  batch: boolean;
  /** Keep every answer as it came, in the run's folder. */
  keepRaw: boolean;
  /** Use answers that the same request got before. */
  cache: boolean;
  /** What is hidden from the model; `id` names it in the manifest. */
  scrub: (Scrub & { id: string }) | null;
  /** Server of a model that could be anywhere. */
  endpoint: string | null;
  /** Tokens of prompt and answer together, if the user named them. */
  contextTokens: number | null;
  /** Ends the run early, with everything done so far kept. */
  stop: AbortSignal;
  progress: (
    done: Omit<RunCounts, "planned">,
    planned: number,
    usage: ReturnType<RunWriter["usage"]>,
    live: Readonly<LiveCounts>,
  ) => void;
  /** Called once, before the first call. */
  estimated: (estimate: RunEstimate) => void;
  /** How long a server may refuse every call before the run stops. Default: ten minutes. */
  giveUpMs?: number | undefined;
  /** Called once a second while every call is refused; null: no longer. */
  refused?: PatienceOptions["tell"];
  /** Something the user should know. `technical`: about the model, its signals or the cache, and nothing has to be done. */
  notice: (notice: Notice, kind?: "technical") => void;
}

/** What a run has seen since it was started or continued. */
export interface LiveCounts {
  /** Verdicts at levels 1, 2 and 3, without the flip control. */
  levels: [number, number, number];
  /** Calls that were made again. */
  retries: number;
}

export interface AuditResult {
  /** `done`: nothing was left to do. `planned`: a dry run. `waiting`: a batch is at the provider, or answers have not come in. */
  status: "sealed" | "done" | "stopped" | "planned" | "waiting";
  /** Why it stopped; null: it did not, or someone asked it to. */
  reason: DefensibleError | null;
  runId: string | null;
  /** The run was there before. */
  continued: boolean;
  counts: RunCounts;
  /** Of the flip control, which `counts` does not hold; null: nothing is there. */
  flip: RunCounts | null;
  /** Audits of alternatives among those that are planned. */
  alternatives: number;
  /** Audits of stated reasons among them. */
  stated: number;
  communitiesWithoutRules: string[];
  /** Decisions that are not asked about because no rule is in force, of all that were selected. */
  noRules: { decisions: number; of: number; communities: string[] };
  estimate: RunEstimate | null;
  usage: Usage | null;
  batch: BatchOutcome | null;
  /** Questions that were given to `prompt`; null: it was not asked for. */
  prompts: PromptCounts | null;
  /** What became of answers that come in from elsewhere; null: the auditor is asked here. */
  intake: IntakeOutcome | null;
  remarks: Remarks;
}

const LOOSEN = "Select more: by community, filter, cohort, sample or limit.";

/** Why there is nothing to audit, and what to do about it. */
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

/** Refuses names of communities that no decision has: a typo would leave out what was meant. */
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

/** Which decisions of a workspace a command is about. Conditions are joined by "and"; sample and limit come last. */
export interface Selection {
  cohort?: string;
  communities?: string[];
  filters?: string[];
  sample?: { size: number; seed: number };
  limit?: number;
  /** So many decisions that a program gave, instead of the workspace's own. */
  given?: number;
}

function isEverything(selection: Selection): boolean {
  return Object.values(selection).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
}

/** The chosen decisions in their order, streaming; a sample is drawn once. `from`: others than those that are kept. */
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
