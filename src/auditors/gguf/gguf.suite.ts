import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { traceSchema } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { extractSignals, PAPER_WEIGHTS } from "../../entry/signals.js";
import type { Auditor } from "../auditor.js";
import { TRACE_FORMATS } from "../output-format.js";
import { allTokens, answerPrompt, preparePrompt, valueTokens } from "./answer-prompt.js";
import { createGgufAuditor } from "./auditor.js";
import { type Engine, type EngineSettings, engineSettings, openEngine, readPrompt } from "./engine.js";
import { abortedAtLook, entropyBits, logprobsOf, makeAsk, makePrompt } from "./engine.suite.js";
import { readGgufFile } from "./gguf-file.js";
import { drawAnswer, SCORE_BATCH, scoreTokens } from "./score-tokens.js";

const CONTEXT = 2048;
/** The engine's own softmax at temperature 1 with nothing cut off. */
const AT_ONE = { probabilities: true, options: { temperature: 1, topK: 0, topP: 1, minP: 0 } };

function unitLogs(probabilities: readonly number[]): number[] {
  const total = probabilities.reduce((sum, p) => sum + p, 0);
  return probabilities.map((p) => Math.log(p / total));
}

/** What holds for any model in GGUF format, on the real engine. A large one may need minutes for an answer. */
export function describeGguf(label: string, path: string, timeout = 60_000): void {
  describe(`gguf auditor on ${label}`, { timeout }, () => {
    let auditor: Auditor;
    beforeAll(async () => {
      auditor = await createGgufAuditor(`gguf:${path}`, path, { contextTokens: CONTEXT });
    });
    afterAll(() => auditor.close!());
    const ask = async (...args: Parameters<typeof makeAsk>): Promise<Generation[]> =>
      (await auditor.ask(makeAsk(...args))).generations;

    it("is known by its probe", async () => {
      const found = await auditor.probe!();
      expect(found).toMatchObject({
        logprobs: true,
        structuredOutput: true,
        space: "raw",
        dialect: "gguf",
        costUsd: 0,
      });
      expect(found.topLogprobs).toBeGreaterThan(200);
      expect(found.answersPerCall).toBe(auditor.answersPerCall);
      expect(found.model).not.toBe("");
      expect(found.notes.join("\n")).toMatch(/weights: .*\ncontext: \d+ tokens.*\nthreads: \d+/);
    });

    it.each(["paper", "extended"] as const)("writes every field of the %s template, in order", async (template) => {
      const format = TRACE_FORMATS[template];
      for (const answer of await ask({ prompt: makePrompt({ format }) }, ["a", "b", "c"])) {
        expect(answer.finish).toBe("stop");
        expect(Object.keys(JSON.parse(answer.text))).toEqual(format.fields.map(({ name }) => name));
        expect(traceSchema.safeParse(JSON.parse(answer.text)).error).toBeUndefined();
      }
    });

    it("gives tokens whose bytes joined are the text", async () => {
      for (const { text, tokens } of await ask({}, ["a", "b"])) {
        expect(Buffer.concat(tokens!.map((token) => token.bytes!)).equals(Buffer.from(text))).toBe(true);
      }
    });

    it("gives signals from the whole vocabulary", async () => {
      const answers = await ask({}, ["a", "b", "c", "d", "e", "f"]);
      const cited = answers.filter(({ text }) => JSON.parse(text).policy_citation !== "");
      expect(cited.length).toBeGreaterThan(0);
      for (const answer of cited) {
        const signals = extractSignals(answer, { weights: PAPER_WEIGHTS });
        expect(signals).toMatchObject({ outcome: "verdict", entropy_support: "vocab", logprob_space: "raw" });
        expect(signals.pds).not.toBeNull();
        expect(signals.h_citation_bits).toBeGreaterThanOrEqual(0);
        expect(signals.tail_mass).toBeLessThan(1e-9);
        expect(signals.flags).not.toContain("censored");
      }
    });

    it("keeps distributions only where signals read them: whole at labels, else the best and the exact entropy", async () => {
      const [answer] = await ask();
      const read = answer!.tokens!.filter(({ top }) => top.length > 0);
      expect(read.length).toBeGreaterThanOrEqual(3);
      expect(read.length).toBeLessThan(answer!.tokens!.length);
      let whole = 0;
      for (const { text, logprob, top, bits } of read) {
        expect(top.every((one, i) => i === 0 || one.logprob <= top[i - 1]!.logprob)).toBe(true);
        const sum = top.reduce((total, one) => total + Math.exp(one.logprob), 0);
        if (top.length === 64 && sum < 1 - 1e-9) expect(bits).toBeGreaterThan(0);
        else {
          whole++;
          expect(sum).toBeCloseTo(1, 9);
          expect(bits).toBeCloseTo(entropyBits(top.map((one) => one.logprob)), 9);
          expect(top.some((one) => one.text === text && one.logprob === logprob)).toBe(true);
        }
      }
      expect(whole).toBeGreaterThanOrEqual(3);
    });

    it("gives the same answer for the same seed, whatever was asked in between, and others for other seeds", async () => {
      const first = await ask({}, ["x", "y", "z"]);
      await ask({ prompt: makePrompt({ own: "Content: something else altogether." }) });
      await ask({ prompt: makePrompt({ system: "You do something else.", shared: "No rules.\n" }) });
      const again = await ask({}, ["z"]);
      expect(again[0]!.text).toBe(first[2]!.text);
      expect(again[0]!.tokens).toEqual(first[2]!.tokens);
      expect(new Set(first.map(({ text }) => text)).size).toBeGreaterThan(1);
    });

    it("gives the likeliest answer at temperature 0, for any seed", async () => {
      const [one, other] = await ask({ temperature: 0 }, ["x", "y"]);
      expect(other!.text).toBe(one!.text);
      expect(one!.temperature).toBe(0);
    });

    it("gives no tokens where nobody wants probabilities, and the same text", async () => {
      const [bare] = await ask({ logprobs: false });
      const [full] = await ask();
      expect(bare!.tokens).toBeNull();
      expect(bare!.text).toBe(full!.text);
    });

    it("reads a prompt once for all its answers, and the rules once for all decisions of a frame", async () => {
      const shared = makePrompt().shared.repeat(3);
      const answers = await ask({ prompt: makePrompt({ shared, own: "Content: one." }) }, ["a", "b", "c"]);
      const [other] = await ask({ prompt: makePrompt({ shared, own: "Text: another decision." }) });
      const [first, ...replicates] = answers.map(({ usage }) => usage);
      for (const usage of replicates) expect(usage.cached_input_tokens).toBe(usage.input_tokens! - 1);
      expect(first!.cached_input_tokens).toBeLessThan(first!.input_tokens! / 2);
      expect(other!.usage.input_tokens! - other!.usage.cached_input_tokens!).toBeLessThan(first!.input_tokens! / 4);
      expect(first!.output_tokens).toBe(answers[0]!.tokens!.length);
      expect(first!.cost_usd).toBe(0);
    });

    it("ends soon when it is called off, and answers the next question as if nothing had been", async () => {
      const [undisturbed] = await ask();
      const { signal, looks } = abortedAtLook(12);
      await expect(ask({ signal, logprobs: false }, ["b"])).rejects.toMatchObject({ fault: "aborted" });
      expect(looks()).toBeLessThanOrEqual(13);
      expect((await ask())[0]!.tokens).toEqual(undisturbed!.tokens);
    });

    it("refuses a prompt that is longer than its context, and says how long it may be", async () => {
      const attempt = ask({ prompt: makePrompt({ own: "word and word ".repeat(4 * CONTEXT) }) });
      await expect(attempt).rejects.toMatchObject({ fault: "bad_request", remedy: expect.stringMatching(/`context`/) });
      await expect(attempt).rejects.toThrow(/got \d+ tokens, expected at most \d+ of \d+/);
    });

    it("is asked for the same text only if the answers have the same distribution", () => {
      const text = (...args: Parameters<typeof makeAsk>) => auditor.requestText!(makeAsk(...args));
      expect(text({}, ["a"])).toBe(text({}, ["b"]));
      expect(text({ temperature: 0 })).not.toBe(text({ temperature: 1 }));
      expect(text({ prompt: makePrompt({ own: "other" }) })).not.toBe(text());
      expect(text({ prompt: makePrompt({ format: TRACE_FORMATS.extended }) })).not.toBe(text());
      expect(JSON.parse(text()).file.bytes).toBeGreaterThan(0);
    });
  });

  describe(`engine on ${label}`, { timeout }, () => {
    let settings: EngineSettings;
    let engine: Engine;
    let reference: Engine;
    beforeAll(async () => {
      const file = await readGgufFile(path);
      settings = engineSettings(file, { contextTokens: CONTEXT });
      engine = await openEngine(file, settings);
      reference = await openEngine(file, settings);
    }, timeout);
    afterAll(async () => {
      await engine.close();
      await reference.close();
    });

    it("gives exactly the softmax over the whole vocabulary at temperature 1, without the grammar", async () => {
      const { rendered, format, grammar, limit } = await preparePrompt(engine, makePrompt(), settings.outputTokens);
      const prompt = rendered.tokens;
      let compared = 0;
      for (const seed of [1, 2, 3]) {
        await readPrompt(engine.sequence, rendered);
        const draw = { temperature: 1, seed, limit };
        const { tokens: answer } = await drawAnswer(engine, prompt.at(-1)!, grammar, draw);
        const { bytes, ends } = engine.pieces.join(answer);
        const wanted = allTokens(valueTokens(bytes, ends, format));
        const found = await scoreTokens(engine.sequence, prompt, answer, wanted);
        expect([...found.keys()]).toEqual(wanted);

        // The same tokens in the same batches: what is left to differ is how the numbers are asked for.
        await readPrompt(reference.sequence, rendered);
        const before = [prompt.at(-1)!, ...answer];
        for (const token of before.slice(0, wanted[0]!)) {
          await reference.sequence.evaluateWithoutGeneratingNewTokens([token]);
        }
        for (let from = wanted[0]!; from <= wanted.at(-1)!; from += SCORE_BATCH) {
          const batch = before.slice(from, Math.min(from + SCORE_BATCH, wanted.at(-1)! + 1));
          const results = await reference.sequence.controlledEvaluate(
            batch.map((token, i) => (found.has(from + i) ? [token, { generateNext: AT_ONE }] : token)),
          );
          for (const [i, result] of results.entries()) {
            if (!result) continue;
            const expected = [...result.next.probabilities!.values()].filter((p) => p > 0);
            expect(
              Math.abs(entropyBits(logprobsOf(found.get(from + i)!)) - entropyBits(unitLogs(expected))),
            ).toBeLessThan(1e-9);
            compared++;
          }
        }
      }
      expect(compared).toBeGreaterThanOrEqual(9);
    });

    it("evaluates only what it does not hold already, by the engine's own count", async () => {
      const options = { temperature: 1, seed: 1, logprobs: false };
      const counted = async (own: string) => {
        const ready = await preparePrompt(engine, makePrompt({ own }), settings.outputTokens);
        const before = engine.sequence.tokenMeter.usedInputTokens;
        const { usage } = await answerPrompt(engine, ready, options);
        const evaluated = engine.sequence.tokenMeter.usedInputTokens - before;
        expect(evaluated).toBe(usage.input_tokens! - 1 - usage.cached_input_tokens!);
        return { evaluated, shared: ready.rendered.shared, all: usage.input_tokens! };
      };
      await engine.sequence.clearHistory();
      const first = await counted("Content: the first.");
      expect(first.evaluated).toBe(first.all - 1);
      const again = await counted("Content: the first.");
      expect(again.evaluated).toBe(0);
      const next = await counted("Text: the second one.");
      expect(next.evaluated).toBe(next.all - 1 - next.shared);
      expect(next.shared).toBeGreaterThan(next.all / 2);
      // It begins like the one before, but what is kept ends where all decisions of the frame have a border.
      const alike = await counted("Text: the second two.");
      expect(alike.evaluated).toBe(alike.all - 1 - alike.shared);
    });
  });
}
