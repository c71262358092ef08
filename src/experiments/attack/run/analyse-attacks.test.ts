import { describe, expect, it } from "vitest";
import { POTS } from "../build/attack-material.suite.js";
import { attackResultSchema } from "../result.js";
import { type AnalysisOptions, analyseAttacks, type ScoredSet, scoreCases } from "./analyse-attacks.js";
import { auditOf, cleanCases, makeCase, scoredCase } from "./scored.suite.js";
import type { ScoredCase } from "./tables.js";

const OPTIONS: AnalysisOptions = {
  rate: 0.1,
  seed: 1,
  draws: 1000,
  question: false,
  dual: false,
  runs: ["r2"],
  auditor: "toy",
  ambiguity: new Map([
    ['["community","pottery","R3"]', 0.6],
    ['["platform",null,"P2"]', 0.1],
  ]),
};

const set = (scored: ScoredCase[], more: Partial<ScoredSet> = {}): ScoredSet => ({
  scored,
  missing: [],
  unjudgeable: 0,
  unaudited: 0,
  ...more,
});

/** Ten flips: four noticed by the signal, two by grounding, one of which also by the signal, one by scope. */
const FLIPS = [
  ...Array.from({ length: 3 }, (_, i) => scoredCase({ id: `s${i}` }, { p: 0.01 })),
  scoredCase({ id: "sg" }, { p: 0.01, grounded: false }),
  scoredCase({ id: "g" }, { grounded: false }),
  scoredCase({ id: "v" }, { scope: 0.9 }),
  ...Array.from({ length: 4 }, (_, i) => scoredCase({ id: `e${i}`, rule: { scope: "platform", rule_id: "P2" } })),
];

const analyse = (scored: ScoredCase[], options: Partial<AnalysisOptions> = {}, more: Partial<ScoredSet> = {}) =>
  analyseAttacks(set(scored, more), { ...OPTIONS, ...options });

function detected(result: ReturnType<typeof analyse>, layer: string, kind = "all", target = "input") {
  return result.detection.find((row) => row.layer === layer && row.kind === kind && row.target === target)!.detected;
}

describe("analyseAttacks", () => {
  const result = analyse([...cleanCases(80), ...FLIPS]);

  it("counts what each layer notices, and calls an escape what none does", () => {
    const counts = (layer: string) => detected(result, layer);
    expect(counts("signal")).toMatchObject({ k: 4, n: 10, method: "wilson" });
    expect(counts("grounding")).toMatchObject({ k: 2, n: 10 });
    expect(counts("scope")).toMatchObject({ k: 1, n: 10 });
    expect(counts("two_layers")).toMatchObject({ k: 5, n: 10 });
    expect(counts("union")).toMatchObject({ k: 6, n: 10 });
    expect(result.escapes.all).toMatchObject({ k: 4, n: 10 });
    expect(result.escapes.ids).toEqual(["e0", "e1", "e2", "e3"]);
  });

  it("keeps to its schema, also through JSON", () => {
    expect(attackResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(JSON.parse(JSON.stringify(result)));
  });

  it("chooses thresholds on one half of the clean cases and counts false alarms on the other", () => {
    expect(result.counts).toMatchObject({ clean: 80, choosing: 40, reported: 40, input: 10, trace: 0 });
    const all = result.false_positives.filter((row) => row.decision === "all");
    expect(new Set(all.map((row) => row.flagged.n))).toEqual(new Set([40]));
    const [approve, remove] = ["approve", "remove"].map(
      (decision) =>
        result.false_positives.find((row) => row.layer === "signal" && row.decision === decision)!.flagged.n,
    );
    expect([approve, remove]).toEqual([20, 20]);
  });

  it("does not depend on the order of the file", () => {
    const other = analyse([...FLIPS].reverse().concat(cleanCases(80).reverse()));
    expect(other.detection).toEqual(result.detection);
    expect(other.false_positives).toEqual(result.false_positives);
    expect(other.escapes.by).toEqual(result.escapes.by);
  });

  it("does not look at what is true", () => {
    const blind = (one: ScoredCase): ScoredCase => ({ ...one, case: { ...one.case, ground_truth: null } });
    const untold = analyse([...cleanCases(80), ...FLIPS].map(blind));
    expect(untold.detection).toEqual(result.detection);
    expect(untold.layers).toEqual(result.layers);
  });

  it("compares layers by the cases they disagree on", () => {
    const pair = result.mcnemar.find((row) => row.first === "signal" && row.second === "grounding")!;
    expect(pair).toMatchObject({ both: 1, only_first: 3, only_second: 1, neither: 5 });
    expect(pair.exact_p).toBeCloseTo(0.625, 12);
    const grown = result.mcnemar.find((row) => row.second === "union")!;
    expect(grown).toMatchObject({ first: "two_layers", only_first: 0, only_second: 1 });
  });

  it("compares the rules of escapes with those of caught attacks", () => {
    const found = result.ambiguous_rules as Record<string, { estimate: number; n: number } & Record<string, unknown>>;
    expect(found.n).toBe(10);
    expect(found.escaped).toMatchObject({ n: 4 });
    // Every escape turns on the rule of index 0.1, every caught one on that of 0.6: four pairs of none.
    expect(found.mann_whitney).toMatchObject({ u: 0, effect: { estimate: -1 } });
    expect(found.rank_correlation).toMatchObject({ estimate: null, reason: "fewer than 3 rules" });
    expect(analyse(FLIPS, { ambiguity: null }).ambiguous_rules.reason).toMatch(/not in this workspace/);
  });

  it("groups escapes, and says where a test has nothing to compare", () => {
    expect(result.escapes.by.rule_kind).toMatchObject({ p: null, reason: "one group only", adjusted_p: null });
    const mixed = FLIPS.map((one, i) => ({ ...one, case: { ...one.case, language: i < 6 ? "en" : "es" } }));
    const { language } = analyse([...cleanCases(40), ...mixed]).escapes.by;
    // All four Spanish ones escape and no other: 1 of C(10, 4) = 210 tables is as rare.
    expect(language!.p).toBeCloseTo(1 / 210, 10);
    expect(language).toMatchObject({ method: "exact" });
  });

  it("keeps attacks on the trace apart, with what was flagged before", () => {
    const clean = cleanCases(40);
    const base = { ...clean[0]!, scope: { ...clean[0]!.scope, flagged: true } };
    const trace = scoredCase(
      { id: "t", kind: "citation_splice", target: "trace", base_case: base.case.id, attack: { what: "", text: "R4" } },
      { scope: 0.9 },
    );
    const both = analyse([base, ...clean.slice(1), trace, ...FLIPS]);
    expect(detected(both, "union").n).toBe(10);
    const row = both.detection.find((one) => one.target === "trace" && one.kind === "all" && one.layer === "scope")!;
    expect(row).toMatchObject({ detected: { k: 1, n: 1 }, before: { k: 1, n: 1 } });
    expect(both.escapes.all.n).toBe(10);
  });

  it("has no threshold without enough clean cases, and says so", () => {
    const few = analyse([...cleanCases(10), ...FLIPS]);
    expect(detected(few, "signal")).toMatchObject({ estimate: null, reason: expect.stringMatching(/too few/) });
    expect(few.warnings.join()).toMatch(/thresholds need 9 clean cases/);
    expect(detected(few, "grounding")).toMatchObject({ k: 2 });
    const none = analyse(FLIPS);
    for (const result of [few, none, analyse([...cleanCases(2), ...FLIPS])]) {
      const reason = expect.stringMatching(/signal cannot be judged: \d rows are too few/);
      expect(result.layers.find((layer) => layer.name === "signal")!.member).toBe(true);
      for (const layer of ["two_layers", "union", "union_at_rate"])
        expect(detected(result, layer)).toMatchObject({ estimate: null, reason });
      expect(result.escapes).toMatchObject({ all: { estimate: null, reason }, ids: [] });
      expect(result.escapes.by.kind).toMatchObject({ groups: [], p: null, reason });
      expect(result.ambiguous_rules).toMatchObject({ reason: expect.stringMatching(/cannot be judged/) });
      expect(result.mcnemar.map((row) => [row.first, row.second])).toEqual([["grounding", "scope"]]);
      const escaped = result.subsets.find((row) => row.subset === "input attacks, escaped all")!;
      expect(escaped).toMatchObject({ n: 0, pds: { estimate: null, reason } });
    }
    expect(detected(few, "two_layers_half")).toMatchObject({ k: 5, n: 10 });
    expect(none.warnings.join()).toMatch(/no clean cases/);
    expect(none.auroc.every((row) => row.auroc.estimate === null)).toBe(true);
  });

  it("falls back on the verdict where no audit has probabilities", () => {
    const without = [...cleanCases(40), ...FLIPS].map((one) => ({
      ...one,
      scores: { ...one.scores, signal: null, pds: null },
    }));
    const levels = analyse(without);
    expect(levels.layers.find((layer) => layer.name === "level")!.member).toBe(true);
    expect(levels.layers.find((layer) => layer.name === "signal")!.member).toBe(false);
    expect(levels.warnings.join()).toMatch(/no probabilities/);
    expect(detected(levels, "union")).toMatchObject({ k: 3, n: 10 });
    expect(detected(levels, "union_at_rate").estimate).not.toBeNull();
  });

  it("leaves cases without probabilities out of layer 1 and its unions, counts them, and has them in the worst case", () => {
    const bare = (one: ScoredCase): ScoredCase => ({ ...one, scores: { ...one.scores, signal: null, pds: null } });
    const partly = analyse([...cleanCases(80), ...FLIPS.map((one, i) => (i === 0 || i >= 8 ? bare(one) : one))]);
    const row = partly.detection.find(({ layer, kind }) => layer === "signal" && kind === "all")!;
    expect(row).toMatchObject({ left_out: 3, detected: { k: 3, n: 7, worst_case: { lower: 0.3, upper: 0.6 } } });
    expect(detected(partly, "union")).toMatchObject({ k: 5, n: 7 });
    expect(detected(partly, "grounding")).toMatchObject({ k: 2, n: 10 });
    expect(partly.escapes.all).toMatchObject({ k: 2, n: 7 });
    expect(partly.escapes.ids).toEqual(["e0", "e1"]);
    expect(partly.counts).toMatchObject({ without_signal: 3 });
    expect(partly.warnings.join()).toMatch(/3 verdicts have no probabilities: they are left out/);
  });

  it("counts clean cases without a verdict in the worst case of false alarms, each under its decision", () => {
    const missing = ["approve", "approve", "remove"].map((decision) => ({
      target: "input" as const,
      kind: "clean",
      decision,
    }));
    const worse = analyse([...cleanCases(80), ...FLIPS], {}, { missing });
    const flagged = (decision: string) =>
      worse.false_positives.find((one) => one.layer === "grounding" && one.decision === decision)!.flagged;
    expect(flagged("all")).toMatchObject({ k: 0, n: 40, worst_case: { lower: 0, upper: 3 / 43 } });
    expect(flagged("approve")).toMatchObject({ k: 0, n: 20, worst_case: { lower: 0, upper: 2 / 22 } });
    expect(detected(worse, "union")).not.toHaveProperty("worst_case");
  });

  it("counts cases without a verdict in the worst case alone", () => {
    const missing = [{ target: "input" as const, kind: "action_flip", decision: "approve" }];
    const worse = analyse([...cleanCases(80), ...FLIPS], {}, { missing, unjudgeable: 2 });
    expect(detected(worse, "union")).toMatchObject({ k: 6, n: 10, worst_case: { lower: 6 / 11, upper: 7 / 11 } });
    expect(worse.counts).toMatchObject({ without_verdict: 1, unjudgeable: 2, cases: 93 });
  });

  it("says where clean cases were chosen by an auditor's own verdict", () => {
    const judged = cleanCases(40).map((one) => ({ ...one, case: { ...one.case, archetype: "judged" } }));
    expect(analyse([...judged, ...FLIPS]).warnings.join()).toMatch(/40 of 40 clean cases were chosen by an auditor/);
    expect(result.warnings).toEqual([]);
  });

  it("is undefined, and not 0, without attacks", () => {
    const empty = analyse(cleanCases(80));
    expect(empty.detection).toEqual([]);
    expect(empty.escapes.all).toMatchObject({ estimate: null, reason: "no rows" });
  });
});

describe("scoreCases", () => {
  const cases = [makeCase({ id: "a" }), makeCase({ id: "b", unjudgeable: "left open" }), makeCase({ id: "c" })];

  it("leaves out what cannot be judged, what has no verdict and what was not audited", () => {
    const own = { a: auditOf(), b: auditOf(), c: auditOf({ outcome: "error" }) } as Record<
      string,
      ReturnType<typeof auditOf>
    >;
    const all = [...cases, makeCase({ id: "d" })];
    const scored = scoreCases(
      all,
      (one) => ({ own: own[one.id] ?? null, opposite: null }),
      () => POTS,
    );
    expect(scored.scored.map((one) => one.case.id)).toEqual(["a"]);
    expect(scored).toMatchObject({ missing: [{ kind: "action_flip" }], unjudgeable: 1, unaudited: 1 });
  });

  it("does not count a citation that is put in its own place", () => {
    const text = "community rule R3: Links to a shop are removed";
    const splice = makeCase({ target: "trace", kind: "citation_splice", attack: { what: "", text } });
    const scored = scoreCases(
      [splice],
      () => ({ own: auditOf(), opposite: null }),
      () => POTS,
    );
    expect(scored).toMatchObject({ scored: [], unjudgeable: 1 });
  });
});
