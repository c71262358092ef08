import { type Maker, pick, ruleKey } from "./base.js";
import { citationOf } from "./sentences.js";

/** The citation of a finished audit is replaced by another rule that exists, word for word. */
export const spliceCitation: Maker = (base, rng) => {
  const { rule, bearing, frame } = base;
  const others = frame.rules.filter((one) => !bearing.has(ruleKey(one)) && (!rule || ruleKey(one) !== ruleKey(rule)));
  if (others.length === 0) return null;
  const other = pick(others, rng);
  return {
    target: "trace",
    archetype: rule && rule.scope !== other.scope ? "rule_of_other_scope" : "rule_of_same_scope",
    content: base.decision.content,
    decision: base.decision.decision,
    attack: { what: "the citation was replaced by another rule that exists", text: citationOf(other) },
  };
};
