import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditSchema } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { answerOf, COMPACT, type Piece } from "./answer.suite.js";
import { EQUAL_WEIGHTS } from "./components.js";
import { type ExtractOptions, extractSignals } from "./extract-signals.js";
import { PAPER_WEIGHTS } from "./weights.js";

const options: ExtractOptions = { weights: PAPER_WEIGHTS, missing: "floor" };
const extract = (pieces: readonly Piece[], overrides: Partial<Generation> = {}) =>
  extractSignals(answerOf(pieces, overrides), options);

/** COMPACT with other pieces at the values. */
function compact(values: { weight?: Piece[]; inverse?: Piece[]; level?: Piece[] }): Piece[] {
  const { weight = [COMPACT[20]!], inverse = [COMPACT[25]!], level = [COMPACT[32]!] } = values;
  return [
    ...COMPACT.slice(0, 20),
    ...weight,
    ...COMPACT.slice(21, 25),
    ...inverse,
    ...COMPACT.slice(26, 32),
    ...level,
    "}",
  ];
}

describe("extractSignals", () => {
  it("reads every signal of a plain answer", () => {
    const result = extract(COMPACT);
    expect(result).toMatchObject({
      outcome: "verdict",
      error: null,
      level: 2,
      inverse: false,
      level_map: 2,
      flags: [],
    });
    expect(result.level_probs?.map((p) => Math.round(p * 1e9) / 1e9)).toEqual([0.25, 0.5, 0.25]);
    expect(result.lambda_nats).toBeCloseTo(Math.log(0.5), 12);
    expect(result.h_weight_bits).toBeCloseTo(1.5, 12);
    expect(result.inverse_log_odds).toBeCloseTo(-Math.log(3), 12);
    expect(result.inverse_yes_prob).toBeCloseTo(0.25, 12);
    expect(result.p_defensible).toBeCloseTo(0.75, 12);
    // Bits 1, 2, 0 and, for (2/3, 1/3), log2 3 - 2/3; a quarter is missing at the last token.
    expect(result.h_citation_bits).toBeCloseTo((3 + Math.log2(3) - 2 / 3) / 4, 12);
    expect(result.tail_mass).toBeCloseTo(0.25 / 4, 12);
    expect(result.citation_tokens).toBe(4);
    expect(result.citation_spans?.map(([text]) => text).join("")).toBe("R3 No links.");
    expect(result).toMatchObject({ entropy_support: "top_k", logprob_space: "raw" });
    expect(result).not.toHaveProperty("sensitivity");
    const sum = 1.0001;
    const z = (0.6289 / sum) * Math.LN2 + (0.0114 / sum) * 1.5 + (0.3598 / sum) * 0.25;
    expect(result.pds).toBeCloseTo(Math.exp(-z), 12);
  });

  it("leaves an answer unscored whose fields are longer than what is read, at once", () => {
    const field = (name: string, length: number) => `"${name}":"${"Rule 1 says no. ".repeat(length / 16)}"`;
    const rest = '"precedent_weight":"Low","inverse_check":"No","defensibility_level":1';
    for (const [name, most] of Object.entries({ policy_citation: 4096, inverse_citation: 4096, logic_chain: 65_536 })) {
      const read = (length: number) => {
        const text = `{${field(name, length)},${rest}}`;
        const tokens = (text.match(/.{1,4}/g) ?? []).map((one) => ({ text: one, logprob: -1, top: [] }));
        const started = performance.now();
        const result = extractSignals({ ...answerOf([]), text, tokens }, options);
        expect(performance.now() - started).toBeLessThan(1000);
        return result;
      };
      expect(read(most).outcome).toBe("verdict");
      for (const length of [most + 16, 1_048_576]) {
        const { outcome, error, trace } = read(length);
        expect([outcome, error?.code]).toEqual(["unscored", "too_long"]);
        expect((trace[name as "logic_chain"] ?? "").length).toBeLessThanOrEqual(most);
      }
    }
  });

  it("reads tokens that fit nowhere in time that grows with their number alone", () => {
    const text = `{"policy_citation":"${"é".repeat(4000)}",${'"logic_chain":"'}${"ü".repeat(60_000)}","precedent_weight":"Low","inverse_check":"No","defensibility_level":1}`;
    for (const one of ["\ufffd", "x", "\ufffdx", ""]) {
      const tokens = Array.from({ length: 100_000 }, () => ({ text: one, logprob: -1, top: [] }));
      const started = performance.now();
      extractSignals({ ...answerOf([]), text, tokens }, options);
      expect(performance.now() - started, one).toBeLessThan(3000);
    }
  });

  it("leaves an answer unscored whose values are no log probabilities", () => {
    const level = (logprobs: number[]): Piece[] => {
      const top = logprobs.map((logprob, i) => ({ text: String(i + 1), logprob }));
      return [{ text: "2", logprob: logprobs[1]!, top }] as unknown as Piece[];
    };
    const read = (logprobs: number[]) => {
      const answer = answerOf(COMPACT);
      const at = answer.tokens!.findLastIndex((token) => token.text === "2");
      const [token] = level(logprobs) as unknown as NonNullable<Generation["tokens"]>;
      return extractSignals({ ...answer, tokens: answer.tokens!.with(at, token!) }, options);
    };
    expect(read([12.5, 14.25, 3]).error).toEqual({
      code: "not_probabilities",
      message: 'token probabilities: a log probability of 14.3 at the token "2"; it can be 0 at most',
    });
    expect(read([-0.1, -0.2, -0.3]).error?.message).toContain("add up to 2.46");
    // Rounding is none of our business.
    for (const fine of [
      [-20, 1e-5, -30],
      [-1.0986, -1.0985, -1.0985],
      [-9999, 0, -9999],
    ]) {
      expect(read(fine).outcome, String(fine)).toBe("verdict");
    }
  });

  it("writes fields that the audit record accepts, after a trip through JSON", () => {
    const frame = {
      ...{ run_id: "r", decision_id: "d", arm: "", replicate: 0, community: "c", auditor: "a", template: "paper" },
      ...{ tier: "wiki", temperature: 0.2, signal: "logprobs", decision: "remove", attempts: 1, created_at: "" },
    };
    for (const generation of [answerOf(COMPACT), answerOf(COMPACT, { tokens: null }), answerOf([], { text: "no" })]) {
      const { trace, ...signals } = extractSignals(generation, options);
      const record = { ...frame, ...signals, trace: signals.outcome === "verdict" ? trace : null };
      expect(JSON.parse(JSON.stringify(record))).toEqual(record);
      expect(auditSchema.safeParse(record).error).toBeUndefined();
    }
  });

  it("reads pretty-printed JSON, where the quote or the space is its own token", () => {
    const result = extract([
      '{\n  "policy_citation": "',
      ["R3", { R3: 1 }],
      '",\n',
      " ",
      ' "',
      "precedent_weight",
      '":',
      [' "', { ' "': 1 }],
      ["Medium", { Medium: 0.5, High: 0.5 }],
      '",\n  "inverse_check":',
      ' "',
      ["Yes", { Yes: 0.5, No: 0.5 }],
      '",\n  "defensibility_level":',
      " ",
      ["3", { "3": 0.5, "2": 0.25, "1": 0.25 }],
      "\n}",
    ]);
    expect(result).toMatchObject({ level: 3, inverse: true, level_map: 3, inverse_log_odds: 0 });
    expect(result.level_probs?.[2]).toBeCloseTo(0.5, 12);
  });

  it("reads a digit glued to its space, a label in two pieces, and a value glued to its delimiter", () => {
    const result = extract([
      '{"precedent_weight',
      ['":"High', { '":"High': 0.5, '":"Med': 0.25, '":"L': 0.25 }],
      '","inverse_check":"',
      ["Y", { Y: 0.5, N: 0.25, No: 0.25 }],
      "es",
      '","defensibility_level":',
      [" 2", { " 2": 0.5, " 1": 0.25, " 3": 0.25 }],
      "}",
    ]);
    expect(result.h_weight_bits).toBeCloseTo(1.5, 12);
    expect(result.inverse_yes_prob).toBeCloseTo(0.5, 12);
    expect(result.lambda_nats).toBeCloseTo(Math.log(0.5), 12);
  });

  it("reads 2.0, a quoted level and a level with its word at the digit", () => {
    const two = { "1": 0.25, "2": 0.75 };
    for (const level of [
      [["2", two], ".", "0"],
      ['"', ["2", two], '"'],
      [' "Level ', ["2", two], '"'],
      [['"L2', { '"L2': 0.75, '"L1': 0.25 }], '"'],
    ]) {
      const result = extract(compact({ level: level as Piece[] }));
      expect(result).toMatchObject({ level: 2, level_map: 2, flags: ["censored"] });
      expect(result.lambda_nats).toBeCloseTo(Math.log(0.75), 12);
    }
  });

  it("reads a boolean inverse check", () => {
    const result = extract([
      '{"precedent_weight":"',
      ["Low", { Low: 1 }],
      '","inverse_check":',
      ["true", { true: 0.75, false: 0.25 }],
      ',"defensibility_level":',
      ["1", { "1": 1 }],
      "}",
    ]);
    expect(result).toMatchObject({ inverse: true, inverse_yes_prob: expect.closeTo(0.75, 12) });
  });

  it("goes by bytes in Japanese with split characters and an emoji before the values", () => {
    const bytes = new TextEncoder().encode("雨");
    const half = (from: number, to: number, text: string) => ({
      text,
      bytes: bytes.slice(from, to),
      logprob: -1,
      top: [],
    });
    const plain = answerOf(COMPACT);
    const tokens = [...plain.tokens!];
    tokens.splice(5, 0, half(0, 2, "\\xe9\\x9b"), half(2, 3, "\\xa8"), { text: "👍🏽", logprob: -1, top: [] });
    const text = plain.text.replace("The", "The雨👍🏽");
    expect(extractSignals({ ...plain, text, tokens }, options)).toEqual({
      ...extractSignals(plain, options),
      trace: { ...extractSignals(plain, options).trace, logic_chain: "The雨👍🏽 post links." },
    });
    const lossy = tokens.map((token) =>
      token.text.startsWith("\\x") ? { ...token, text: "\ufffd", bytes: null } : token,
    );
    expect(extractSignals({ ...plain, text, tokens: lossy }, options).pds).toBe(extractSignals(plain, options).pds);
  });

  it("is not moved by an echo of the key after the object", () => {
    const echoed = extract([...COMPACT, '\nNote: "policy_citation": "', ["x", { x: 0.5, y: 0.5 }], '"']);
    expect(echoed.h_citation_bits).toBe(extract(COMPACT).h_citation_bits);
    expect(echoed.flags).toEqual([]);
  });

  it("flags a citation found by name only", () => {
    const result = extract([
      '{"source":{"policy_citation":"',
      ["R1", { R1: 0.5, R2: 0.5 }],
      '"},"inverse_check":"',
      ["No", { No: 0.5, Yes: 0.5 }],
      '","defensibility_level":',
      ["1", { "1": 0.5, "2": 0.25, "3": 0.25 }],
      "}",
    ]);
    expect(result.h_citation_bits).toBeCloseTo(1, 12);
    expect(result.flags).toContain("fallback_span");
  });

  it("keeps a verdict without probabilities, with nulls and a flag", () => {
    for (const tokens of [null, []]) {
      expect(extract(COMPACT, { tokens })).toMatchObject({
        ...{ outcome: "verdict", level: 2, inverse: false, pds: null, level_probs: null, label_mass: null },
        ...{ logprob_space: null, flags: ["no_signal"] },
      });
    }
    const unread = extract(
      compact({ level: [["2", { x: 1 }]] }).map((piece) => piece),
      {},
    );
    expect(unread.outcome).toBe("verdict");
  });

  it("keeps what can be read where one label cannot", () => {
    const generation = answerOf(compact({ inverse: [["No", { maybe: 1 }]] }));
    const tokens = generation.tokens!.map((token) => (token.text === "No" ? { ...token, logprob: -9999 } : token));
    const result = extractSignals({ ...generation, tokens }, options);
    expect(result).toMatchObject({ inverse: false, inverse_log_odds: null, pds: null, flags: ["no_signal"] });
    expect(result.p_defensible).toBeCloseTo(0.75, 12);
    expect(result.label_mass).toMatchObject({ inverse: null, level: expect.closeTo(1, 12) });
  });

  it("flags ties, little mass, fallback weights and an unknown space", () => {
    const tied = extract(compact({ level: [["1", { "1": 0.2, "3": 0.2, "2": 0.05, x: 0.55 }]] }));
    expect(tied).toMatchObject({ level: 1, level_map: 3 });
    expect(tied.flags).toEqual(["tie", "low_mass"]);
    expect(extractSignals(answerOf(COMPACT), { weights: EQUAL_WEIGHTS }).flags).toEqual(["uncalibrated"]);
    expect(extract(COMPACT, { space: "unknown" }).flags).toEqual(["unknown_space"]);
  });

  it("reports how far S hangs on a label that no candidate named", () => {
    // Yes is absent; listed .7 + .1: floor min(.1, .2) = .1, bound .2.
    const result = extract(compact({ inverse: [["No", { No: 0.7, x: 0.1 }]] }));
    expect(result.inverse_yes_prob).toBeCloseTo(1 / 8, 12);
    expect(result.flags).toEqual(["censored"]);
    const rest = (0.6289 * Math.LN2 + 0.0114 * 1.5) / 1.0001;
    const s = (yes: number) => Math.exp(-rest - (0.3598 / 1.0001) * yes);
    expect(result.sensitivity?.absent_zero).toBeCloseTo(s(0), 12);
    expect(result.sensitivity?.floor).toBeCloseTo(s(1 / 8), 12);
    expect(result.sensitivity?.bound).toBeCloseTo(s(2 / 9), 12);
    expect(extract(compact({ inverse: [["No", { No: 0.999 }]] })).sensitivity).toBeUndefined();
  });

  it("stores an infinite log-odds of the paper's mode as null beside 0 or 1", () => {
    const generation = answerOf(compact({ inverse: [["No", { No: 0.9 }]] }));
    expect(extractSignals(generation, { weights: PAPER_WEIGHTS, missing: "paper" })).toMatchObject({
      inverse_log_odds: null,
      inverse_yes_prob: 0,
    });
    expect(extractSignals(generation, options).inverse_log_odds).toBeCloseTo(Math.log(0.1 / 0.9), 9);
  });

  it("is the same from raw and from tempered logprobs where the lists are complete", () => {
    const temperature = 0.4;
    const plain = answerOf(COMPACT);
    const tokens = plain.tokens!.map((token) => {
      const z = token.top.reduce((sum, a) => sum + Math.exp(a.logprob / temperature), 0);
      const scale = (logprob: number) => logprob / temperature - Math.log(z || 1);
      return {
        ...token,
        logprob: scale(token.logprob),
        top: token.top.map((a) => ({ ...a, logprob: scale(a.logprob) })),
      };
    });
    const back = extractSignals({ ...plain, tokens, space: "tempered", temperature }, options);
    const expected = extractSignals(plain, options);
    for (const field of ["pds", "lambda_nats", "h_weight_bits", "h_citation_bits", "inverse_log_odds"] as const) {
      expect(Math.abs(back[field]! - expected[field]!)).toBeLessThan(1e-9);
    }
    const greedy = extractSignals({ ...plain, space: "tempered", temperature: 0 }, options);
    expect(greedy.pds).toBe(expected.pds);
  });

  it("is still a verdict when cut off after level and inverse", () => {
    expect(extract(COMPACT.slice(0, -1), { finish: "length" })).toMatchObject({ outcome: "verdict", level: 2 });
  });

  it.each([
    ["refused", { finish: "refusal" }],
    ["filtered", { finish: "filter" }],
    ["empty", { text: " \n" }],
    ["not_json", { text: "I am sorry, I cannot help with that." }],
    ["not_json", { text: '{"logic_chain":"a "b" c","inverse_check":"No","defensibility_level":1}' }],
    ["truncated", { text: '{"logic_chain":"The post', finish: "length" }],
    ["truncated", { text: "The post first", finish: "length" }],
    ["truncated", { text: '{"inverse_check":"No","defensibility_level":' }],
    ["no_level", { text: '{"inverse_check":"No"}' }],
    ["no_level", { text: '{"answer":{"inverse_check":"No","defensibility_level":1}}' }],
    ["bad_level", { text: '{"inverse_check":"No","defensibility_level":4}' }],
    ["no_inverse", { text: '{"defensibility_level":1}' }],
    ["bad_inverse", { text: '{"inverse_check":"Maybe","defensibility_level":1}' }],
  ] as const)("is unscored with code %s", (code, overrides) => {
    const result = extract(COMPACT, overrides);
    expect(result).toMatchObject({
      outcome: "unscored",
      error: { code },
      level: null,
      inverse: null,
      pds: null,
      flags: [],
    });
    expect(result.error?.message).not.toBe("");
  });

  it("never lets a number be infinite or NaN, whatever the logprobs", () => {
    const logprob = fc.oneof(
      fc.double({ min: -40, max: 0.001 }),
      fc.constantFrom(0, -0, -9999, -999, -3.4028235e38, -1.2676506e30, Number.NEGATIVE_INFINITY, Number.NaN),
    );
    const plain = answerOf(COMPACT);
    const settings = fc.record({
      missing: fc.constantFrom("floor", "paper"),
      space: fc.constantFrom("raw", "tempered", "unknown"),
      temperature: fc.constantFrom(0, 0.2, 1, 2),
      support: fc.constantFrom("top_k", "vocab"),
    } as const);
    fc.assert(
      fc.property(fc.infiniteStream(logprob), settings, (stream, { missing, ...rest }) => {
        const next = () => stream.next().value as number;
        const tokens = plain.tokens!.map((t) => ({
          ...t,
          logprob: next(),
          top: t.top.map((a) => ({ ...a, logprob: next() })),
        }));
        const result = extractSignals({ ...plain, ...rest, tokens }, { weights: PAPER_WEIGHTS, missing });
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        if (missing === "floor" && result.inverse_yes_prob !== null) expect(result.inverse_log_odds).not.toBeNull();
        if (result.level_probs) expect(result.level_probs.reduce((a, b) => a + b)).toBeCloseTo(1, 9);
      }),
      { numRuns: 300 },
    );
  });
});
