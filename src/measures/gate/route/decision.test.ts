import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Gate, gateSchema } from "../../../core/gate.js";
import { ROUTE_REASONS, type RouteReason, routeSchema } from "../../../core/records/route.js";
import { goodAudit, goodCalibration, goodCommunity, goodDecision, goodGate, goodState } from "../route.suite.js";
import { routeDecision } from "./decision.js";
import { markedRules } from "./never-automate.js";
import { ROUTE_SENTENCES } from "./reasons.js";

type Case = { state: Parameters<typeof goodState>[0]; decision: unknown; audit: unknown };

const marked = (rules: { id: string; never_automate?: boolean }[]) =>
  markedRules(
    [
      { scope: "platform", version: "1", rules: [] },
      {
        scope: "community",
        community: "plants",
        version: "2",
        rules: rules.map((rule) => ({ title: rule.id, ...rule })),
      },
    ],
    () => ({ named: [], perhaps: [], resolved: false }),
  );

const HARMFUL = {
  ...{ mean: 0.4, lower: 0.1, upper: 2, limit: 0.2 },
  passes: { paper: false, shrunk: false, certified: false },
};

/** Everything that can be wrong, one way each: a change of a case in which nothing is, and the reason it must give. */
const FAULTS: [RouteReason, (sound: Case) => Case][] = [
  ["bad_decision", (c) => ({ ...c, decision: { ...(c.decision as object), community: 7 } })],
  ["closed", (c) => ({ ...c, state: { ...c.state, closed: true } })],
  ["no_gate", (c) => ({ ...c, state: { ...c.state, gate: null } })],
  ["unknown_community", (c) => withGate(c, { communities: [goodCommunity({ community: "garden" })] })],
  ["insufficient", (c) => withGate(c, { communities: [goodCommunity({ state: "insufficient" })] })],
  [
    "does_not_pass",
    (c) => withGate(c, { communities: [goodCommunity({ passes: { paper: true, shrunk: false, certified: true } })] }),
  ],
  ["harm_above_limit", (c) => withGate(c, { communities: [goodCommunity({ harm: HARMFUL })] })],
  ["not_certified", (c) => ({ ...c, state: { ...c.state, mode: "certified" } })],
  [
    "suspended",
    (c) => withGate(c, { communities: [goodCommunity({ suspended: { since: "2026-11-02", reason: "drift" } })] }),
  ],
  ["foreign_gate", (c) => withGate(c, { evidence: { ...goodGate().evidence!, auditor: "openai:gpt-4.1" } })],
  ["rules_changed", (c) => withGate(c, { communities: [goodCommunity({ ruleset_versions: ["1+1", "1+3"] })] })],
  ["no_audit", (c) => ({ ...c, audit: undefined })],
  ["bad_audit", (c) => withAudit(c, { level: 4 })],
  ["other_decision", (c) => withAudit(c, { decision: "approve" })],
  ["content_changed", (c) => withAudit(c, { read: { content: "x", rules: "r", precedents: "p" } })],
  ["audit_error", (c) => withAudit(c, { outcome: "error", level: null, inverse: null })],
  ["unscored", (c) => withAudit(c, { outcome: "unscored", level: null })],
  ["indefensible", (c) => withAudit(c, { level: 3 })],
  ["probably_indefensible", (c) => withAudit(c, { level_map: 3 })],
  ["missing_calibration", (c) => ({ ...c, state: { ...c.state, calibration: null } })],
  [
    "foreign_calibration",
    (c) => ({ ...c, state: { ...c.state, calibration: goodCalibration({ fits: () => false }) } }),
  ],
  ["no_score", (c) => withAudit(c, { level_probs: null })],
  ["no_threshold", (c) => withGate(c, { selective: { ...goodGate().selective!, threshold: null } })],
  [
    "below_threshold",
    (c) => withAudit(c, { level_probs: [0.5, 0.39, 0.11], lambda_nats: Math.log(0.5), p_defensible: 0.89 }),
  ],
  ["appeal", (c) => withDecision(c, { appeal: {} })],
  ["unseen_media", (c) => withDecision(c, { content: { body: "", media: [{ url: "x" }] } })],
  ["injection_suspected", (c) => withAudit(c, { flags: ["injection_suspected"] })],
  ["content_cut", (c) => withAudit(c, { flags: ["content_cut"] })],
  ["retroactive_rule", (c) => withAudit(c, { flags: ["retroactive_rule"] })],
  ["unknown_flag", (c) => withAudit(c, { flags: ["INJECTION_SUSPECTED"] })],
  ["look_alike_key", (c) => withDecision(c, { Appeal: {} })],
  [
    "never_automate",
    (c) => ({ ...c, state: { ...c.state, neverAutomate: marked([{ id: "R1", never_automate: true }]) } }),
  ],
  [
    "unresolved_citation",
    (c) => ({
      ...withAudit(c, { citation: { scope: "none", rule_id: null } }),
      state: { ...c.state, neverAutomate: marked([{ id: "R9", never_automate: true }]) },
    }),
  ],
  ["random_review", (c) => ({ ...c, state: { ...c.state, fraction: () => 0.0199 } })],
];

const sound = (): Case => ({ state: {}, decision: goodDecision(), audit: goodAudit() });
const withAudit = (c: Case, changes: object): Case => ({ ...c, audit: c.audit && { ...c.audit, ...changes } });
const withDecision = (c: Case, changes: object): Case => ({
  ...c,
  decision: { ...(c.decision as object), ...changes },
});
const withGate = (c: Case, changes: object): Case => ({
  ...c,
  state: { ...c.state, gate: { ...(c.state?.gate ?? goodGate()), ...changes } },
});
const routeOf = ({ state, decision, audit }: Case) => routeDecision(goodState(state), decision, audit);

describe("a route", () => {
  it("is automate where nothing speaks against it, with its evidence and versions", () => {
    const route = routeOf(sound());
    expect(route).toEqual({
      decision_id: "d1",
      route: "automate",
      reasons: ["community_passes", "score_reaches_threshold"],
      community: "plants",
      decision: "remove",
      community_state: "earned_autonomy",
      mode: "shrunk",
      score: 0.97,
      threshold: 0.9,
      calibration_id: "c1",
      gate_id: "g1",
      evidence: {
        cohort: "plants",
        n: 100,
        indefensible: 2,
        inverse_yes: 5,
        passes: { paper: true, shrunk: true, certified: true },
      },
      versions: {
        software: "0.0.0",
        auditor: "baseline",
        auditor_version: "3",
        prompt_version: "none",
        template: "paper",
        signal: "logprobs",
        tier: "wiki",
        ruleset_version: "1+2",
      },
      would_automate: true,
      review_share: 0.02,
      language: "en",
    });
    expect(routeSchema.parse(route)).toEqual(route);
  });

  it("carries what its review is estimated from: share, draw, thread and time", () => {
    const decision = goodDecision({ thread_id: "t1", decided_at: "2026-11-01T00:00:00Z" });
    const drawn = { would_automate: true, review_share: 0.05, sampled: true, thread_id: "t1" };
    const route = routeOf({ ...sound(), decision, state: { reviewShare: 0.05, fraction: () => 0.04 } });
    expect(route).toMatchObject({ ...drawn, decided_at: "2026-11-01T00:00:00Z", language: "en" });
    expect(routeSchema.parse(route)).toEqual(route);
    const refused = routeOf({ ...withDecision(sound(), { appeal: {} }), state: { fraction: () => 0 } });
    expect(refused).toMatchObject({ would_automate: false, review_share: 0.02 });
    expect(routeOf({ ...sound(), state: { shadow: true } })).toMatchObject({ would_automate: true, route: "review" });
  });

  it("says null of everything that is not known", () => {
    const unknown = { auditor: null, auditor_version: null, prompt_version: null, template: null };
    const versions = { software: "0.0.0", ...unknown, signal: null, tier: null, ruleset_version: null };
    const nothing = { community_state: null, mode: "shrunk", score: null, threshold: null, calibration_id: null };
    const empty = { ...nothing, gate_id: null, evidence: null, would_automate: false, review_share: 0.02 };
    expect(routeOf({ state: { gate: null, calibration: null }, decision: goodDecision(), audit: null })).toEqual({
      ...{
        decision_id: "d1",
        route: "review",
        reasons: ["no_gate", "no_audit"],
        community: "plants",
        decision: "remove",
      },
      ...empty,
      versions,
    });
    expect(routeOf({ state: { gate: null }, decision: {}, audit: null })).toEqual({
      ...{ decision_id: null, route: "review", reasons: ["bad_decision"], community: null, decision: null },
      ...empty,
      versions: { software: "0.0.0" },
    });
    const nameless = routeOf(withGate(sound(), { gate_id: undefined, communities: [] }));
    expect(nameless).toMatchObject({ gate_id: null, community_state: null, evidence: null });
  });

  for (const [reason, fault] of FAULTS) {
    it(`is review, and says so, because of ${reason} alone`, () => {
      const route = routeOf(fault(sound()));
      expect(route.route).toBe("review");
      expect(route.reasons).toEqual([reason]);
      expect(routeSchema.parse(route)).toEqual(route);
    });
  }

  it("can be given for every reason there is, and every reason has a sentence", () => {
    const favourable: RouteReason[] = [
      ...(["community_passes", "score_reaches_threshold", "forced_calibration"] as const),
      ...(["without_score", "unverified_content", "shadow"] as const),
    ];
    expect([...favourable, ...FAULTS.map(([reason]) => reason)]).toEqual([...ROUTE_REASONS]);
    for (const reason of ROUTE_REASONS) expect(ROUTE_SENTENCES[reason]).toMatch(/^[A-Z].*\.$/);
  });

  it("is never automate with any faults together, and never says what does not hold", () => {
    const compatible = FAULTS.filter(([reason]) => reason !== "random_review");
    fc.assert(
      fc.property(fc.subarray(compatible, { minLength: 1 }), fc.boolean(), (faults, shadow) => {
        const broken = faults.reduce((c, [, fault]) => fault(c), sound());
        const route = routeDecision(goodState({ ...broken.state, shadow }), broken.decision, broken.audit);
        expect(route.route).toBe("review");
        expect(route.would_route).toBe(shadow ? "review" : undefined);
        expect(route.reasons.filter((reason) => reason !== "shadow").length).toBeGreaterThan(0);
        expect(routeSchema.parse(route)).toEqual(route);
        const given = faults.map(([reason]) => reason);
        for (const reason of route.reasons) if (reason !== "shadow") expect(given).toContain(reason);
      }),
    );
  });

  it("never throws and is never automate, whatever stands in the line", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (decision, audit) => {
        expect(routeDecision(goodState(), decision, audit).route).toBe("review");
      }),
    );
  });

  it("keeps the id of a line that is no decision, where it has one", () => {
    expect(routeOf({ ...sound(), decision: { id: "x7" } }).decision_id).toBe("x7");
    for (const decision of [null, undefined, [], "text", 7, {}, { id: 7 }, { id: null }]) {
      expect(routeOf({ ...sound(), decision })).toMatchObject({ decision_id: null, reasons: ["bad_decision"] });
    }
  });
});

describe("the score", () => {
  it("passes at exactly the threshold, and not one step below", () => {
    const at = (score: number) =>
      routeOf({ ...sound(), state: { calibration: goodCalibration({ score: () => score }) } });
    expect(at(0.9).route).toBe("automate");
    expect(at(0.9 - 2 ** -53).reasons).toEqual(["below_threshold"]);
  });

  it("is held against the community's own threshold, which may say that there is none", () => {
    const own = (threshold: number | null) =>
      routeOf(withGate(sound(), { selective: { ...goodGate().selective!, by_community: { plants: threshold } } }));
    expect(own(0.98)).toMatchObject({ threshold: 0.98, reasons: ["below_threshold"] });
    expect(own(0.5)).toMatchObject({ threshold: 0.5, route: "automate" });
    expect(own(null)).toMatchObject({ threshold: null, reasons: ["no_threshold"] });
  });

  describe("where the gate has thresholds by decision", () => {
    const set = (threshold: number | null, by_community: Record<string, number | null> = {}) => ({
      threshold,
      reason: threshold === null ? "too few rows" : null,
      by_community,
    });
    const parted = (restricting: ReturnType<typeof set>, other: ReturnType<typeof set>, action = "remove") =>
      routeOf(
        withDecision(
          withAudit(
            withGate(sound(), {
              selective: { ...goodGate().selective!, threshold: 0.5, by_decision: { restricting, other } },
            }),
            { decision: action },
          ),
          { decision: action },
        ),
      );

    it("is held against that of the decision's own action, and never the common one", () => {
      expect(parted(set(0.98), set(0.6))).toMatchObject({ threshold: 0.98, reasons: ["below_threshold"] });
      expect(parted(set(0.98), set(0.6), "approve")).toMatchObject({ threshold: 0.6, route: "automate" });
    });

    it("is held against that of the action in the community, where there is one", () => {
      expect(parted(set(null, { plants: 0.7 }), set(null))).toMatchObject({ threshold: 0.7, route: "automate" });
      expect(parted(set(0.6, { plants: 0.98 }), set(0.6)).reasons).toEqual(["below_threshold"]);
    });

    it("reaches none where the action has none, and the route says why", () => {
      const none = { route: "review", threshold: null, reasons: ["no_threshold"] };
      expect(parted(set(null), set(0.6))).toMatchObject({ ...none, threshold_reason: "too few rows" });
      expect(parted(set(0.6), set(null), "approve")).toMatchObject({ ...none, threshold_reason: "too few rows" });
      expect(parted(set(0.6, { plants: null }), set(0.6))).toMatchObject({
        ...none,
        threshold_reason: "no threshold keeps the risk on the community's own decisions",
      });
    });

    it("is held against the common one where by_decision is null: the gate did not part decisions", () => {
      const gate = { selective: { ...goodGate().selective!, by_decision: null } };
      expect(routeOf(withGate(sound(), gate))).toMatchObject({ threshold: 0.9, route: "automate" });
    });
  });

  it("reaches none where a threshold is malformed, or null without a reason, wherever in the gate it stands", () => {
    const selective = goodGate().selective!;
    const part = { threshold: 0.9, reason: null, by_community: {} };
    for (const change of [
      { threshold: -1 },
      { threshold: 1.5 },
      { by_community: { plants: -1 } },
      { threshold: null, by_decision: { restricting: part, other: part } },
      { by_decision: { restricting: part, other: { ...part, threshold: null } } },
    ]) {
      const route = routeOf(withGate(sound(), { selective: { ...selective, ...change } }));
      expect(route, JSON.stringify(change)).toMatchObject({
        reasons: ["no_threshold"],
        threshold: null,
        threshold_reason: "the gate's thresholds are malformed",
      });
    }
    const told = { threshold: null, reason: "none", by_decision: { restricting: part, other: part } };
    expect(routeOf(withGate(sound(), { selective: { ...selective, ...told } })).route).toBe("automate");
  });

  it("does not take an inherited property for a community's threshold", () => {
    const decision = goodDecision({ community: "constructor" });
    const audit = goodAudit({ community: "constructor" });
    const state = { gate: goodGate({ communities: [goodCommunity({ community: "constructor" })] }) };
    expect(routeOf({ state, decision, audit })).toMatchObject({ threshold: 0.9, route: "automate" });
  });

  it("of a community called __proto__ is held against its own threshold, as read from a file", () => {
    const community = "__proto__";
    const selective = JSON.parse(
      JSON.stringify(goodGate().selective).replace('"by_community":{}', '"by_community":{"__proto__":null}'),
    );
    const gate = gateSchema.parse(goodGate({ communities: [goodCommunity({ community })], selective }));
    const route = routeOf({ state: { gate }, decision: goodDecision({ community }), audit: goodAudit({ community }) });
    expect(route).toMatchObject({ threshold: null, reasons: ["no_threshold"] });
    for (const wrong of [[], null, 7, { plants: "0.9" }, { plants: undefined }]) {
      expect(gateSchema.safeParse(goodGate({ selective: { ...selective, by_community: wrong } })).success).toBe(false);
    }
  });

  it("that is not finite is none", () => {
    for (const score of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const calibration = goodCalibration({ score: () => score });
      expect(routeOf({ ...sound(), state: { calibration } })).toMatchObject({ score: null, reasons: ["no_score"] });
    }
  });

  it("of another calibration than the threshold's counts only by force, and says so", () => {
    const calibration = goodCalibration({ calibration_id: "c2" });
    expect(routeOf({ ...sound(), state: { calibration } }).reasons).toEqual(["foreign_calibration"]);
    expect(routeOf({ ...sound(), state: { calibration, force: true } })).toMatchObject({
      route: "automate",
      reasons: ["community_passes", "score_reaches_threshold", "forced_calibration"],
      calibration_id: "c2",
    });
  });

  it("that nobody calibrated counts only by force, and says so", () => {
    const raw = withGate(sound(), {
      selective: { ...goodGate().selective!, score: "p_defensible", calibration_id: null },
    });
    const state = { ...raw.state, calibration: null };
    expect(routeOf({ ...raw, state })).toMatchObject({ score: 0.97, reasons: ["missing_calibration"] });
    const none = routeOf({ ...withAudit(raw, { p_defensible: undefined }), state: { ...state, force: true } });
    expect(none).toMatchObject({ score: null, reasons: ["no_score"] });
    const forced = routeOf({ ...raw, state: { ...state, force: true } });
    expect(forced).toMatchObject({ route: "automate", calibration_id: null });
    expect(forced.reasons).toContain("forced_calibration");
  });

  it("cannot be forced where there is none, and force lifts nothing else", () => {
    for (const [reason, fault] of FAULTS) {
      if (reason === "foreign_calibration") continue;
      const broken = fault(sound());
      expect(routeOf({ ...broken, state: { ...broken.state, force: true } }).route, reason).toBe("review");
    }
  });
});

describe("what the calibration is given", () => {
  const rowOf = (audit: object, decision = goodDecision()) => {
    const rows: unknown[] = [];
    const score = (row: unknown) => {
      rows.push(row);
      return 0.97;
    };
    routeDecision(goodState({ calibration: goodCalibration({ score }) }), decision, audit);
    return rows;
  };

  it("is the audit's signals and whether the decision restricts", () => {
    expect(rowOf(goodAudit())).toEqual([
      {
        level_probs: [0.9, 0.07, 0.03],
        level_map: 1,
        lambda_nats: Math.log(0.9),
        h_weight_bits: 0.4,
        h_citation_bits: 0.1,
        inverse_log_odds: -2,
        inverse_yes_prob: 0.12,
        positive: true,
      },
    ]);
    const approval = goodAudit({ decision: "approve" });
    expect(rowOf(approval, goodDecision({ decision: "approve" }))).toMatchObject([{ positive: false }]);
  });

  it("is null for every signal that is not there", () => {
    const { decision_id, community, decision, level, inverse } = goodAudit();
    const [row] = rowOf({ decision_id, community, decision, level, inverse });
    expect(Object.values(row as object).filter((value) => value === null)).toHaveLength(7);
  });
});

describe("media", () => {
  it("send a decision to review by the audit's flag too, and an empty list does not", () => {
    expect(routeOf(withAudit(sound(), { flags: ["unseen_media"] })).reasons).toEqual(["unseen_media"]);
    for (const content of [{ body: "x" }, { body: "x", media: [] }, { body: "x", media: null }]) {
      expect(routeOf(withDecision(sound(), { content })).route).toBe("automate");
    }
  });
});

describe("the gate", () => {
  it("is passed in the mode that is asked for", () => {
    const gate = goodGate({
      communities: [goodCommunity({ passes: { paper: true, shrunk: true, certified: false } })],
    });
    expect(routeOf({ ...sound(), state: { gate, mode: "paper" } }).route).toBe("automate");
    expect(routeOf({ ...sound(), state: { gate, mode: "certified" } }).reasons).toEqual(["does_not_pass"]);
  });

  it("certifies only where it was made in mode certified and from a fixed start", () => {
    const routed = (changes: Partial<Gate>) =>
      routeOf({ ...sound(), state: { gate: goodGate(changes), mode: "certified" } }).reasons;
    const span = { since: null, from: "2026-02-01T00:00:00Z", to: "2026-11-01T00:00:00Z", runs: ["1"] };
    expect(routed({ mode: "certified" })).toContain("community_passes");
    expect(routed({ mode: "certified", span: { ...span, window_days: null, since: "2026-02-01" } })).toContain(
      "community_passes",
    );
    for (const mode of ["paper", "shrunk"] as const) expect(routed({ mode })).toEqual(["not_certified"]);
    expect(routed({ mode: "certified", span: { ...span, window_days: 279 } })).toEqual(["not_certified"]);
  });

  it("with other keys places a decision by its action, its language and the rule its audit cites", () => {
    const by = (keys: ("community" | "decision" | "rule" | "language")[], cohort: string) =>
      routeOf({
        ...sound(),
        state: { gate: goodGate({ by: keys, communities: [goodCommunity({ community: cohort })] }) },
      });
    expect(by(["community", "decision"], "plants × remove").route).toBe("automate");
    expect(by(["community", "decision"], "plants × approve").reasons).toEqual(["unknown_community"]);
    expect(by(["language"], "en").evidence).toMatchObject({ cohort: "en" });
    expect(by(["community", "rule"], "plants × R1").route).toBe("automate");
  });

  it("with other keys has a place for audits that do not say, and none for a decision without an audit", () => {
    const by = (key: "rule" | "language", cohort: string, change: Record<string, unknown> | null) =>
      routeOf({
        ...sound(),
        state: { gate: goodGate({ by: [key], communities: [goodCommunity({ community: cohort })] }) },
        audit: change && goodAudit(change),
      });
    expect(by("language", "unknown", { language: null }).route).toBe("automate");
    expect(by("rule", "no rule", { citation: null }).route).toBe("automate");
    expect(by("rule", "no rule", { citation: { scope: "community" } }).route).toBe("automate");
    expect(by("language", "unknown", null)).toMatchObject({ evidence: null, reasons: ["no_audit"] });
    expect(by("rule", "no rule", null)).toMatchObject({ evidence: null, reasons: ["no_audit"] });
  });

  it("is foreign where any of auditor, versions, template or tier differs, or its evidence is not known", () => {
    for (const field of ["auditor", "auditor_version", "prompt_version", "template", "tier"]) {
      expect(routeOf(withAudit(sound(), { [field]: "other" })).reasons, field).toContain("foreign_gate");
      expect(routeOf(withAudit(sound(), { [field]: null })).reasons, field).toContain("foreign_gate");
    }
    expect(routeOf(withGate(sound(), { evidence: undefined })).reasons).toEqual(["foreign_gate"]);
  });

  it("is refused where it names a cohort twice", () => {
    expect(() => goodState({ gate: goodGate({ communities: [goodCommunity(), goodCommunity()] }) })).toThrow(/twice/);
  });
});

describe("an audit", () => {
  it("counts only where it is of this decision: id, action, community, no arm, first replicate", () => {
    const changes = [
      { decision_id: "d2" },
      { decision: "approve" },
      { community: "garden" },
      { arm: "opposite" },
      { replicate: 1 },
    ];
    for (const change of changes) expect(routeOf(withAudit(sound(), change)).reasons).toEqual(["other_decision"]);
  });

  it("of another tool has a verdict without saying so, and then no signals", () => {
    const { decision_id, community, decision, level, inverse } = goodAudit();
    const evidence = Object.fromEntries(Object.keys(goodGate().evidence!).map((key) => [key, null]));
    const gate = goodGate({ evidence: evidence as ReturnType<typeof goodGate>["evidence"] });
    const route = (audit: object) => routeDecision(goodState({ gate }), goodDecision(), audit).reasons;
    expect(route({ decision_id, community, decision, level, inverse })).toEqual(["no_score"]);
    expect(route({ decision_id, community, decision, level })).toEqual(["unscored", "no_score"]);
  });

  it("is called indefensible as often as in a report, which counts levels, and probably so in the others", () => {
    const reasons = (level: number, level_map: number) => routeOf(withAudit(sound(), { level, level_map })).reasons;
    expect(reasons(3, 3)).toEqual(["indefensible"]);
    expect(reasons(3, 1)).toEqual(["indefensible"]);
    expect(reasons(2, 3)).toEqual(["probably_indefensible"]);
  });

  it("is called probably indefensible by its probabilities too, where it does not say which level is likeliest", () => {
    const reasons = (level_probs: number[]) => {
      const changes = { level_probs, level_map: null, lambda_nats: null, p_defensible: null };
      const state = { calibration: goodCalibration({ score: () => 0.99 }) };
      return routeOf({ ...withAudit(sound(), changes), state }).reasons;
    };
    expect(reasons([0.3, 0.3, 0.4])).toEqual(["probably_indefensible"]);
    expect(reasons([0.4, 0.2, 0.4])).toEqual(["probably_indefensible"]);
    expect(reasons([0.41, 0.2, 0.39])).toEqual(["community_passes", "score_reaches_threshold"]);
  });

  it("under rules that are not there is not automated", () => {
    expect(routeOf(withAudit(sound(), { ruleset_version: "1+3" })).reasons).toEqual(["unresolved_citation"]);
    const none = markedRules([], () => ({ named: [], perhaps: [], resolved: false }));
    expect(routeOf({ ...sound(), state: { neverAutomate: none } }).reasons).toEqual(["unresolved_citation"]);
  });
});

describe("what an audit has read", () => {
  it("must be what is routed: the content, the rules and the precedents", () => {
    const read = { content: "c", rules: "r", precedents: "p" };
    for (const name of ["content", "rules", "precedents"]) {
      expect(routeOf(withAudit(sound(), { read: { ...read, [name]: "x" } })).reasons, name).toEqual([
        "content_changed",
      ]);
      expect(routeOf(withAudit(sound(), { read: { ...read, [name]: undefined } })).reasons).toEqual([
        "content_changed",
      ]);
    }
    expect(routeOf({ ...sound(), state: { reading: () => null } }).reasons).toEqual(["content_changed"]);
    expect(routeOf(withAudit(sound(), { read: "c" })).reasons).toContain("bad_audit");
  });

  it("is not known of a foreign audit: it is taken as it is, and the route says so", () => {
    const foreign = routeOf(withAudit(sound(), { read: null }));
    expect(foreign.route).toBe("automate");
    expect(foreign.reasons).toEqual(["community_passes", "score_reaches_threshold", "unverified_content"]);
  });

  it("must be rules that the gate rests on, as far as both say", () => {
    const under = (versions: string[] | undefined, version: string | null) =>
      routeOf(
        withAudit(withGate(sound(), { communities: [goodCommunity({ ruleset_versions: versions })] }), {
          ruleset_version: version,
        }),
      ).reasons;
    expect(under(["1+2"], "1+2")).toContain("community_passes");
    expect(under(undefined, "1+2")).toContain("community_passes");
    expect(under([""], null)).toContain("community_passes");
    expect(under(["1+1"], "1+2")).toEqual(["rules_changed"]);
    expect(under(["1+2"], null)).toEqual(["rules_changed"]);
  });
});

describe("without a score, as in the paper", () => {
  const passes = { paper: true, shrunk: false, certified: false };
  const state = { mode: "paper" as const, withoutScore: true, calibration: null };
  const paper = () => withGate({ ...sound(), state }, { selective: null, communities: [goodCommunity({ passes })] });

  it("every decision of a community that passes is automated, whatever its audit says, and the route says so", () => {
    const verdicts = [{ level: 3 }, { level_probs: null }, { outcome: "unscored", level: null }, { outcome: "error" }];
    for (const changes of [{}, ...verdicts]) {
      const route = routeOf(withAudit(paper(), changes));
      expect(route.reasons, JSON.stringify(changes)).toEqual(["community_passes", "without_score"]);
      expect(route).toMatchObject({ route: "automate", mode: "paper", score: null, threshold: null });
    }
    expect(routeOf({ ...paper(), audit: null }).reasons).toEqual(["community_passes", "without_score"]);
  });

  it("what speaks against the case, its community or every gate holds as ever", () => {
    const verdict = ["no_audit", "audit_error", "unscored", "indefensible", "probably_indefensible"];
    const score = ["missing_calibration", "foreign_calibration", "no_score", "no_threshold", "below_threshold"];
    for (const [reason, fault] of FAULTS) {
      if (verdict.includes(reason) || score.includes(reason)) continue;
      const route = routeOf(fault({ ...sound(), state: { withoutScore: true } }));
      expect([reason, route.route, route.reasons]).toEqual([reason, "review", [reason]]);
    }
    const marks = marked([{ id: "R9", never_automate: true }]);
    expect(routeOf({ ...paper(), audit: null, state: { ...paper().state, neverAutomate: marks } }).reasons).toEqual([
      "unresolved_citation",
    ]);
  });
});

describe("a key or flag that is nearly known", () => {
  it("sends the decision to review, and one that is unknown does not", () => {
    const content = { body: "x", Media: [{}] };
    const hidden = JSON.parse('{"__proto__":{"appeal":{}}}');
    for (const changes of [
      { APPEAL: {} },
      { "appeal ": {} },
      { content },
      { ...hidden },
      { Audit: {} },
      { "Cited-Rule": "2" },
      { appeals: [] },
      { Appeals: [{}] },
      // The first letter is Cyrillic, then Greek, then accented.
      { "\u0430ppeal": {} },
      { "\u0391ppeal": {} },
      { "\u00e1ppe\u0430l": {} },
      { ｔａｇｓ: [] },
    ])
      expect(routeOf(withDecision(sound(), changes)).reasons, JSON.stringify(changes)).toEqual(["look_alike_key"]);
    for (const changes of [{ Flags: ["content_cut"] }, { "level-map": 3 }, { trace: { Policy_Citation: "R2" } }])
      expect(routeOf(withAudit(sound(), changes)).reasons, JSON.stringify(changes)).toEqual(["look_alike_key"]);
    for (const flag of ["INJECTION_SUSPECTED", "injection-suspected", " injection_suspected", "new"])
      expect(routeOf(withAudit(sound(), { flags: [flag] })).reasons, flag).toEqual(["unknown_flag"]);
    expect(routeOf(withDecision(sound(), { region: "EU", constructor: 1 })).route).toBe("automate");
  });
});

describe("shadow", () => {
  it("has no effect, and says what would have been", () => {
    const shadow = routeOf({ ...sound(), state: { shadow: true } });
    expect(shadow).toMatchObject({ route: "review", shadow: true, would_route: "automate" });
    expect(shadow.reasons).toEqual(["shadow", "community_passes", "score_reaches_threshold"]);
    const sampled = routeOf({ ...sound(), state: { shadow: true, fraction: () => 0 } });
    expect(sampled).toMatchObject({ sampled: true, would_route: "review", reasons: ["shadow", "random_review"] });
  });
});

describe("the standing random share", () => {
  it("takes only what could be automated, and is marked", () => {
    const taken = routeOf({ ...sound(), state: { fraction: () => 0 } });
    expect(taken).toMatchObject({ route: "review", sampled: true, reasons: ["random_review"] });
    const other = routeOf({ ...withDecision(sound(), { appeal: {} }), state: { fraction: () => 0 } });
    expect(other.sampled).toBeUndefined();
    expect(other.reasons).toEqual(["appeal"]);
  });

  it("is everything at 1 and nothing at 0", () => {
    expect(routeOf({ ...sound(), state: { reviewShare: 1, fraction: () => 1 - 2 ** -48 } }).sampled).toBe(true);
    expect(routeOf({ ...sound(), state: { reviewShare: 0, fraction: () => 0 } }).route).toBe("automate");
  });
});

describe("an id that came with different contents", () => {
  it("is reviewed, with an audit that read the same, and without one", () => {
    const decision = goodDecision();
    expect(routeDecision(goodState(), decision, goodAudit()).route).toBe("automate");
    const state = goodState({ contested: new Set([decision.id]) });
    expect(routeDecision(state, decision, goodAudit())).toMatchObject({
      route: "review",
      reasons: ["content_changed"],
    });
    const paper = { ...state, withoutScore: true };
    expect(routeDecision(paper, decision, undefined)).toMatchObject({ route: "review", reasons: ["content_changed"] });
  });
});
