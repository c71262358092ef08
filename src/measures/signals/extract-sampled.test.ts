import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/sampling.js";
import { auditSchema } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import { answerOf } from "./answer.suite.js";
import { normaliseCitation } from "./citation-entropy.js";
import { EQUAL_WEIGHTS } from "./components.js";
import { extractSampled } from "./extract-sampled.js";
import { PAPER_CITATION_WEIGHTS, PAPER_WEIGHTS, type Weights } from "./weights.js";

const WORDS: Record<string, string> = { H: "High", M: "Medium", L: "Low", Y: "Yes", N: "No" };
const options = { weights: PAPER_WEIGHTS };

/** An answer of given labels; a part that is null is left out. */
function draw(level: unknown, weight: string | null, inverse: string, citation: string | null = "R1"): Generation {
  const trace = {
    logic_chain: "So it is.",
    ...(citation !== null && { policy_citation: citation }),
    ...(weight !== null && { precedent_weight: WORDS[weight] ?? weight }),
    inverse_check: WORDS[inverse] ?? inverse,
    defensibility_level: level,
  };
  return answerOf([JSON.stringify(trace)], { tokens: null });
}

const same = (count: number, generation: Generation) => new Array<Generation>(count).fill(generation);

describe("extractSampled", () => {
  it.each(reference.records)("agrees with the reference for $draws.length draws", ({ draws, weights, ...record }) => {
    const generations = draws.map(([level, weight, inverse, citation]) =>
      draw(level, weight as string, inverse as string, citation as string),
    );
    const full: Weights = { ...EQUAL_WEIGHTS, ...weights };
    const result = extractSampled(generations, { weights: full });
    const { se, level_probs, level_map, ...numbers } = record;
    expect(result.samples).toBe(draws.length);
    expect(result.level_map).toBe(level_map);
    level_probs.forEach((p, i) => {
      expect(result.level_probs?.[i]).toBeCloseTo(p, 12);
    });
    for (const [name, value] of Object.entries(numbers)) {
      expect(result[name as keyof typeof numbers], name).toBeCloseTo(value, 12);
    }
    for (const [name, value] of Object.entries(se)) expect(result.se[name], name).toBeCloseTo(value, 9);
  });

  it("takes trace, level and inverse of draw 0, whatever the others say", () => {
    const result = extractSampled([draw(1, "L", "N", "R7"), ...same(4, draw(3, "H", "Y"))], options);
    expect(result).toMatchObject({ outcome: "verdict", level: 1, inverse: false, level_map: 3, samples: 5 });
    expect(result.trace.policy_citation).toBe("R7");
    expect(result.inverse_log_odds).toBeCloseTo(Math.log(4.5 / 1.5), 12);
  });

  it("leaves out of the frequencies what is no verdict, and what one field lacks", () => {
    const good = [draw(2, "H", "N"), draw(2, null, "N", null), draw(3, "Huge", "Y", "  ")];
    const bad = [draw(4, "H", "N"), answerOf(["I cannot."]), answerOf(["{}"], { finish: "refusal" })];
    const result = extractSampled([...good, ...bad], options);
    expect(result.samples).toBe(3);
    expect(result.level_probs).toEqual([0.5 / 4.5, 2.5 / 4.5, 1.5 / 4.5]);
    expect(result.h_weight_bits).toBe(extractSampled([draw(1, "H", "N")], options).h_weight_bits);
    expect(result.h_citation_sampled_bits).toBe(0);
  });

  it("is unscored without signals when draw 0 is, and says how many others were verdicts", () => {
    const result = extractSampled([answerOf(["no"]), ...same(3, draw(1, "H", "N"))], options);
    expect(result).toMatchObject({
      ...{ outcome: "unscored", error: { code: "not_json" }, level: null, level_probs: null, pds: null, samples: 3 },
      ...{ se: {}, flags: [], h_citation_sampled_bits: null },
    });
    expect(extractSampled([answerOf(["no"])], options).samples).toBe(0);
  });

  it("gives one draw little weight and a large error", () => {
    const result = extractSampled([draw(3, "H", "Y")], options);
    expect(result.level_probs).toEqual([0.2, 0.2, 0.6]);
    expect(result.inverse_yes_prob).toBe(0.75);
    expect(result.se.p_defensible).toBeCloseTo(Math.sqrt((0.4 * 0.6) / 3.5), 12);
    expect(result.se.inverse_log_odds).toBeGreaterThan(2.4);
    for (const error of Object.values(result.se)) expect(error).toBeGreaterThan(0.05);
  });

  it("never has an error of 0, also where all draws agree or all differ evenly", () => {
    const agreed = extractSampled(same(20, draw(1, "H", "N")), options);
    const even = extractSampled([draw(1, "H", "N", "a"), draw(2, "M", "Y", "b"), draw(3, "L", "N", "c")], options);
    const names = ["p_1", "p_2", "p_3", "p_defensible", "lambda_nats", "inverse_log_odds", "inverse_yes_prob"];
    names.push("h_weight_bits", "h_citation_sampled_bits", "pds");
    for (const { se } of [agreed, even]) {
      expect(Object.keys(se).sort()).toEqual(names.sort());
      for (const error of Object.values(se)) expect(error).toBeGreaterThan(0.001);
    }
    expect(even.flags).toEqual(["tie"]);
    expect(even.level_map).toBe(3);
  });

  it("has no S with weights for the citation entropy per token, and none without a weight", () => {
    const result = extractSampled(same(3, draw(1, "H", "N")), { weights: PAPER_CITATION_WEIGHTS });
    expect(result).toMatchObject({ pds: null, flags: ["no_signal"], h_citation_bits: null });
    expect(result.se).not.toHaveProperty("pds");
    const weightless = extractSampled(same(3, draw(1, null, "N")), options);
    expect(weightless).toMatchObject({ pds: null, h_weight_bits: null, flags: ["no_signal"] });
    expect(weightless.se).not.toHaveProperty("h_weight_bits");
    expect(extractSampled([draw(1, "H", "N")], { weights: EQUAL_WEIGHTS }).flags).toEqual(["uncalibrated"]);
  });

  it("groups citations by their normalised text, or by the key it is given", () => {
    const cited = ["R3: No links.", "“r3 — no LINKS”", "Ｒ3: no links", "R3"].map((text) => draw(1, "H", "N", text));
    expect(extractSampled(cited.slice(0, 3), options).h_citation_sampled_bits).toBe(0);
    expect(extractSampled(cited, options).h_citation_sampled_bits).toBeGreaterThan(0.8);
    const citationKey = (text: string) => /\d/.exec(text)![0];
    expect(extractSampled(cited, { ...options, citationKey }).h_citation_sampled_bits).toBe(0);
    expect(extractSampled(cited, { ...options, citationKey: () => "" }).h_citation_sampled_bits).toBeNull();
  });

  it("refuses to estimate from nothing", () => {
    expect(() => extractSampled([], options)).toThrow(RangeError);
  });

  it("writes fields that the audit record accepts, after a trip through JSON", () => {
    const frame = {
      ...{ run_id: "r", decision_id: "d", arm: "", replicate: 0, community: "c", auditor: "a", template: "paper" },
      ...{ tier: "wiki", temperature: 0.7, signal: "sampling", decision: "remove", attempts: 1, created_at: "" },
    };
    for (const draws of [same(3, draw(1, "H", "N")), [draw(3, null, "Y", null)], [answerOf(["no"])]]) {
      const record = { ...frame, ...extractSampled(draws, options) };
      expect(JSON.parse(JSON.stringify(record))).toEqual(record);
      expect(auditSchema.safeParse(record).error).toBeUndefined();
    }
  });

  it("is unchanged when the later draws are reordered, and all its numbers are finite", () => {
    const labels = fc.tuple(
      fc.constantFrom(1, 2, 3, 4, null),
      fc.constantFrom("H", "M", "L", null),
      fc.constantFrom("Y", "N"),
      fc.constantFrom("R1", "R2", "", null),
    );
    fc.assert(
      fc.property(fc.array(labels, { minLength: 1, maxLength: 12 }), (parts) => {
        const [first, ...rest] = parts.map(([level, weight, inverse, citation]) =>
          draw(level, weight, inverse, citation),
        );
        const one = extractSampled([first!, ...rest], options);
        const other = extractSampled([first!, ...rest.toReversed()], options);
        expect(other.level_probs).toEqual(one.level_probs);
        for (const [name, error] of Object.entries(one.se)) expect(other.se[name]).toBeCloseTo(error, 12);
        expect(JSON.parse(JSON.stringify(one))).toEqual(one);
      }),
    );
  });
});

describe("normaliseCitation", () => {
  it("keeps letters, digits and marks of any script and nothing else", () => {
    expect(normaliseCitation(" `Règle 3`:\n—Ｎｏ ﬁles!")).toBe("règle 3 no files");
    expect(normaliseCitation("規則３：広告禁止。")).toBe("規則3 広告禁止");
    expect(normaliseCitation("नियम ३")).toBe("नियम ३");
    expect(normaliseCitation("“…”")).toBe("");
  });
});

describe("sampledErrors: standard errors of sampled signals", () => {
  const pick = (rng: Rng, probs: readonly number[]) => {
    const u = rng.next();
    let passed = 0;
    for (let i = 0; i < probs.length - 1; i++) {
      passed += probs[i]!;
      if (u < passed) return i;
    }
    return probs.length - 1;
  };
  const weights: Weights = { ...EQUAL_WEIGHTS, alpha: 0.5, beta: 0.1, gamma: 0.4 };
  const answers = new Map<string, Generation>();
  const cached = (level: number, weight: string, inverse: string, citation: string) => {
    const key = `${level}${weight}${inverse}${citation}`;
    if (!answers.has(key)) answers.set(key, draw(level, weight, inverse, citation));
    return answers.get(key)!;
  };

  // Levels are .6, .3, .1; the inverse check hangs on the level, so that errors of λ and σ(ρ) are strongly correlated.
  const drawCase = (rng: Rng) => {
    const level = pick(rng, [0.6, 0.3, 0.1]);
    const yes = rng.next() < [0.05, 0.9, 0.95][level]!;
    const weight = "HML"[pick(rng, [0.65, 0.25, 0.1])]!;
    return cached(level + 1, weight, yes ? "Y" : "N", `R${pick(rng, [0.6, 0.25, 0.15])}`);
  };

  it("are the spread of the estimates when a known distribution is drawn from again and again", () => {
    const rng = createRng("spread of estimates");
    const K = 80;
    const sums = new Map<string, [n: number, sum: number, squares: number, se2: number]>();
    for (let i = 0; i < 2000; i++) {
      const result = extractSampled(
        Array.from({ length: K }, () => drawCase(rng)),
        { weights },
      );
      const [p_1, p_2, p_3] = result.level_probs!;
      const values: Record<string, unknown> = { ...result, p_1, p_2, p_3 };
      for (const [name, error] of Object.entries(result.se)) {
        const value = values[name] as number;
        const row = sums.get(name) ?? [0, 0, 0, 0];
        sums.set(name, [row[0] + 1, row[1] + value, row[2] + value * value, row[3] + error * error]);
      }
    }
    expect(sums.size).toBe(10);
    for (const [name, [n, sum, squares, se2]] of sums) {
      const spread = Math.sqrt(squares / n - (sum / n) ** 2);
      const claimed = Math.sqrt(se2 / n);
      expect(claimed / spread, name).toBeGreaterThan(0.92);
      expect(claimed / spread, name).toBeLessThan(1.1);
    }
  });

  it("are, with few draws too, how far the truth is from the estimate when truths come from the prior", () => {
    const rng = createRng("truth from the prior");
    // A χ² of one degree of freedom is a gamma variable of shape 1/2.
    const gamma = () => -Math.log(1 - rng.next()) * Math.cos(2 * Math.PI * rng.next()) ** 2;
    const runs = 4000;
    let [level, levelSe, yes, yesSe] = [0, 0, 0, 0];
    for (let i = 0; i < runs; i++) {
      const raw = [gamma(), gamma(), gamma(), gamma(), gamma()];
      const p = raw.slice(0, 3).map((x) => x / (raw[0]! + raw[1]! + raw[2]!));
      const pYes = raw[3]! / (raw[3]! + raw[4]!);
      const draws = Array.from({ length: 3 }, () =>
        cached(pick(rng, p) + 1, "H", pick(rng, [pYes, 1 - pYes]) === 0 ? "Y" : "N", "R"),
      );
      const result = extractSampled(draws, { weights });
      level += (result.p_defensible! - p[0]! - p[1]!) ** 2;
      levelSe += result.se.p_defensible! ** 2;
      yes += (result.inverse_yes_prob! - pYes) ** 2;
      yesSe += result.se.inverse_yes_prob! ** 2;
    }
    expect(levelSe / level).toBeCloseTo(1, 1);
    expect(yesSe / yes).toBeCloseTo(1, 1);
  });
});
