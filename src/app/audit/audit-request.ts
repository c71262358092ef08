import { extname } from "node:path";
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
import type { AuditSource, RunWriter } from "../../store/ports.js";
import type { Scrub } from "../../text/scrub/scrub.js";
import type { Notice } from "../notices.js";
import type { BatchOutcome } from "./batch/run-batch.js";
import type { RunEstimate } from "./estimate.js";
import type { Remarks } from "./plan.js";
import type { IntakeOutcome, PromptCounts } from "./prompts.js";
import type { Selection } from "./selection.js";

/** The format of a file of audits or decisions, by its ending. */
export function auditFormat(path: string): AuditSource["format"] {
  const known: Record<string, AuditSource["format"]> = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
  };
  const format = known[extname(path).toLowerCase()];
  if (format) return format;
  throw new InputError(
    "unknown_format",
    `${path}: expected a file ending in .jsonl, .csv or .parquet`,
    "Rename or convert it.",
  );
}

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
