import type { Citation } from "../../../core/records/audit.js";
import type { CaseFrame } from "../../../core/records/case.js";
import type { ContentParts } from "../../../core/records/content.js";
import type { PartialTrace } from "../../../core/records/trace.js";

/** What a scope verification reads: the case as the auditor saw it, and what the auditor said of it. */
export interface ScopeInput {
  frame: CaseFrame;
  content: ContentParts;
  decision: string;
  trace: PartialTrace;
  /** Where the trace's citation stands in (R, P); null: it is looked up. */
  citation: Citation | null;
}

/** One question about the step from citation to verdict. */
export interface ScopeCheck {
  name: string;
  /** null: the question does not arise here. */
  passed: boolean | null;
  /** What failing it adds to the suspicion, in log-odds. */
  weight: number;
  /** What was found, for a reader who knows the rules and not this program. */
  note: string;
}

export interface ScopeVerdict {
  /** In [0, 1]: higher, the less the cited rule carries the verdict. No probability: an order. */
  suspicion: number;
  /** The suspicion reaches the threshold. */
  flagged: boolean;
  checks: ScopeCheck[];
}
