import { describe, expect, it } from "vitest";
import { type Planned, planAnswer, truncate } from "./plan-answer.js";
import { reportedDistribution } from "./render-tokens.js";
import { traceText } from "./trace-text.js";
import { DIALECTS, TRAITS } from "./traits.js";
import { valueSpans } from "./value-spans.js";
import { loadVocabulary, VOCABULARIES } from "./vocabulary.js";

const NON_ASCII = 'Règle 4 – „keine Werbung“ 広告禁止 𠮷野家 🏴‍☠️: "nicht erlaubt"';
const TEXTS = [
  traceText(),
  traceText({ policy_citation: NON_ASCII }),
  traceText({}, { pretty: true }),
  "not JSON at all",
  "\ufeffBOM",
];

const textOf = (planned: Planned): string =>
  Buffer.concat(planned.tokens.map(({ token }) => token.bytes)).toString("utf8");
const surface = (planned: Planned, i: number): string => Buffer.from(planned.tokens[i]!.token.bytes).toString("utf8");

describe("vocabularies", () => {
  it.each(VOCABULARIES)("%s tokenises any text into tokens that join to it", async (name) => {
    for (const text of TEXTS) expect(textOf(await planAnswer(text, { vocabulary: name }))).toBe(text);
  });

  it("o200k and cl100k make one token of each label, with clean borders", async () => {
    for (const name of ["o200k", "cl100k"] as const) {
      for (const precedent_weight of ["High", "Medium", "Low"]) {
        const planned = await planAnswer(traceText({ precedent_weight }), { vocabulary: name });
        expect(planned.tokens.map((_, i) => surface(planned, i))).toEqual(
          expect.arrayContaining([precedent_weight, "No", "2"]),
        );
      }
    }
  });

  it("the SentencePiece-like one splits Medium and Low, and characters it does not know into bytes", async () => {
    const { encode } = await loadVocabulary("sentence-piece");
    const pieces = (text: string): string[] => encode(text).map(({ bytes }) => Buffer.from(bytes).toString("latin1"));
    expect(pieces("Medium")).toEqual(["Med", "ium"]);
    expect(pieces("Low")).toEqual(["L", "ow"]);
    expect(pieces("High")).toEqual(["High"]);
    expect(pieces("漢")).toEqual(["\xe6", "\xbc", "\xa2"]);
  });
});

describe("valueSpans", () => {
  it("finds each value, keys and quotes inside others notwithstanding", () => {
    const text = traceText({
      logic_chain: 'say "policy_citation": "x" — or \\"inverse_check\\": 3',
      policy_citation: "é",
    });
    const found = Object.fromEntries(
      valueSpans(text).map(({ field, start, end }) => [field, Buffer.from(text).subarray(start, end).toString("utf8")]),
    );
    expect(Object.keys(found)).toEqual(Object.keys(JSON.parse(text)));
    expect(found).toMatchObject({
      policy_citation: "é",
      precedent_weight: "High",
      inverse_check: "No",
      defensibility_level: "2",
    });
  });
});

describe("planAnswer", () => {
  it("gives each position 19 to 25 other tokens, no token twice, and probabilities that sum to 1", async () => {
    const planned = await planAnswer(traceText(), { tail: 0.05 });
    for (const { candidates, tail, token } of planned.tokens) {
      expect(candidates.length).toBeGreaterThanOrEqual(20);
      expect(candidates.length).toBeLessThanOrEqual(26);
      expect(new Set(candidates.map((candidate) => candidate.token.id)).size).toBe(candidates.length);
      expect(candidates.some((candidate) => candidate.token.id === token.id)).toBe(true);
      const listed = candidates.reduce((sum, candidate) => sum + Math.exp(candidate.logprob!), 0);
      expect(listed + tail.mass).toBeCloseTo(1, 12);
    }
    expect(planned.tokens.some(({ tail }) => tail.mass > 0.01)).toBe(true);
  });

  it("gives a label exactly the probabilities asked for, its variants included", async () => {
    const inverse_check = { No: 0.5, Yes: 0.2, " Yes": 0.1, yes: 0.05, " No": 0.05 };
    const planned = await planAnswer(traceText(), { fields: { inverse_check } });
    const at = planned.tokens.findIndex((_, i) => surface(planned, i) === "No");
    const probs = Object.fromEntries(
      planned.tokens[at]!.candidates.map(({ token, logprob }) => [
        Buffer.from(token.bytes).toString("utf8"),
        Math.exp(logprob!),
      ]),
    );
    for (const [text, prob] of Object.entries(inverse_check)) expect(probs[text]).toBeCloseTo(prob, 12);
    const legal = planned.tokens[at]!.candidates.filter((candidate) => candidate.legal).map(({ token }) => token);
    expect(legal.map(({ bytes }) => Buffer.from(bytes).toString("utf8")).sort()).toEqual(["No", "Yes"]);
  });

  it("begins a label of several pieces with the first of them", async () => {
    const planned = await planAnswer(traceText({ precedent_weight: "Medium" }), {
      vocabulary: "sentence-piece",
      fields: { precedent_weight: { High: 0.25, Medium: 0.5, Low: 0.25 } },
    });
    const at = planned.tokens.findIndex((_, i) => surface(planned, i) === "Med");
    expect(planned.tokens[at]!.kind).toBe("label");
    expect(planned.tokens[at + 1]!.kind).toBe("forced");
    const texts = planned.tokens[at]!.candidates.map(({ token }) => Buffer.from(token.bytes).toString("utf8"));
    expect(texts.sort()).toEqual(["High", "L", "Med"]);
  });

  it("refuses a distribution that the text contradicts", async () => {
    const fields = { inverse_check: { Yes: 1 } };
    await expect(planAnswer(traceText(), { fields })).rejects.toThrow(/inverse_check has no probability/);
  });

  it("is the same for the same seed and another for another", async () => {
    const [a, b, c] = await Promise.all(["x", "x", "y"].map((seed) => planAnswer(traceText(), { seed })));
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });

  it("puts the chosen token outside every list of 20 where asked", async () => {
    const planned = await planAnswer(traceText(), { outside: ["inverse_check"] });
    const label = planned.tokens.find((_, i) => surface(planned, i) === "No")!;
    expect(label.candidates.findIndex(({ token }) => token.id === label.token.id)).toBeGreaterThanOrEqual(20);
  });
});

describe("reportedDistribution", () => {
  it.each(DIALECTS)(
    "%s: sums to at most 1, and to 1 with the tail, at every temperature, masked or not",
    async (dialect) => {
      const planned = await planAnswer(traceText(), { tail: 0 });
      for (const temperature of [0, 0.2, 1, 1.5]) {
        for (const masked of [true, false]) {
          for (const token of planned.tokens) {
            const ranked = reportedDistribution(token, TRAITS[dialect], { temperature, masked, top: 20 });
            const sum = ranked.reduce((total, { logprob }) => total + (logprob === null ? 0 : Math.exp(logprob)), 0);
            expect(sum).toBeCloseTo(1, 9);
          }
        }
      }
    },
  );

  it("reports what a grammar forbids as known only where the mask comes later", async () => {
    const fields = { inverse_check: { No: 0.5, Yes: 0.25, " Yes": 0.25 } };
    const planned = await planAnswer(traceText(), { fields });
    const token = planned.tokens.find(
      ({ kind, token }) => kind === "label" && Buffer.from(token.bytes).toString() === "No",
    )!;
    const probs = (dialect: "openai" | "vllm"): (number | null)[] =>
      reportedDistribution(token, TRAITS[dialect], { temperature: 1, masked: true, top: 20 }).map(({ logprob }) =>
        logprob === null ? null : Math.round(Math.exp(logprob) * 1e6) / 1e6,
      );
    expect(probs("openai")).toEqual([0.5, 0.25, 0.25]);
    expect(probs("vllm")).toEqual([0.666667, 0.333333, null]);
  });

  it("is log softmax(logits / T) in tempered space, the tail included", async () => {
    const planned = await planAnswer(traceText(), { tail: 0.2 });
    const token = planned.tokens.find(({ tail }) => tail.mass > 0.05)!;
    const logits = [...token.candidates.map(({ logprob }) => logprob!)];
    for (let i = 0; i < token.tail.tokens; i++) logits.push(Math.log(token.tail.mass / token.tail.tokens));
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit / 0.7), 0);
    const reported = reportedDistribution(token, TRAITS.sglang, { temperature: 0.7, masked: false, top: 20 });
    reported.forEach(({ logprob }, i) => {
      expect(logprob).toBeCloseTo(logits[i]! / 0.7 - Math.log(total), 10);
    });
  });
});

describe("truncate", () => {
  it("cuts text and tokens together, and drops half a character", async () => {
    const planned = await planAnswer("ab漢字", { vocabulary: "sentence-piece" });
    const cut = truncate(planned, 4);
    expect(cut).toMatchObject({ text: "ab", finish: "length" });
    expect(cut.tokens).toHaveLength(4);
    expect(truncate(planned, 100)).toBe(planned);
  });
});
