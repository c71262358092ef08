import type { AttackCandidate } from "../../../analysis/decision-scores.js";
import type { CaseRule } from "../../../core/records/case.js";
import type { Decision } from "../../../core/records/decision.js";
import { frameOf } from "../../../measures/grounding/frame.suite.js";
import type { Base } from "./hallucinate.js";
import type { Candidate } from "./plan.js";

/** A community with rules of both scopes and one Spanish precedent. */
export const POTS = frameOf(
  [
    ["platform", "P2", "No private information", "Posts may not contain phone numbers of a private person."],
    ["platform", "P7", "Act in good faith", "Take part in the spirit of the community."],
    [
      "community",
      "R3",
      "No links to shops",
      "Links to a shop are removed. Exception: a shop named without a link may be mentioned.",
    ],
    ["community", "R4", "Name the glaze", "Every picture of a finished pot must name the glaze."],
  ],
  [["pottery-p1", "¿Dónde está la tienda de las tazas que vimos?"]],
);

export function ruleOf(id: string): CaseRule {
  return POTS.rules.find((rule) => rule.id === id)!;
}

export const SHOP_POST = "I have new mugs in my shop and you can buy them from this link: https://mugs.example";

/** A decision that the rules settle. `remove` is the right action unless said otherwise. */
export function makeBase(changes: Partial<Base> & { action?: string; content?: Decision["content"] } = {}): Base {
  const { action = "remove", content = { title: "Mugs", body: SHOP_POST }, ...rest } = changes;
  return {
    decision: { id: "d1", community: "pottery", content, decision: action },
    frame: POTS,
    rule: ruleOf("R3"),
    bearing: new Set(["community:R3"]),
    precedentLanguages: new Set(["es"]),
    language: "en",
    ...rest,
  };
}

export function makeRow(changes: Partial<AttackCandidate> = {}): AttackCandidate {
  return {
    decision_id: "d1",
    community: "pottery",
    decision: "remove",
    level: 1,
    inverse: false,
    grounded: true,
    scope: "community",
    rule_id: "R3",
    known_level: null,
    known_inverse: null,
    known_scope: null,
    known_rule: null,
    gold_rules: null,
    ...changes,
  };
}

export function makeCandidate(id: string, changes: Partial<Candidate> = {}): Candidate {
  const decision = changes.decision ?? "remove";
  const forbidden = decision === "remove";
  return { ...makeRow({ decision_id: id }), chosen: "known", settled: true, forbidden, ...changes, decision };
}
