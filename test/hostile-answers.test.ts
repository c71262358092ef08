import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Auditor, CallError } from "../src/auditors/auditor.js";
import type { Generation } from "../src/core/records/case.js";
import { EQUAL_WEIGHTS } from "../src/measures/signals/components.js";
import { extractSignals } from "../src/measures/signals/extract-signals.js";
import { type Dialect, type FakeServer, garbage, planAnswer, traceText } from "./fake-models/index.js";
import { randomFrom } from "./fake-models/random.js";
import { askOf, KEY, type ServedModel, serve, stubKeys } from "./served-model.suite.js";

const RUNS = 250;
const rest = { trueBytes: false, cachedTokens: null, faults: [] };
const compatible = (dialect: Dialect): ServedModel => ({
  ...rest,
  dialect,
  auditor: "openai-compatible:fake-model",
  options: { dialect },
  keys: ["OPENAI_API_KEY"],
});

/** One of each shape of answer. */
const MODELS: readonly ServedModel[] = [
  { ...rest, dialect: "openai", auditor: "openai:gpt-4.1-mini", keys: ["OPENAI_API_KEY"] },
  compatible("llamacpp"),
  compatible("lmstudio"),
  compatible("together"),
  { ...rest, dialect: "gemini", auditor: "gemini:gemini-2.0-flash", keys: ["GEMINI_API_KEY"] },
];

type Random = () => number;
const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;

/** Bytes changed, cut out, doubled or put in. */
function damage(body: Buffer, random: Random): Buffer {
  const at = Math.floor(random() * body.length);
  const length = Math.floor(random() * 40);
  const [before, part, after] = [body.subarray(0, at), body.subarray(at, at + length), body.subarray(at + length)];
  const noise = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 3) }, () => Math.floor(random() * 256)));
  return pick(
    [
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, part, part, after]),
      () => Buffer.concat([before, noise, after]),
      () =>
        Buffer.concat([
          before,
          Buffer.from(pick(['"', "\\", "{", "]", ",", "null", "\\u12", "e", "-"], random)),
          part,
          after,
        ]),
      () => before,
    ],
    random,
  )();
}

const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  5,
  1e308,
  -1e308,
  "",
  "x",
  "\ud800",
  "9".repeat(400),
  [],
  {},
  [[]],
  { token: 5 },
  [null, { candidates: 3 }],
];

/** One value anywhere replaced by a strange one, removed, or moved into a list. */
function confuse(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random() < 0.08)
    return random() < 0.2 ? [value] : pick(STRANGE, random);
  if (Array.isArray(value)) {
    if (value.length === 0) return pick(STRANGE, random);
    const at = Math.floor(random() * value.length);
    return value.map((item, i) => (i === at ? confuse(item, random) : item));
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return pick(STRANGE, random);
  const chosen = pick(keys, random);
  const entries = Object.entries(value).flatMap(([key, item]) => {
    if (key !== chosen) return [[key, item]];
    return random() < 0.1 ? [] : [[key, confuse(item, random)]];
  });
  return Object.fromEntries(entries);
}

function isToken({ text, logprob, bytes }: { text: unknown; logprob: unknown; bytes?: unknown }): boolean {
  const isNumber = typeof logprob === "number" && !Number.isNaN(logprob);
  return typeof text === "string" && isNumber && (bytes == null || bytes instanceof Uint8Array);
}

/** Of the right types throughout, whatever the numbers are; and signals can be taken from it. */
function expectUsable(generation: Generation): void {
  expect(typeof generation.text).toBe("string");
  expect(["stop", "length", "refusal", "filter"]).toContain(generation.finish);
  expect(typeof generation.model).toBe("string");
  for (const [name, count] of Object.entries(generation.usage)) {
    if (count !== null) expect(Number.isFinite(count) && count >= 0, `${name} ${count}`).toBe(true);
  }
  // One expectation for all: there are hundreds of tokens in each of thousands of answers.
  const tokens = (generation.tokens ?? []).flatMap((token) => [token, ...token.top]);
  expect(tokens.filter((token) => !isToken(token))).toEqual([]);
  const { level_probs, trace: _trace, label_mass, ...signals } = extractSignals(generation, { weights: EQUAL_WEIGHTS });
  const numbers = [...Object.values(signals), ...(level_probs ?? []), ...Object.values(label_mass ?? {})];
  for (const number of numbers) if (typeof number === "number") expect(Number.isFinite(number)).toBe(true);
}

describe.each(MODELS)("$auditor ($dialect), where the answer is", (model) => {
  let server: FakeServer;
  let auditor: Auditor;
  let whole: Buffer;
  let next: Buffer | null;

  beforeEach(async () => {
    stubKeys(model.keys);
    const planned = await planAnswer(traceText({ logic_chain: "é", policy_citation: "R3 漢" }), {
      alternatives: [2, 2],
    });
    next = null;
    const one = await serve(model, { answer: () => (next ? garbage(next) : planned) });
    server = one.server;
    auditor = one.auditor;
    await auditor.ask(askOf());
    const { path, text } = server.requests.at(-1)!;
    const again = await fetch(server.origin + path, {
      method: "POST",
      body: text,
      headers: { authorization: `Bearer ${KEY}` },
    });
    whole = Buffer.from(await again.arrayBuffer());
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await auditor.close?.();
    await server.close();
  });

  async function answered(body: Buffer): Promise<"usable" | "refused"> {
    next = body;
    try {
      const { generations } = await auditor.ask(askOf());
      expect(generations).toHaveLength(1);
      expectUsable(generations[0]!);
      return "usable";
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      expect(error.fault).toBe("bad_answer");
      return "refused";
    }
  }

  it("damaged: it is refused or usable, and nothing else happens", async () => {
    const outcomes = new Set<string>();
    for (let run = 0; run < RUNS; run++) {
      const body = damage(whole, randomFrom(`damage ${run}`));
      outcomes.add(
        await answered(body).catch((error: unknown) => Promise.reject(new Error(`run ${run}`, { cause: error }))),
      );
    }
    expect([...outcomes].sort()).toEqual(["refused", "usable"]);
  });

  it("of other types than promised: it is refused or usable, and nothing else happens", async () => {
    const value: unknown = JSON.parse(whole.toString("utf8"));
    const outcomes = new Set<string>();
    for (let run = 0; run < RUNS; run++) {
      const body = Buffer.from(JSON.stringify(confuse(value, randomFrom(`confuse ${run}`))));
      outcomes.add(
        await answered(body).catch((error: unknown) => Promise.reject(new Error(`run ${run}`, { cause: error }))),
      );
    }
    expect([...outcomes].sort()).toEqual(["refused", "usable"]);
  });

  it.each([
    ["nested without end", "[".repeat(200_000)],
    ["nested deep and closed", `${'{"choices":['.repeat(20_000)}${"]}".repeat(20_000)}`],
    ["a byte order mark and nothing", "\ufeff"],
    [
      "numbers beyond any",
      '{"choices":[{"index":1e999,"message":{"content":"x"},"logprobs":{"content":[{"token":"x","logprob":-1e999,"top_logprobs":[]}]}}]}',
    ],
  ])("%s", async (_title, text) => {
    expect(["refused", "usable"]).toContain(await answered(Buffer.from(text)));
  });
});
