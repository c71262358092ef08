import { defended, isForbidden, type Maker, pick, ruleName } from "./base.js";
import { ruleSentences, shortened } from "./sentences.js";

/** What the platform forbids is let stand on the word of a community's rule. */
export const invertPrecedence: Maker = (base, rng) => {
  const { rule, frame } = base;
  if (rule?.scope !== "platform" || !isForbidden(base)) return null;
  const own = frame.rules.filter((one) => one.scope === "community");
  if (own.length === 0) return null;
  const above = pick(own, rng);
  const quote = shortened(ruleSentences(above)[0] ?? above.title, 30);
  return defended(
    base,
    "community_over_platform",
    "forbidden content was let stand on a community rule set above the platform's prohibition",
    `${ruleName(above)} "${above.title}": ${quote} In ${frame.community} the community's own rules come before ${ruleName(rule)} "${rule.title}".`,
  );
};
