import { describe, expect, it } from "vitest";
import { selectiveSchema } from "../../../core/gate.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { chooseThresholds, type SelectiveRows, selectiveRecord } from "./choose-thresholds.js";
import { learnThenTest } from "./learn-then-test.js";
import { groupScores } from "./score-groups.js";

type Rows = Required<Omit<SelectiveRows, "weight" | "thread">>;

/** Communities of given sizes; in each, risk falls with the score, and more steeply in the later ones. */
function fleet(sizes: readonly number[], seed = 1): Rows {
  const rng = createRng(seed);
  const community = Int32Array.from(sizes.flatMap((size, c) => Array<number>(size).fill(c)));
  const score = Float64Array.from(community, () => rng.next());
  const indefensible = Uint8Array.from(score, (s, i) => (rng.next() < (0.3 * (1 - s)) / (1 + community[i]!) ? 1 : 0));
  const positive = Uint8Array.from(score, () => rng.int(2));
  return { score, indefensible, community, communities: sizes.map((_, c) => `c${c}`), positive };
}

const options = { risk: 0.1, delta: 0.05 };

/** The method on some of the rows, picked by hand. */
function alone(rows: Rows, keep: (i: number) => boolean) {
  const at = [...rows.score.keys()].filter(keep);
  return learnThenTest(
    groupScores(
      Float64Array.from(at, (i) => rows.score[i]!),
      Uint8Array.from(at, (i) => rows.indefensible[i]!),
    ),
    options,
  );
}

describe("chooseThresholds", () => {
  it("gives communities of 150 scored rows their own threshold and pools the others", () => {
    const rows = fleet([150, 149, 60, 150]);
    rows.score[0] = Number.NaN;
    const choice = chooseThresholds(rows, { ...options, byDecision: false });
    expect(Object.keys(choice.by_community)).toEqual(["c3"]);
    expect(choice.by_community.c3).toEqual(alone(rows, (i) => rows.community[i] === 3));
    expect(choice.pooled).toEqual(alone(rows, (i) => rows.community[i] !== 3));
    expect(choice.pooled.threshold).not.toBeNull();
    expect(choice).toMatchObject({ n: 508, by_decision: null, delta_each: 0.05, hold: "each" });
    expect(choice.promise).toMatch(/^each of 2 thresholds holds with 95% confidence by itself: at most 10% /);
  });

  it("proves thresholds of labels with unequal chances by weighted units, and proves less by them", () => {
    const rows = fleet([140, 140, 140]);
    const plain = chooseThresholds(rows, { ...options, byDecision: false }).pooled;
    const weight = rows.score.map((_, i) => (i % 2 === 0 ? 4 : 1));
    const weighted = chooseThresholds({ ...rows, weight }, { ...options, byDecision: false }).pooled;
    expect(plain.threshold).not.toBeNull();
    expect(weighted.threshold ?? 1).toBeGreaterThanOrEqual(plain.threshold!);
    for (const { p, limit, passed } of weighted.tested) expect(passed).toBe(p! <= limit);
    // Bad labels that stand for many count for many.
    const heavy = {
      ...rows,
      weight: rows.indefensible.reduce((all, bad, i) => all.fill(bad ? 20 : 1, i, i + 1), new Float64Array(420)),
    };
    expect(chooseThresholds(heavy, { ...options, byDecision: false }).pooled.threshold).toBeNull();
  });

  it("parts restricting decisions from others", () => {
    const rows = fleet([500, 100, 100]);
    const { by_decision } = chooseThresholds(rows, options);
    for (const [name, positive] of [
      ["restricting", 1],
      ["other", 0],
    ] as const) {
      const set = by_decision![name];
      expect(set.by_community.c0).toEqual(alone(rows, (i) => rows.community[i] === 0 && rows.positive[i] === positive));
      expect(set.pooled).toEqual(alone(rows, (i) => rows.community[i] !== 0 && rows.positive[i] === positive));
    }
  });

  it("divides δ among all thresholds in force when they are to hold at once", () => {
    const rows = fleet([500, 500, 100]);
    expect(chooseThresholds(rows, { ...options, hold: "all", byDecision: false })).toMatchObject({
      delta_each: 0.05 / 3,
    });
    const parted = chooseThresholds(rows, { ...options, hold: "all" });
    expect(parted.delta_each).toBe(0.05 / 6);
    expect(parted.promise).toMatch(/^with 95% confidence all 6 thresholds hold at once/);
    expect(parted.pooled.delta).toBe(0.05 / 6);
  });

  it("has no pooled threshold, and says why, where nobody would use it", () => {
    const choice = chooseThresholds(fleet([200, 300]), options);
    expect(choice.pooled).toMatchObject({
      threshold: null,
      reason: "every community with scores has a threshold of its own",
    });
    expect(choice.promise).toMatch(/^each of (2|3|4) thresholds/);
  });

  it("gives communities that the rows are not about no threshold, by action, whatever the pooled one is", () => {
    const rows = fleet([400, 140, 140], 2);
    rows.communities = [...rows.communities, "elsewhere", "__proto__"];
    const withheld = { restricting: ["elsewhere"], other: ["elsewhere", "__proto__"] };
    const choice = chooseThresholds(rows, { ...options, withheld });
    const { threshold, by_community, ...record } = selectiveRecord(choice, "p_calibrated", "cal_1");
    expect([threshold, record.reason]).toEqual([expect.any(Number), null]);
    expect(by_community.elsewhere).toBeNull();
    expect(record.withheld).toEqual(["elsewhere", "__proto__"]);
    expect(record.by_decision!.restricting).toMatchObject({ withheld: ["elsewhere"] });
    expect(record.by_decision!.other.by_community.elsewhere).toBeNull();
    expect(Object.keys(record.by_decision!.restricting.by_community)).not.toContain("__proto__");
    // Whom the rows are about is not touched.
    expect(choice.pooled).toEqual(chooseThresholds(rows, options).pooled);
  });

  it("makes a record that Gate JSON takes, null where no threshold exists", () => {
    const rows = fleet([400, 400, 20]);
    rows.indefensible.fill(1, 0, 400);
    const record = selectiveRecord(chooseThresholds(rows, options), "p_calibrated", "cal_1");
    expect(selectiveSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
    expect(record.by_community.c0).toBeNull();
    expect(record.by_community.c1).toBeTypeOf("number");
    expect(record).toMatchObject({ threshold: null, n: 820, method: "learn_then_test" });
    expect(record.reason).toMatch(/^too few rows: 20/);
  });

  it("works on an empty fleet and on unscored rows", () => {
    const empty = chooseThresholds(fleet([]), options);
    expect(empty).toMatchObject({ method: "learn_then_test", n: 0, by_community: {}, pooled: { threshold: null } });
    const rows = fleet([200]);
    rows.score.fill(Number.NaN);
    expect(chooseThresholds(rows, options).pooled.reason).toMatch(/^none of the 200 rows has a score/);
  });

  it("says that other methods were removed, and what to do", () => {
    const asked = { ...options, method: "sgr" };
    expect(() => chooseThresholds(fleet([10]), asked)).toThrow(
      "method: removed; got sgr, expected none. Thresholds are chosen by Learn-then-Test: leave `method` out.",
    );
    const usual = { ...asked, method: "learn_then_test" };
    expect(chooseThresholds(fleet([10]), usual).n).toBe(10);
  });

  it("refuses communities that do not exist, and decisions that are not told apart", () => {
    const rows = fleet([10]);
    rows.community[3] = 1;
    expect(() => chooseThresholds(rows, options)).toThrow(RangeError);
    expect(() => chooseThresholds({ ...fleet([10]), positive: undefined }, { ...options, byDecision: true })).toThrow(
      RangeError,
    );
  });
});
