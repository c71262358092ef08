import { type DualVerdict, dualVerdict } from "../../../audit/scope-question/ask-scope.js";
import { type Audit, type Citation, emptyTrace, type PartialTrace } from "../../../core/records/audit.js";
import type { CaseFrame } from "../../../core/records/case.js";
import { contentParts } from "../../../core/records/decision.js";
import { groundCitation } from "../../../measures/grounding/ground-citation.js";
import { type ScopeInput, type ScopeVerdict, verifyScope } from "../../../measures/grounding/scope/scope-verdict.js";
import { createRng, shuffle } from "../../../stats/random/create-rng.js";
import { unscrub } from "../../../text/scrub/scrub.js";
import type { AttackCase } from "../result.js";

/** How suspicious a case is to each layer: higher is more suspicious, null is not known. */
export interface Scores {
  /** 1 − p_defensible. */
  signal: number | null;
  /** 1 − S. */
  pds: number | null;
  /** 1 − overlap of the citation with the rule it names or resembles. */
  grounding: number | null;
  /** Of the structural checks. */
  scope: number | null;
  /** 1 − probability that the cited rule supports the step, by the second question. */
  question: number | null;
  /** That only the opposite can be derived, by the dual audit. */
  dual: number | null;
}

/** A case with everything that the layers say of it. */
export interface ScoredCase {
  case: AttackCase;
  scores: Scores;
  level: number;
  grounded: boolean;
  scope: ScopeVerdict;
  dual: DualVerdict | null;
  /** What the second question said; null: it was not asked, or not answered. */
  supported: boolean | null;
  /** Said of the content before any audit; belongs to no layer. */
  injectionSuspected: boolean;
  languageKnown: boolean;
  signals: {
    h_citation_bits: number | null;
    confidence: number | null;
    pds: number | null;
    p_defensible: number | null;
    overlap: number | null;
  };
  input: ScopeInput;
}

/** What the layers make of a case and its audit. They are given what the auditor saw and said, and nothing of the attack or the truth. */
export function scoreCase(one: AttackCase, audit: Audit, opposite: Audit | null, frame: CaseFrame): ScoredCase {
  const changed = one.target === "trace";
  const trace = changed ? { ...traceOf(audit), policy_citation: one.attack!.text } : traceOf(audit);
  const citation = citationOf(trace, audit, frame, changed);
  const input: ScopeInput = { frame, content: contentParts(one.content), decision: one.decision, trace, citation };
  const scope = verifyScope(input);
  const dual = opposite ? dualVerdict(sideOf(audit), sideOf(opposite)) : null;
  const overlap = citation?.overlap ?? null;
  const p = audit.p_defensible ?? null;
  const pds = audit.pds ?? null;
  return {
    case: one,
    level: audit.level!,
    // Nothing was cited: nothing can be found.
    grounded: citation?.grounded ?? false,
    scope,
    dual,
    supported: null,
    injectionSuspected: audit.flags.includes("injection_suspected"),
    languageKnown: !audit.flags.includes("language_not_in_precedents"),
    scores: {
      signal: p === null ? null : 1 - p,
      pds: pds === null ? null : 1 - pds,
      grounding: 1 - (overlap ?? 0),
      scope: scope.suspicion,
      question: null,
      dual: dual?.suspicion ?? null,
    },
    signals: {
      h_citation_bits: changed ? null : (audit.h_citation_bits ?? null),
      confidence: audit.lambda_nats === null || audit.lambda_nats === undefined ? null : Math.exp(audit.lambda_nats),
      pds,
      p_defensible: p,
      overlap,
    },
    input,
  };
}

function sideOf(audit: Audit): { level: number | null; p_defensible: number | null } {
  return {
    level: audit.outcome === "verdict" ? (audit.level ?? null) : null,
    p_defensible: audit.p_defensible ?? null,
  };
}

function citationOf(trace: PartialTrace, audit: Audit, frame: CaseFrame, changed: boolean): Citation | null {
  if (!changed && audit.citation !== undefined) return audit.citation;
  return trace.policy_citation ? groundCitation(trace.policy_citation, frame) : null;
}

const NO_TRACE: PartialTrace = emptyTrace();

/** The trace in the words of the rules: what was hidden from the model is put back. */
function traceOf({ trace, prompt }: Audit): PartialTrace {
  const whole: PartialTrace = { ...NO_TRACE, ...(trace as Partial<PartialTrace> | null) };
  const hidden = prompt?.scrubbed;
  if (!hidden) return whole;
  const open = (text: string | null) => (text === null ? null : unscrub(text, hidden));
  return { ...whole, logic_chain: open(whole.logic_chain), policy_citation: open(whole.policy_citation) };
}

export interface Halves {
  /** Thresholds are chosen on these. */
  choosing: ScoredCase[];
  /** False positives are counted on these. */
  reported: ScoredCase[];
}

/** Clean cases in two halves at random, each decision's cases apart, so that both halves have approvals and removals alike. */
export function splitClean(clean: readonly ScoredCase[], seed: number): Halves {
  const rng = createRng(seed).fork("halves of the clean cases");
  const halves: Halves = { choosing: [], reported: [] };
  const decisions = [...new Set(clean.map((one) => one.case.decision))].sort();
  for (const decision of decisions) {
    const some = clean.filter((one) => one.case.decision === decision);
    // The order of the file must not matter.
    some.sort((a, b) => (a.case.id < b.case.id ? -1 : 1));
    const mixed = shuffle(some, rng.fork(decision));
    const middle = Math.floor(mixed.length / 2);
    mixed.forEach((one, i) => {
      (i < middle ? halves.choosing : halves.reported).push(one);
    });
  }
  return halves;
}
