import type { CaseFrame, CasePrecedent, CaseRule } from "../../core/records/case.js";

type RuleEntry = [scope: CaseRule["scope"], id: string, title: string, text: string];

/** A frame of given rules and precedents. */
export function frameOf(rules: RuleEntry[], precedents: [id: string, text: string][] = []): CaseFrame {
  return {
    community: "pottery",
    rulesetVersion: "1+1",
    tier: "wiki",
    rules: rules.map(
      ([scope, id, title, text]): CaseRule => ({ scope, id, title, text: `${title}\n${text}`, kind: null }),
    ),
    precedents: precedents.map(
      ([id, text]): CasePrecedent => ({ id, text, decision: "remove", ruleId: null, rationale: null }),
    ),
    actions: { positive: "remove", negative: "approve" },
  };
}

export const POTTERY = frameOf(
  [
    ["platform", "P1", "Respect people", "Do not insult, demean or threaten another member."],
    [
      "platform",
      "P2",
      "No private information",
      "Posts may not contain phone numbers or street addresses of a private person.",
    ],
    ["platform", "R1", "Warn before upsetting material", "Graphic injury must carry the word Sensitive in the title."],
    [
      "community",
      "R1",
      "Pictures need a glaze recipe",
      "Every picture of a finished pot names the glaze and the kiln temperature.",
    ],
    ["community", "R3", "No links to shops", "Links to a shop, your own or another, are removed except on Fridays."],
  ],
  [["pottery-p1", "My etsy store has new mugs, come and look at them tonight!"]],
);
