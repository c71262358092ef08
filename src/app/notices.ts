import type { BatchStatus } from "../auditors/auditor.js";
import type { GateMode } from "../core/gate.js";

/** Why no calibrated score is used. */
export type ScoreProblem =
  | { code: "none_named" }
  | { code: "other_calibration" | "no_content_hash" | "no_probability"; calibration: string }
  | { code: "unreadable"; message: string };

/** What a person should know while something is done, as data. `present/words/notices.ts` has the words. */
export type Notice =
  /** By an auditor or a store, in its own words. */
  | { code: "remark"; text: string }
  | { code: "platform_rules_only"; communities: readonly string[] }
  | { code: "no_rules"; decisions: number; of: number; communities: readonly string[] }
  /** No restriction states a rule that exists, or the auditor cannot judge by some of the rules. */
  | { code: "no_stated_reasons" }
  | { code: "weights_of_unknown_audits" }
  | { code: "weights_of_other_audits"; differences: readonly string[] }
  | { code: "same_family"; decisions: number; of: number }
  | { code: "line_in_no_rule"; line: number; reason: string }
  | { code: "gates_closed"; since: string; reason: string }
  | { code: "gates_open_again" | "paper_mode" | "no_sampling_key" }
  /** It cannot be read which communities are suspended. */
  | { code: "suspensions_lost"; message: string; remedy: string }
  /** `labels`: labels come first, then a calibration, then a gate. */
  | { code: "no_gate"; next: "gate" | "labels" }
  | { code: "no_score"; problem: ScoreProblem; next: "calibrate" | "labels" }
  | { code: "nothing_certified"; gateMode: GateMode }
  | { code: "other_mode"; mode: GateMode; gateMode: GateMode };

/** How a part of a run is at the provider's batch service. */
export type BatchLine =
  | { code: "receipts_missing"; part: number }
  | { code: "collected" | "sent"; id: string; items: number; submittedAt: string }
  | { code: "asked"; id: string; items: number; status: BatchStatus };
