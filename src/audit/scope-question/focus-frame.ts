import type { CaseFrame, CaseRule } from "../../core/records/case.js";
import { rulesInText } from "../../measures/grounding/rules-in-text.js";
import type { ScopeInput } from "../../measures/grounding/scope/index.js";
import { nearestRules } from "../../measures/grounding/scope/index.js";

/** Rules beside the cited ones that are shown: those that come nearest to the content, one of which may be what matters. */
const NEAR_RULES = 3;
/** A citation that names half the rule book says nothing; more of them are not shown. */
const MOST_CITED = 4;

export interface Focus {
  frame: CaseFrame;
  /** The cited rules and precedents, as a prompt names them. */
  cited: string[];
}

/** Frames by the rules they hold, so that what is prepared for a frame is prepared once. */
const focused = new WeakMap<CaseFrame, Map<string, CaseFrame>>();
const REMEMBERED = 500;

/** The part of the frame that the step from citation to verdict turns on: what was cited, and the rules nearest to the content. */
export function focusFrame(input: ScopeInput): Focus {
  const { frame, trace } = input;
  const named = rulesInText(trace.policy_citation ?? "", frame).named.slice(0, MOST_CITED);
  const isNamed = ({ scope, id }: { scope: string; id: string }) =>
    named.some((one) => one.scope === scope && one.rule_id === id);
  const near = new Set<CaseRule>(nearestRules(input, NEAR_RULES));
  const rules = frame.rules.filter((rule) => isNamed(rule) || near.has(rule));
  const precedents = frame.precedents.filter(({ id }) => isNamed({ scope: "precedent", id }));
  return {
    frame: remembered(frame, rules, precedents),
    cited: named.map(({ scope, rule_id }) =>
      scope === "precedent" ? `precedent ${rule_id}` : `${scope} rule ${rule_id}`,
    ),
  };
}

function remembered(frame: CaseFrame, rules: CaseFrame["rules"], precedents: CaseFrame["precedents"]): CaseFrame {
  const known = focused.get(frame) ?? new Map<string, CaseFrame>();
  focused.set(frame, known);
  const key = JSON.stringify([rules.map((rule) => frame.rules.indexOf(rule)), precedents.map(({ id }) => id)]);
  const same = known.get(key);
  if (same) return same;
  if (known.size >= REMEMBERED) known.clear();
  const part = { ...frame, rules, precedents };
  known.set(key, part);
  return part;
}
