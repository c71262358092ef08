import { afterEach, describe, expect, it, vi } from "vitest";
import type { Generation } from "../src/core/records/case.js";
import { EQUAL_WEIGHTS } from "../src/measures/signals/components.js";
import type { SignalResult } from "../src/measures/signals/extract-sampled.js";
import { extractSignals } from "../src/measures/signals/extract-signals.js";
import {
  DIALECTS,
  type Dialect,
  type FakeServerOptions,
  type Planned,
  type PlanOptions,
  planAnswer,
  traceText,
  VOCABULARIES,
} from "./fake-models/index.js";
import { askOf, type ServedModel, serve, stubKeys } from "./served-model.suite.js";

const FIELDS = {
  defensibility_level: { "1": 0.23, "2": 0.7, "3": 0.07 },
  precedent_weight: { High: 0.6, Medium: 0.3, Low: 0.1 },
  inverse_check: { Yes: 0.3, No: 0.7 },
};

/** Five candidates at most, which every server lists, and nothing beyond them: no dialect loses anything. */
const LOSSLESS: PlanOptions = { fields: FIELDS, alternatives: [4, 4], tail: 0, printable: true };

const TEMPERATURES = [0, 0.2, 0.7, 1, 1.5];

afterEach(() => {
  vi.unstubAllEnvs();
});

function modelOf(dialect: Dialect): ServedModel {
  const rest = { dialect, trueBytes: false, cachedTokens: null, faults: [] };
  if (dialect === "gemini") return { ...rest, auditor: "gemini:gemini-2.0-flash", keys: ["GEMINI_API_KEY"] };
  if (dialect === "vertex") return { ...rest, auditor: "vertex:gemini-2.5-flash", keys: ["GOOGLE_API_KEY"] };
  if (dialect === "openai") return { ...rest, auditor: "openai:gpt-4.1-mini", keys: ["OPENAI_API_KEY"] };
  return { ...rest, auditor: "openai-compatible:fake-model", options: { dialect }, keys: ["OPENAI_API_KEY"] };
}

/** The plan as it comes through a server of this dialect and the real client. */
async function through(
  dialect: Dialect,
  planned: Planned,
  temperature: number,
  options: Partial<FakeServerOptions> = {},
): Promise<Generation> {
  const model = modelOf(dialect);
  stubKeys(model.keys);
  const { server, auditor } = await serve(model, { answer: () => planned, ...options });
  try {
    return (await auditor.ask(askOf({ temperature }))).generations[0]!;
  } finally {
    await auditor.close?.();
    await server.close();
  }
}

/** The plan itself, with nothing in between. */
function direct(planned: Planned): Generation {
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    text: planned.text,
    tokens: planned.tokens.map(({ token, candidates }) => ({
      text: utf8.decode(token.bytes),
      bytes: token.bytes,
      logprob: candidates.find((one) => one.token.id === token.id)!.logprob!,
      top: candidates
        .filter(({ logprob }) => logprob !== null)
        .map((one) => ({ text: utf8.decode(one.token.bytes), bytes: one.token.bytes, logprob: one.logprob! })),
    })),
    finish: "stop",
    space: "raw",
    temperature: 1,
    support: "top_k",
    model: "plan",
    usage: { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null },
  };
}

/** The numbers of an audit record that come from probabilities. */
function numbers(generation: Generation): Record<string, number | null> {
  const result: SignalResult = extractSignals(generation, { weights: EQUAL_WEIGHTS });
  const [p1, p2, p3] = result.level_probs ?? [null, null, null];
  const { level, level_map, lambda_nats, h_weight_bits, h_citation_bits, citation_tokens } = result;
  const { inverse_log_odds, inverse_yes_prob, pds, p_defensible, tail_mass, label_mass } = result;
  return {
    ...{ level, p1: p1!, p2: p2!, p3: p3!, level_map, lambda_nats, h_weight_bits, h_citation_bits, citation_tokens },
    ...{ inverse_log_odds, inverse_yes_prob, pds, p_defensible, tail_mass },
    ...{ mass_level: label_mass!.level, mass_weight: label_mass!.weight, mass_inverse: label_mass!.inverse },
  };
}

function expectClose(
  actual: Record<string, number | null>,
  expected: Record<string, number | null>,
  tolerance: number,
): void {
  const far = Object.keys(expected).filter((name) => {
    const [a, b] = [actual[name], expected[name]];
    return typeof a === "number" && typeof b === "number" ? !(Math.abs(a - b) <= tolerance) : a !== b;
  });
  expect(Object.fromEntries(far.map((name) => [name, actual[name]]))).toEqual(
    Object.fromEntries(far.map((name) => [name, expected[name]])),
  );
}

describe("the plan's own record", () => {
  it("is what its probabilities say", async () => {
    const record = numbers(direct(await planAnswer(traceText(), LOSSLESS)));
    expect(record.p2).toBeCloseTo(0.7, 12);
    expect(record.lambda_nats).toBeCloseTo(Math.log(0.7), 12);
    expect(record.inverse_log_odds).toBeCloseTo(Math.log(0.3 / 0.7), 12);
    const bits = -[0.6, 0.3, 0.1].reduce((sum, p) => sum + p * Math.log2(p), 0);
    expect(record.h_weight_bits).toBeCloseTo(bits, 12);
    expect(record.h_citation_bits).toBeGreaterThan(0.1);
    expect(record.mass_level).toBeCloseTo(1, 12);
  });
});

describe.each(DIALECTS)("%s", (dialect) => {
  it.each(TEMPERATURES)("gives the plan's record to 1e-9 at temperature %d", async (temperature) => {
    const planned = await planAnswer(traceText(), LOSSLESS);
    const generation = await through(dialect, planned, temperature);
    expect(generation.temperature).toBe(temperature);
    expectClose(numbers(generation), numbers(direct(planned)), 1e-9);
  });

  it.each(VOCABULARIES)("gives it with the tokens of %s, labels of one token and of two", async (vocabulary) => {
    for (const precedent_weight of ["High", "Medium", "Low"]) {
      const planned = await planAnswer(traceText({ precedent_weight }), { ...LOSSLESS, vocabulary });
      expectClose(numbers(await through(dialect, planned, 0.7)), numbers(direct(planned)), 1e-9);
    }
  });

  it("gives it where values without information and the mark of the end are listed, and the JSON is indented", async () => {
    const planned = await planAnswer(traceText({}, { pretty: true }), { ...LOSSLESS, sentinels: 3 });
    const chat = dialect !== "gemini" && dialect !== "vertex";
    const generation = await through(dialect, planned, 0.2, { endToken: chat });
    expectClose(numbers(generation), numbers(direct(planned)), 1e-9);
  });

  it.each(["compact", "spaced", "pretty"] as const)("reads a body that is %s, in any way to escape", async (layout) => {
    const planned = await planAnswer(traceText({ logic_chain: 'Quote "x" <b> & é \\ \u2028 🙂' }), LOSSLESS);
    for (const habit of ["raw", "ascii", "html"] as const) {
      const generation = await through(dialect, planned, 1, { traits: { layout, escape: habit } });
      expect(generation.text).toBe(planned.text);
      expectClose(numbers(generation), numbers(direct(planned)), 1e-9);
    }
  });

  it("gives the same labels whether or not a grammar has taken away what is no label", async () => {
    const fields = { ...FIELDS, defensibility_level: { "1": 0.2, "2": 0.5, "3": 0.1, " maybe": 0.2 } };
    const planned = await planAnswer(traceText(), { ...LOSSLESS, fields });
    const record = numbers(await through(dialect, planned, 1));
    expect(record.p1).toBeCloseTo(0.25, 9);
    expect(record.p2).toBeCloseTo(0.625, 9);
    const masked = ["vllm", "sglang", "gemini", "vertex"].includes(dialect);
    expect(record.mass_level).toBeCloseTo(masked ? 1 : 0.8, 9);
  });

  it("reads a label of probability 1, whose logprob some leave out", async () => {
    const fields = { ...FIELDS, defensibility_level: { "2": 1 } };
    const planned = await planAnswer(traceText(), { ...LOSSLESS, fields });
    const record = numbers(await through(dialect, planned, 0.7));
    expectClose(record, numbers(direct(planned)), 1e-9);
    expect(record.mass_level).toBe(1);
  });

  it("keeps label variants together, as far as its grammar lets them through", async () => {
    const fields = { ...FIELDS, inverse_check: { No: 0.5, Yes: 0.2, " Yes": 0.2, yes: 0.1 } };
    const planned = await planAnswer(traceText(), { ...LOSSLESS, fields });
    const record = numbers(await through(dialect, planned, 1));
    const masked = ["vllm", "sglang", "gemini", "vertex"].includes(dialect);
    expect(record.inverse_yes_prob).toBeCloseTo(masked ? 0.2 / 0.7 : 0.5, 9);
  });
});

describe("what is lost", () => {
  const FOREIGN = traceText({ policy_citation: "R3 広告は禁止 𠮷野家 🏴‍☠️ rule" });

  it.each(["openai", "azure", "llamacpp", "lmstudio", "openrouter", "fireworks", "deepseek"] as const)(
    "%s: nothing of characters that are split, for bytes are true",
    async (dialect) => {
      for (const vocabulary of VOCABULARIES) {
        const planned = await planAnswer(FOREIGN, { ...LOSSLESS, vocabulary });
        expectClose(numbers(await through(dialect, planned, 0.7)), numbers(direct(planned)), 1e-9);
      }
    },
  );

  it.each(["vllm", "sglang", "ollama", "together", "gemini", "vertex"] as const)(
    "%s: the place of a split character's parts, but not the labels nor the citation's entropy",
    async (dialect) => {
      for (const vocabulary of VOCABULARIES) {
        const planned = await planAnswer(FOREIGN, { ...LOSSLESS, vocabulary });
        expectClose(numbers(await through(dialect, planned, 0.7)), numbers(direct(planned)), 1e-9);
      }
    },
  );

  it("in a rounded body: the seventh decimal", async () => {
    const planned = await planAnswer(traceText(), LOSSLESS);
    const generation = await through("lmstudio", planned, 0.7, { traits: { rounds: true } });
    const [actual, expected] = [numbers(generation), numbers(direct(planned))];
    expectClose(actual, expected, 5e-6);
    expect(actual.h_citation_bits).not.toBe(expected.h_citation_bits);
  });

  it("beyond twenty candidates: the tail, which is told", async () => {
    const planned = await planAnswer(traceText(), {
      fields: FIELDS,
      alternatives: [25, 25],
      printable: true,
      tail: 0.05,
    });
    const [cut, whole] = [numbers(await through("openai", planned, 0.7)), numbers(direct(planned))];
    expect(cut.tail_mass).toBeGreaterThan(whole.tail_mass!);
    expect(cut.p2).toBeCloseTo(whole.p2!, 9);
  });

  it("of a chosen label outside the list, its probability: OpenAI does not say it, vLLM does", async () => {
    const planned = await planAnswer(traceText(), { printable: true, tail: 0, outside: ["inverse_check"] });
    const flags = async (dialect: Dialect): Promise<string[]> =>
      extractSignals(await through(dialect, planned, 1), { weights: EQUAL_WEIGHTS }).flags;
    expect(await flags("openai")).toContain("no_signal");
    expect(numbers(await through("llamacpp", planned, 1)).mass_inverse).toBeGreaterThan(0);
  });
});
