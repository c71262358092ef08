import type { BatchStatus } from "../auditors/auditor.js";
import { type DefensibleError, InputError } from "../core/errors.js";
import type { GateCommunity, GateKey, GateMode } from "../core/gate.js";
import type { LabelFlag } from "../core/names.js";
import type { LabelSample } from "../core/records/label.js";
import type { ReviewAlarm } from "../measures/gate/drift/e-detector.js";
import type { ReinstatedEvent, ResetEvent, SuspendedEvent, WatchState } from "../measures/gate/drift/watch-types.js";
import type { GateReport, GateSettings } from "../measures/gate/gate-report.js";
import type { SmallRun } from "../store/choose-run.js";
import type { GateInForce } from "../store/records/suspensions.js";

export type ScoreProblem =
  | { code: "none_named" }
  | { code: "other_calibration" | "no_content_hash" | "no_probability"; calibration: string }
  | { code: "unreadable"; message: string };

/** Notices for the user during a command, as data. `present/words/route-words.ts` has the wording. */
export type Notice =
  /** From an auditor or a store, in its own words. */
  | { code: "remark"; text: string }
  | { code: "platform_rules_only"; communities: readonly string[] }
  | { code: "no_rules"; decisions: number; of: number; communities: readonly string[] }
  /** No restriction states an existing rule, or the auditor cannot judge by a subset of the rules. */
  | { code: "no_stated_reasons" }
  | { code: "weights_of_unknown_audits" }
  | { code: "weights_of_other_audits"; differences: readonly string[] }
  | { code: "same_family"; decisions: number; of: number }
  | { code: "line_in_no_rule"; line: number; reason: string }
  | { code: "gates_closed"; since: string; reason: string }
  | { code: "gates_open_again" | "paper_mode" | "no_sampling_key" }
  /** It is unreadable which communities are suspended. */
  | { code: "suspensions_lost"; message: string; remedy: string }
  /** `next`: labels come first, then a calibration, then a gate. */
  | { code: "no_gate"; next: "gate" | "labels" }
  /** `run`: the run behind the active gate, because the newest may hold only today's few decisions. */
  | { code: "no_score"; problem: ScoreProblem; next: "calibrate" | "labels"; run: string | null }
  | { code: "nothing_passes"; mode: GateMode }
  | { code: "nothing_certified"; gateMode: GateMode }
  | { code: "other_mode"; mode: GateMode; gateMode: GateMode };

/** State of one part of a run's batch at the provider. */
export type BatchLine =
  | { code: "receipts_missing"; part: number }
  | { code: "collected" | "sent"; id: string; items: number; submittedAt: string }
  | { code: "asked"; id: string; items: number; status: BatchStatus };

/**
 * Why a use case cannot do what was asked, as data: a code and what its wording needs. The wording is in `present`; flags and command names are
 * known there and not here.
 */
export class Refusal<Why extends { code: string } = { code: string }> extends InputError {
  constructor(readonly why: Why) {
    super(why.code, why.code.replaceAll("_", " "));
  }
}

/** Does the work and words its refusals. Other errors already have their wording. */
export async function worded<T, Why extends { code: string }>(
  words: (why: Why) => DefensibleError | Promise<DefensibleError>,
  work: () => Promise<T> | T,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof Refusal ? await words(cause.why as Why) : cause;
  }
}

/** A difference from the gate that the workspace itself would compute. */
export type Obstacle =
  | { code: "other_settings"; settings: readonly (keyof GateSettings)[]; than: "workspace" | "gate_in_force" }
  | { code: "mode_paper" | "calibration_named" | "labels_named" | "look_once" | "other_keys" }
  | { code: "experiment"; kind: string }
  | { code: "audited_otherwise"; setting: string; value: unknown; configured: unknown }
  | { code: "not_newest" | "run_damaged" | "newer_run"; run: string }
  | { code: "not_finished" }
  /** `run`: it is small, so it must be named to be activated. */
  | { code: "selection"; run?: string };

/** What happened to a gate. `current`: the gate that was active before. */
export type Applied =
  | { status: "in_force"; gateId: string; obstacles: readonly Obstacle[]; current: GateInForce | null }
  | { status: "watched"; current: GateInForce }
  | { status: "what_if"; reasons: readonly Obstacle[]; current: GateInForce | null }
  /** `problem`: why nothing could be written; null: a dry run. */
  | { status: "not_recorded"; problem: string | null; current: GateInForce | null };

/** Caveats to a gate's figures. */
export type GateNote =
  | { code: "span"; span: NonNullable<GateReport["span"]> }
  | { code: "threads_open" | "threads_late"; verdicts: number; days: number }
  | { code: "independence_assumed"; communities: number }
  | { code: "labels_certify_nothing" | "labels_flagged"; flags: readonly LabelFlag[] }
  /** `enough` of `of` communities have at least `least` labels. */
  | { code: "labels_needed"; enough: number; of: number; least: number }
  /** Labels without a sampling design. */
  | { code: "labels_drawn"; labels: LabelSample }
  | { code: "no_calibration"; labelled: boolean }
  /** Predicted and observed rates differ by `error`; chance explains at most `limit`. */
  | { code: "not_calibrated"; error: number; limit: number }
  | { code: "circular" | "fitted_on_this_run" | "unequal_chances" | "set_together" }
  /** Why certified mode assumes this kind of look. */
  | { code: "look_asked_for" | "look_at_a_file" | "look_first" }
  | { code: "look_again"; earlier: number };

/** Wording that a gate writes into its report and history, to be read years later. `present/gate/gate-words.ts` has it in English. */
export interface GateWords {
  note(note: GateNote): string;
  applied(applied: Applied): string;
  /** Message and remedy. */
  suspendedByOtherKeys(
    names: readonly string[],
    keys: { asked: readonly string[]; before: readonly string[] },
  ): string[];
  unreadableGate(problem: string, replaced: boolean): string;
  certifiedAgain(community: Pick<GateCommunity, "n" | "indefensible">): string;
  noLongerSuspended(community: string, reason: string): string;
  alarm(event: SuspendedEvent, limit: number): string;
  alarmRemedy(which: SuspendedEvent["which"]): string;
  reinstated(event: ReinstatedEvent): string;
  reset(event: ResetEvent): string;
  /** Reviewers found too many indefensible decisions among automated ones. */
  reviewAlarm(alarm: ReviewAlarm, limit: number): string;
  reviewRemedy(): string;
  /** `threads`: average number of a community's reviewed threads before a false alarm. */
  reviewPromise(limit: number, threads: number): string;
  /** Caveats to a watch, apart from its events. */
  watchNotes(state: WatchState, suspended: ReadonlySet<string>): string[];
}

export type GateRefusal =
  /** `suspended`: the communities that are suspended. */
  | { code: "not_suspended"; community: string; suspended: string[] }
  /** A watch by other keys than the active gate's: its alarms could suspend nothing. */
  | { code: "other_keys"; asked: readonly GateKey[]; inForce: readonly GateKey[] }
  /** `mismatches` null: the calibration gives no probability. */
  | { code: "foreign_calibration"; calibration_id: string; mismatches: string[] | null }
  /** Human labels were required. `file`: the file named by the user; `sample`: existing labels that cannot be used. */
  | { code: "no_labels"; file: string | null; sample: LabelSample | null }
  | { code: "no_such_field"; slice: string }
  /** A slice by a field of decisions, but only audits are available. */
  | { code: "no_decisions"; slice: string }
  | { code: "gate_span" | "window_certified" }
  | { code: "open_run"; run: string }
  /** The newest run covers a small selection, and no run was named. */
  | ({ code: "small_run" } & SmallRun)
  | { code: "gate_since"; since: string; problem: "not_a_time" | "in_the_future" };

export function refuse(why: GateRefusal): never {
  throw new Refusal(why);
}
