import type { CaseRule } from "../../../core/records/case.js";
import { contentWords } from "./content-words.js";
import { readFrame } from "./read-frame.js";
import { type RuleNearness, ruleNearness } from "./rule-nearness.js";
import type { ScopeInput } from "./scope-verdict.js";

/** The rules whose words come nearest to the content, nearest first, at most so many; of equals the earlier. */
export function nearestRules({ frame, content }: Pick<ScopeInput, "frame" | "content">, count: number): CaseRule[] {
  const words = contentWords(content);
  return readFrame(frame)
    .rules.map((reading) => ruleNearness(reading, words))
    .sort((a, b) => nearestSide(b) - nearestSide(a))
    .slice(0, count)
    .map(({ reading }) => reading.rule);
}

/** How near the content comes to whatever the rule says. */
export function nearestSide({ forbids, demands, allows, elsewhere }: RuleNearness): number {
  return Math.max(forbids.value, demands.value, allows.value, elsewhere.value);
}
