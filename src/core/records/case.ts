import type { Actions } from "./actions.js";
import type { Template } from "./audit.js";
import type { ContentParts } from "./decision.js";
import type { Tier } from "./rule-set.js";

/** One candidate for a token position, with its natural-log probability. */
export interface Alternative {
  text: string;
  /** True bytes if the provider gives them: `text` may be lossy for half a UTF-8 character. */
  bytes?: Uint8Array | null;
  /** Whether `bytes` are known to be the UTF-8 of `text` without computing them; absent: compare. */
  bytesAreText?: boolean;
  logprob: number;
}

/** A generated token. `top` contains the most probable candidates at its position, best first; empty if none were requested. */
export interface Token extends Alternative {
  top: readonly Alternative[];
  /** Entropy in bits over the whole vocabulary at temperature 1, if it is known although `top` is only a part of it. */
  bits?: number;
}

/** What an auditor returned for one case, in one form for every provider. */
export interface Generation {
  text: string;
  /** null: the provider gave no probabilities. */
  tokens: readonly Token[] | null;
  /** Whether the tokens' texts joined are known to equal `text`, so no alignment is needed. Absent: unknown. */
  joined?: boolean;
  /** `too_long`: the answer exceeded the size limit and was not read to its end. */
  finish: "stop" | "length" | "refusal" | "filter" | "too_long";
  /** Whether logprobs are of the raw distribution or of the one after temperature. */
  space: "raw" | "tempered" | "unknown";
  temperature: number;
  /** The support of entropies: the k candidates, or the whole vocabulary. */
  support: "top_k" | "vocab";
  model: string;
  usage: {
    input_tokens: number | null;
    cached_input_tokens: number | null;
    output_tokens: number | null;
    cost_usd: number | null;
  };
}

/** A rule as the auditor sees it: its text at the tier in use, and nothing else. */
export interface CaseRule {
  scope: "platform" | "community";
  id: string;
  title: string;
  text: string;
  kind: string | null;
}

export interface CasePrecedent {
  id: string;
  text: string;
  decision: string;
  ruleId: string | null;
  rationale: string | null;
}

/**
 * Rules and precedents in effect for a community at a tier: the part of a case that many decisions share.
 * Identity matters: auditors may cache data prepared for a frame, keyed by the object itself.
 */
export interface CaseFrame {
  community: string;
  rulesetVersion: string;
  tier: Tier;
  rules: readonly CaseRule[];
  precedents: readonly CasePrecedent[];
  /** Precedents of every community, the same list in all frames of a run. The baseline compares with them; prompts do not contain them. */
  allPrecedents?: readonly CasePrecedent[];
  actions: Actions;
}

/** Exactly what an auditor may see: (C, R, P, ŷ). It has no place for the decider's rationale, the human label, gold or truth. */
export interface AuditCase {
  frame: CaseFrame;
  content: ContentParts;
  decision: string;
  template: Template;
}
