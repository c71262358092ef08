import { dualVerdict } from "../../src/audit/scope-question/ask-scope.js";
import { generateTrace } from "../../src/auditors/baseline/baseline-auditor.js";
import { answerOf, citationsOf, writeGeneration } from "../../src/auditors/simulated/answer.js";
import { MODERATION_ACTIONS, oppositeAction } from "../../src/core/records/actions.js";
import type { CaseFrame, Generation } from "../../src/core/records/case.js";
import { type Content, contentParts, contentText, type Precedent } from "../../src/core/records/decision.js";
import type { Truth } from "../../src/core/records/label.js";
import { type RuleSet, ruleText } from "../../src/core/records/rule-set.js";
import { EQUAL_WEIGHTS, extractSignals } from "../../src/entry/signals.js";
import { generatePlatformRules, generateWorld, presetWorld } from "../../src/entry/simulation.js";
import { type Base, defended } from "../../src/experiments/attack/build/hallucinate.js";
import { stretchRule } from "../../src/experiments/attack/build/makers.js";
import { groundCitation } from "../../src/measures/grounding/ground-citation.js";
import { verifyScope } from "../../src/measures/grounding/scope/scope-verdict.js";
import { compileAuditor, drawAudit } from "../../src/simulation/auditor/draw-audit.js";
import { auditorPreset } from "../../src/simulation/auditor/paper-auditor.js";
import { readCase } from "../../src/simulation/auditor/read-case.js";
import { createRng } from "../../src/stats/random/create-rng.js";

/** A decision to be audited: sound, a forbidden content let stand and argued for, or an allowed content removed. */
export interface ScopeCase {
  id: string;
  kind: "clean" | "penumbra" | "flip";
  frame: CaseFrame;
  content: Content;
  action: string;
  truth: Truth | null;
}

export function frameOf(community: string, sets: readonly RuleSet[], precedents: readonly Precedent[]): CaseFrame {
  return {
    community,
    rulesetVersion: "1+1",
    tier: "wiki",
    rules: sets.flatMap(({ scope, rules }) =>
      rules.map((rule) => ({
        scope,
        id: rule.id,
        title: rule.title,
        text: ruleText(rule, "wiki"),
        kind: rule.kind ?? null,
      })),
    ),
    precedents: precedents.map(({ id, content, decision, rule_id, rationale }) => ({
      id,
      text: contentText(content),
      decision,
      ruleId: rule_id ?? null,
      rationale: rationale ?? null,
    })),
    actions: MODERATION_ACTIONS,
  };
}

/** Sound decisions of a simulated world (truth: level 1 or 2), and attacks made of those that the rules settle. */
export function* scopeCases(book: string, seed: number, decisions: number): Generator<ScopeCase> {
  const small = presetWorld("small");
  const settings = { ...small, book, cohorts: [{ ...small.cohorts[0]!, communities: 40, decisions }] };
  const platform = generatePlatformRules(settings, seed);
  const rng = createRng(`scope ${book} ${seed}`);
  for (const { community, ruleSet, precedents, cases } of generateWorld(settings, seed)) {
    const frame = frameOf(community, [ruleSet, platform], precedents);
    for (const { decision, truth } of cases()) {
      const { id, content } = decision;
      if (truth.level < 3) yield { id, kind: "clean", frame, content, action: decision.decision, truth };
      if (truth.level > 1 || truth.inverse) continue;
      const { rule: own } = truth;
      const rule = frame.rules.find(({ scope, id }) => own?.scope === scope && own.rule_id === id) ?? null;
      const base: Base = { decision, frame, rule, bearing: new Set(), precedentLanguages: new Set(), language: null };
      if (decision.decision === MODERATION_ACTIONS.negative) {
        yield { id, kind: "flip", frame, content, action: MODERATION_ACTIONS.positive, truth };
      } else {
        const made = stretchRule(base, rng) ?? defended(base, "", "", "");
        yield { id, kind: "penumbra", frame, content: made.content, action: made.decision, truth };
      }
    }
  }
}

export type AuditorName = "baseline" | "simulated";
const SIMULATED = compileAuditor(auditorPreset("default"));

/** What an auditor says of a case; null: nothing that can be read. */
function audit(name: AuditorName, one: ScopeCase) {
  const generation = name === "baseline" ? byBaseline(one) : bySimulated(one, one.truth!);
  const { outcome, trace, level, p_defensible, pds } = extractSignals(generation, { weights: EQUAL_WEIGHTS });
  return outcome === "verdict" ? { trace, level, p_defensible, pds } : null;
}

function byBaseline({ frame, content, action }: ScopeCase): Generation {
  return generateTrace({ frame, content: contentParts(content), decision: action, template: "paper" }, 0, "scope");
}

function bySimulated({ id, frame, action }: ScopeCase, truth: Truth): Generation {
  const citations = citationsOf(frame, SIMULATED.settings.citation.tokens);
  const known = { ...truth, decider: truth.decider ?? null, ambiguityScope: truth.ambiguity_scope };
  const opposite = action !== truth.decision;
  const shown = { tier: frame.tier, scopes: citations.scopes, opposite, precedents: frame.precedents.length > 0 };
  const reading = readCase({ decisionId: id, truth: known, sameFamily: false, shown }, SIMULATED, 0);
  const draw = drawAudit(reading, SIMULATED, createRng(`scope ${id} ${opposite}`));
  return writeGeneration(answerOf(draw, reading, known, citations, "paper"));
}

/** What each layer of defence makes of a case. */
export interface Layered {
  kind: ScopeCase["kind"];
  restricts: boolean;
  /** Layer 1, as scores: the higher, the more suspicious. */
  indefensible: number;
  signal: number;
  /** Layer 2. */
  ungrounded: boolean;
  /** Layer 3. */
  suspicion: number;
  flagged: boolean;
  /** Names of the checks that failed. */
  failed: string[];
  /** Dual audit. */
  dual: boolean;
}

export function layersOf(name: AuditorName, one: ScopeCase): Layered | null {
  const own = audit(name, one);
  const opposite = audit(name, { ...one, action: oppositeAction(one.frame.actions, one.action) });
  if (!own || !opposite) return null;
  const citation = groundCitation(own.trace.policy_citation ?? "", one.frame);
  const { frame, action: decision } = one;
  const scope = verifyScope({ frame, content: contentParts(one.content), decision, trace: own.trace, citation });
  return {
    kind: one.kind,
    restricts: decision === frame.actions.positive,
    indefensible: 1 - own.p_defensible!,
    signal: 1 - own.pds!,
    ungrounded: !citation.grounded,
    suspicion: scope.suspicion,
    flagged: scope.flagged,
    failed: scope.checks.filter(({ passed }) => passed === false).map(({ name }) => name),
    dual: dualVerdict(own, opposite).flagged,
  };
}

/** The least threshold that at most a share of the scores exceeds. */
export function thresholdAt(scores: readonly number[], share: number): number {
  const sorted = [...scores].sort((a, b) => b - a);
  return sorted[Math.floor(share * sorted.length)]!;
}
