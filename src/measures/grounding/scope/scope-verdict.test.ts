import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText } from "../../../auditors/prompt.suite.js";
import { frameOf } from "../frame.suite.js";
import { CHECK_NAMES, type CheckName } from "./checks/index.js";
import { FRAME, inputOf, traceOf } from "./scope.suite.js";
import { SCOPE_CONSTANTS, SCOPE_WEIGHTS, scopeSuspicion, verifyScope } from "./scope-verdict.js";

type Trace = Parameters<typeof inputOf>[2];
const SALE = "Two pots for sale, send me your bids";
const NEUTRAL = "My first teapot survived the firing";

function check(name: CheckName, body: string, decision: "approve" | "remove", trace: Trace = {}) {
  return verifyScope(inputOf(body, decision, trace)).checks.find((one) => one.name === name)!;
}

describe("each check, alone", () => {
  it.each<[CheckName, boolean | null, string, "approve" | "remove", Trace]>([
    ["rule_exists", true, SALE, "remove", {}],
    ["rule_exists", false, SALE, "remove", { policy_citation: "Section 9: bees need a certificate by an inspector" }],
    ["rule_exists", false, SALE, "remove", { policy_citation: " " }],
    ["rule_exists", null, NEUTRAL, "approve", { policy_citation: "No rule bears on this." }],
    ["quote_verbatim", true, SALE, "remove", { policy_citation: 'R1: "Do not offer pots for sale"' }],
    ["quote_verbatim", false, SALE, "remove", { policy_citation: 'R1: "Never sell any pot to strangers"' }],
    ["quote_verbatim", false, SALE, "remove", { policy_citation: 'R1: "send me your bids"' }],
    ["quote_verbatim", true, SALE, "remove", { logic_chain: 'It says "send me your bids".' }],
    ["quote_verbatim", null, SALE, "remove", {}],
    ["quote_of_cited_rule", true, SALE, "remove", { policy_citation: 'R1: "Do not offer pots for sale"' }],
    [
      ...(["quote_of_cited_rule", false, SALE, "remove"] as const),
      { policy_citation: 'R1: "Questions about wiring, thermocouples or insulation are removed"' },
    ],
    [
      ...(["quote_of_cited_rule", false, SALE, "remove"] as const),
      { policy_citation: "R1: questions about wiring, thermocouples or insulation are removed" },
    ],
    ["quote_of_cited_rule", true, SALE, "remove", { policy_citation: "community rule R1 and platform rule P1" }],
    ["nearest_rule", true, SALE, "remove", {}],
    ["nearest_rule", false, SALE, "remove", { policy_citation: "community rule R2", logic_chain: "" }],
    ["nearest_rule", true, SALE, "remove", { policy_citation: "community rule R2", logic_chain: "R1 is near." }],
    ["condition_met", true, SALE, "remove", {}],
    ["condition_met", false, NEUTRAL, "remove", {}],
    ["condition_met", null, SALE, "approve", {}],
    ["prohibition_unmet", false, SALE, "approve", {}],
    ["prohibition_unmet", true, NEUTRAL, "approve", {}],
    ["prohibition_unmet", null, SALE, "remove", {}],
    ["exception", false, `[bazaar] ${SALE}`, "remove", {}],
    [
      ...(["exception", true, `[bazaar] ${SALE}`, "remove"] as const),
      { logic_chain: "It is marked bazaar, but offers two." },
    ],
    ["exception", false, SALE, "approve", { policy_citation: "R1: a post marked [bazaar] may offer one pot" }],
    ["exception", null, SALE, "remove", { policy_citation: "platform rule P1" }],
    [
      ...(["precedence", false, "The private telephone and home address of another person", "approve"] as const),
      { policy_citation: "community rule R3: members may announce meetings" },
    ],
    ["precedence", true, NEUTRAL, "approve", { policy_citation: "community rule R3" }],
    ["polarity", false, SALE, "approve", { logic_chain: "The post has pots." }],
    ["polarity", true, SALE, "approve", { logic_chain: "The post has no bids." }],
    ["polarity", true, SALE, "approve", { policy_citation: "No rule prohibits this; nearest: R1", logic_chain: "So." }],
    ["polarity", false, SALE, "remove", { policy_citation: "community rule R3" }],
    ["prohibitions_denied", false, SALE, "approve", { policy_citation: "community rule R3" }],
    ["prohibitions_denied", true, SALE, "approve", {}],
    ["level_fits", false, SALE, "approve", { logic_chain: "So the decision does not follow." }],
    ["level_fits", false, SALE, "approve", { logic_chain: "Either decision can be argued." }],
    ["level_fits", false, SALE, "approve", { inverse_check: "Yes" }],
    ["level_fits", true, SALE, "approve", { inverse_check: "Yes", defensibility_level: 2 }],
    ["level_fits", null, SALE, "approve", { defensibility_level: null }],
    ["precedents_agree", false, "Selling my wheel and two boxes of clay", "approve", {}],
    ["precedents_agree", true, "Selling my wheel and two boxes of clay", "remove", {}],
    ["precedents_agree", null, NEUTRAL, "approve", {}],
  ])("%s: passed is %s for %j, %s, %j", (name, passed, body, decision, trace) => {
    expect(check(name, body, decision, trace)).toMatchObject({ passed });
  });

  it("is told in a note that names the rule and its words", () => {
    expect(check("prohibition_unmet", SALE, "approve").note).toBe(
      'The content comes near to what community rule R1 forbids: "Do not offer pots for sale or ask for bids".',
    );
  });

  it("adds to the suspicion only where it fails, and at most its weight", () => {
    for (const decision of ["approve", "remove"] as const) {
      for (const { name, passed, weight } of verifyScope(inputOf(SALE, decision)).checks) {
        expect(weight).toBeLessThanOrEqual(SCOPE_WEIGHTS[name as CheckName]);
        if (passed !== false) expect(weight).toBe(0);
      }
    }
  });
});

describe("verifyScope", () => {
  it("flags the approval of what a rule forbids, and not that of neutral content", () => {
    expect(verifyScope(inputOf(SALE, "approve")).flagged).toBe(true);
    expect(verifyScope(inputOf(NEUTRAL, "approve")).flagged).toBe(false);
    expect(verifyScope(inputOf(SALE, "remove")).flagged).toBe(false);
  });

  it("suspects an approval less where the content names an exception, and a removal more", () => {
    const suspicion = (body: string, decision: "approve" | "remove") => verifyScope(inputOf(body, decision)).suspicion;
    const one = "One pot for sale";
    expect(suspicion(`[bazaar] ${one}`, "approve")).toBeLessThan(suspicion(one, "approve"));
    expect(suspicion(`[bazaar] ${one}`, "remove")).toBeGreaterThan(suspicion(one, "remove"));
  });

  it.each(["rule_exists", "quote_verbatim", "quote_of_cited_rule"] as const)(
    "flags where %s fails outright",
    (name) => {
      for (const restricts of [true, false]) {
        expect(scopeSuspicion([{ weight: SCOPE_WEIGHTS[name] }], restricts)).toBeGreaterThan(0.5);
      }
    },
  );

  it("takes the rule of a citation of which only the place is kept", () => {
    const citation = { scope: "community", rule_id: "R1", overlap: 1, grounded: true } as const;
    const kept = { ...inputOf(SALE, "remove", { policy_citation: null, logic_chain: null }), citation };
    const said = inputOf(SALE, "remove", { policy_citation: "community rule R1", logic_chain: null });
    expect(verifyScope(kept)).toEqual(verifyScope(said));
  });

  it("gives all checks in their order, whatever is missing", () => {
    const nothing = traceOf({
      logic_chain: null,
      policy_citation: null,
      inverse_check: null,
      defensibility_level: null,
    });
    const verdict = verifyScope({ ...inputOf("", "approve"), trace: nothing, frame: frameOf([]) });
    expect(verdict.checks.map(({ name }) => name)).toEqual(CHECK_NAMES);
    expect(verdict.suspicion).toBeGreaterThan(0);
  });

  it("gives a number between 0 and 1 for any content and any trace, and the same one again", () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, fc.boolean(), (body, chain, citation, restricts) => {
        const input = inputOf(body, restricts ? "remove" : "approve", {
          logic_chain: chain,
          policy_citation: citation,
        });
        const { suspicion } = verifyScope(input);
        expect(suspicion).toBeGreaterThan(0);
        expect(suspicion).toBeLessThan(1);
        expect(verifyScope(input).suspicion).toBe(suspicion);
      }),
    );
  });

  it("does not depend on the order of rules that differ in all words", () => {
    const turned = { ...FRAME, rules: [...FRAME.rules].reverse() };
    for (const body of [SALE, NEUTRAL]) {
      const trace = { policy_citation: "community rule R1" };
      expect(verifyScope(inputOf(body, "approve", trace, turned)).suspicion).toBeCloseTo(
        verifyScope(inputOf(body, "approve", trace)).suspicion,
        12,
      );
    }
  });
});

describe("scopeSuspicion", () => {
  it("is one half where the weights outweigh the constant of the side exactly", () => {
    expect(scopeSuspicion([{ weight: -SCOPE_CONSTANTS.restricts }], true)).toBe(0.5);
    expect(scopeSuspicion([{ weight: -SCOPE_CONSTANTS.permits }], false)).toBe(0.5);
  });

  it("grows with every weight", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { maxLength: 12 }),
        fc.boolean(),
        (list, side) => {
          const weights = list.map((weight) => ({ weight }));
          expect(scopeSuspicion([...weights, { weight: 0.5 }], side)).toBeGreaterThan(scopeSuspicion(weights, side));
        },
      ),
    );
  });
});
