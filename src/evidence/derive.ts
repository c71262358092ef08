import type { CaseFrame } from "../core/records/case.js";
import { applyCalibration } from "../measures/calibration/calibration-model.js";
import { citedPassages } from "../measures/grounding/cited-passages.js";
import { groundCitation } from "../measures/grounding/ground-citation.js";
import { statedReason } from "../measures/grounding/stated-reason.js";
import { auditedReason } from "../measures/metrics/reason-accuracy.js";
import { inverseLogOdds, labelConfidence, probabilisticDefensibilitySignal } from "../measures/signals/components.js";
import { hashOf, sha256 } from "./canonical.js";
import type { CertificateBasis, Derived, Quote, Span } from "./certificate.js";

/** Everything in a certificate that follows from its basis: quotes, facts, steps, numbers and hashes. */
export function derive(basis: CertificateBasis): Derived {
  const { content, rules, audit, calibration } = basis;
  const { trace } = audit;
  const frame = frameOf(basis);
  const find = (words: string | null | undefined) => quotesIn(words ?? "", basis, frame);
  const facts = (words: string | null | undefined) => factsIn(words ?? "", content.text, frame);
  const derivation: Derived["derivation"] = {
    citation: trace.policy_citation ? groundCitation(trace.policy_citation, frame) : null,
    quotes: find(trace.policy_citation),
    facts: facts(`${trace.logic_chain ?? ""}\n${trace.policy_citation ?? ""}`),
    steps: sentencesOf(trace.logic_chain ?? "").map((step) => ({
      ...step,
      quotes: find(step.text),
      facts: facts(step.text),
    })),
  };
  const opposite = oppositeOf(basis, frame, find);
  return {
    derivation,
    opposite,
    ...reasonOf(basis, derivation, frame),
    numbers: numbersOf(basis),
    absent: absentOf(basis, derivation, opposite),
    hashes: {
      content: sha256(content.text),
      rules: rules.rules.map(({ scope, id, text }) => ({ scope, id, sha256: sha256(text) })),
      ruleset: hashOf(rules),
      trace: hashOf(trace),
      calibration: calibration && hashOf(calibration.model),
      parts: Object.fromEntries(Object.entries(basis).map(([name, part]) => [name, hashOf(part)])),
    },
  };
}

/** The texts that the auditor could quote, as far as the certificate contains them. */
function frameOf({ decision, rules }: CertificateBasis): CaseFrame {
  const opposite = decision.opposite ?? decision.action;
  const positive = decision.restricts ? decision.action : opposite;
  const negative = decision.restricts ? opposite : decision.action;
  return {
    community: decision.community,
    rulesetVersion: rules.version,
    tier: rules.tier,
    rules: rules.rules.map(({ scope, id, title, text }) => ({ scope, id, title, text, kind: null })),
    precedents: rules.precedents.map(({ id, text, decision: action, rule_id, rationale }) => ({
      ...{ id, text, decision: action, ruleId: rule_id, rationale },
    })),
    actions: { positive, negative },
  };
}

function quotesIn(words: string, { rules }: CertificateBasis, frame: CaseFrame): Quote[] {
  const sources = [
    ...rules.rules.map(({ scope, id, text }) => ({ scope, id, text })),
    ...rules.precedents.map(({ id, text }) => ({ scope: "precedent" as const, id, text })),
  ];
  const texts = sources.map(({ text }) => text);
  const { passages } = citedPassages(words, texts, frame);
  return sources.flatMap(({ scope, id, text }, i) =>
    passages[i]!.map(([start, end]) => ({ scope, id, start, end, text: text.slice(start, end) })),
  );
}

function factsIn(words: string, content: string, frame: CaseFrame): Span[] {
  const [passages] = citedPassages(words, [content], frame).passages;
  return passages!.map(([start, end]) => ({ start, end, text: content.slice(start, end) }));
}

/** The sentences of a text, with their positions. */
function sentencesOf(text: string): Span[] {
  return [...text.matchAll(/\S[^\n]*?(?:[.!?。！？]+(?=\s|$)|(?=\n)|$)/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
}

function oppositeOf(
  { decision, audit, other_actions = [] }: CertificateBasis,
  frame: CaseFrame,
  find: (words: string | null | undefined) => Quote[],
): Derived["opposite"] {
  const own = audit.trace.inverse_citation ?? null;
  const other = other_actions.find(({ action, level }) => action === decision.opposite && isDerivable(level));
  const words = own ?? other?.policy_citation ?? null;
  const yes = audit.verdict.inverse_yes_prob;
  return {
    action: decision.opposite,
    derivable: audit.verdict.inverse,
    yes_prob: yes,
    log_odds: yes === null ? null : inverseLogOdds([yes, 1 - yes]).log_odds,
    words,
    ...(own === null && words !== null && { words_from: "other_actions" as const }),
    citation: words ? groundCitation(words, frame) : null,
    quotes: find(words),
  };
}

/** What the audit under all rules found about the stated reason, and what the audit under only the stated rules adds. */
function reasonOf(
  { stated_reason: given, audit }: CertificateBasis,
  { citation }: Derived["derivation"],
  frame: CaseFrame,
): Pick<Derived, "reason"> {
  const { level } = audit.verdict;
  if (!given || level === null) return {};
  const stated = statedReason(given, { level, citation, policy_citation: audit.trace.policy_citation }, frame);
  return { reason: { stated, audited: auditedReason(stated, level, given.level ?? "none") } };
}

const isDerivable = (level: number | null) => level === 1 || level === 2;

function numbersOf(basis: CertificateBasis): Derived["numbers"] {
  const { decision, audit, draws, calibration } = basis;
  const { level_probs: probs, inverse_yes_prob, h_weight_bits, h_citation_bits } = audit.verdict;
  const map = probs && labelConfidence(probs);
  const lambda_nats = map?.lambda_nats ?? null;
  const components = { lambda_nats, h_weight_bits, h_citation_bits, inverse_yes_prob };
  const score = {
    ...components,
    level_probs: probs,
    level_map: map?.level ?? null,
    inverse_log_odds:
      inverse_yes_prob === null ? null : inverseLogOdds([inverse_yes_prob, 1 - inverse_yes_prob]).log_odds,
    positive: decision.restricts,
  };
  const count = (level: number) => draws.filter((draw) => draw.level === level).length;
  return {
    p_defensible: probs && probs[0] + probs[1],
    level_map: map?.level ?? null,
    lambda_nats,
    pds: audit.weights && probabilisticDefensibilitySignal(components, audit.weights),
    p_calibrated: calibration && applyCalibration(calibration.model, score),
    draws: {
      n: draws.length,
      levels: [count(1), count(2), count(3)],
      inverse_yes: draws.filter(({ inverse }) => inverse === true).length,
    },
  };
}

function absentOf(
  { audit, calibration, route, gate, review, decision, other_actions = [] }: CertificateBasis,
  derivation: Derived["derivation"],
  opposite: Derived["opposite"],
): string[] {
  const missing: Record<string, boolean> = {
    decided_at: decision.decided_at === null,
    verdict: audit.verdict.level === null,
    citation: derivation.citation?.grounded !== true,
    quotes: derivation.quotes.length === 0,
    facts: derivation.facts.length === 0,
    opposite_case: opposite.words === null && other_actions.length === 0,
    level_probs: audit.verdict.level_probs === null,
    calibration: calibration === null,
    route: route === null,
    gate: gate === null,
    review: review.outcomes.length === 0,
  };
  return Object.keys(missing).filter((name) => missing[name]);
}
