import { finding, type PlacedRule, type RuleFinding } from "./finding.js";
import { sharedShare, topicStems } from "./sentences.js";

/** Share of common words from which a tier only repeats the one before. */
const REPEATS = 0.9;

/** Tiers without text of their own: an audit at that tier sees no more than at the one before. */
export function emptyTiers(placed: PlacedRule): RuleFinding[] {
  const { rule } = placed;
  const texts = { title: rule.title, description: rule.description?.trim() ?? "", detail: rule.detail?.trim() ?? "" };
  const found: RuleFinding[] = [];
  if (texts.description === "" && texts.detail === "") {
    found.push(
      finding(placed, {
        check: "empty_tier",
        severity: "warning",
        message: "has a title and nothing else: what it covers can only be guessed",
        remedy: "Add a description that says what it covers, and a detail with exceptions and examples.",
      }),
    );
    return found;
  }
  for (const [part, before] of [
    ["description", "title"],
    ["detail", "description"],
  ] as const) {
    const empty = texts[part] === "";
    const repeats =
      !empty && texts[before] !== "" && sharedShare(topicStems(texts[part]), topicStems(texts[before])) >= REPEATS;
    if (!empty && !repeats) continue;
    found.push(
      finding(placed, {
        check: "empty_tier",
        severity: "note",
        part,
        message: empty ? `has no ${part}` : `its ${part} says what its ${before} said`,
        remedy:
          part === "detail"
            ? "Add exceptions, edge cases and worked examples."
            : "Add what it covers, and examples of it.",
      }),
    );
  }
  return found;
}
