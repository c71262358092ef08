import { writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { extractSignals, PAPER_WEIGHTS } from "../../entry/signals.js";
import type { Auditor } from "../auditor.js";
import { createAuditor } from "../create-auditor.js";
import { createGgufAuditor, seedNumber } from "./auditor.js";
import { DIGIT_FORMAT, engineMissing, makeAsk, makePrompt, tinyModel } from "./engine.suite.js";
import { describeGguf } from "./gguf.suite.js";
import { briefAndValid } from "./tiny-gguf.suite.js";

const missing = await engineMissing();
const given = process.env.DEFENSIBLE_TEST_GGUF;

describe.skipIf(missing !== null)(missing ?? "with an engine", () => {
  describeGguf("a tiny model", tinyModel());
  describeGguf("a tiny model with a byte-level vocabulary", tinyModel({ byteLevel: true }));
  if (given) describeGguf(given, given, 1_800_000);

  describe("gguf auditor", () => {
    const opened: Auditor[] = [];
    const open = async (...[path, options]: [string, Parameters<typeof createGgufAuditor>[2]?]) => {
      const auditor = await createGgufAuditor(`gguf:${path}`, path, options);
      opened.push(auditor);
      return auditor;
    };
    afterEach(async () => {
      for (const auditor of opened.splice(0)) await auditor.close!();
    });

    it("is made by its name and asks for a prompt", async () => {
      const path = tinyModel();
      const auditor = await createAuditor(`gguf:${path}`);
      opened.push(auditor);
      expect(auditor).toMatchObject({
        name: `gguf:${path}`,
        signals: ["logprobs", "sampling", "none"],
        inProcess: false,
        maxConcurrency: 1,
      });
      expect(auditor.readsPrompt!.contextTokens).toBeLessThan(4096);
      expect(auditor.readsPrompt!.outputTokens).toBe(1024);
    });

    it("draws from softmax(logits / T) over what the grammar allows", async () => {
      const temperature = 0.6;
      const seeds = Array.from({ length: 250 }, (_, i) => `seed ${i}`);
      const auditor = await open(tinyModel());
      const prompt = makePrompt({ format: DIGIT_FORMAT });
      const { generations } = await auditor.ask(makeAsk({ prompt, temperature }, seeds));
      const counts = { expected: [0, 0, 0], variance: [0, 0, 0], seen: [0, 0, 0] };
      for (const { text, tokens } of generations) {
        const { top } = tokens!.find((token) => token.top.length > 0)!;
        const weights = [1, 2, 3].map((digit) =>
          top
            .filter((one) => one.text === String(digit))
            .reduce((sum, { logprob }) => sum + Math.exp(logprob / temperature), 0),
        );
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        weights.forEach((weight, i) => {
          const p = weight / total;
          counts.expected[i]! += p;
          counts.variance[i]! += p * (1 - p);
        });
        counts.seen[JSON.parse(text).d - 1]!++;
      }
      counts.seen.forEach((seen, i) => {
        expect(Math.abs(seen - counts.expected[i]!)).toBeLessThan(4 * Math.sqrt(counts.variance[i]!));
      });
      // The check could not tell temperatures apart if all digits were equally likely.
      expect(Math.max(...counts.seen) - Math.min(...counts.seen)).toBeGreaterThan(40);
    });

    it("lays half characters over the text", async () => {
      // Letters of two bytes, each byte a token of its own.
      const bias = (token: string) => {
        if (token === "<0xC3>") return 6;
        return briefAndValid(token) - (/^<0x/.test(token) && token !== "<0x22>" ? 0 : 2);
      };
      const auditor = await open(tinyModel({ bias }));
      const { generations } = await auditor.ask(makeAsk({}, ["a", "b", "c", "d"]));
      const cited = generations.filter(({ text }) => /[à-ÿ]/.test(JSON.parse(text).policy_citation));
      expect(cited.length).toBeGreaterThan(0);
      for (const answer of cited) {
        expect(answer.tokens!.some(({ text }) => text === "\uFFFD")).toBe(true);
        const { h_citation_bits, citation_tokens, citation_spans, trace } = extractSignals(answer, {
          weights: PAPER_WEIGHTS,
        });
        expect(h_citation_bits).toBeGreaterThan(0);
        expect(citation_tokens).toBeGreaterThan([...trace.policy_citation!].length);
        expect(citation_spans!.map(([text]) => text).join("")).toBe(JSON.stringify(trace.policy_citation).slice(1, -1));
      }
    });

    it("is cut off where a model never closes its text, and says so", async () => {
      const bias = (token: string) => (token === "<0x22>" || token === '","' || token === '.","' ? -30 : 0);
      const auditor = await open(tinyModel({ bias }), { contextTokens: 1024 });
      const { generations } = await auditor.ask(makeAsk());
      expect(generations[0]).toMatchObject({ finish: "length", usage: { output_tokens: 256 } });
      expect(extractSignals(generations[0]!, { weights: PAPER_WEIGHTS }).error!.code).toBe("truncated");
    });

    it("answers one question after another, however many come at once", async () => {
      const auditor = await open(tinyModel());
      const asks = ["a", "b", "c"].map((own) => makeAsk({ prompt: makePrompt({ own }) }));
      const together = await Promise.all(asks.map((one) => auditor.ask(one)));
      for (const [i, one] of asks.entries()) {
        expect((await auditor.ask(one)).generations[0]!.tokens).toEqual(together[i]!.generations[0]!.tokens);
      }
    });

    it("loads again after it was closed", async () => {
      const auditor = await open(tinyModel());
      const before = await auditor.ask(makeAsk());
      await auditor.close!();
      expect((await auditor.ask(makeAsk())).generations[0]!.text).toBe(before.generations[0]!.text);
    });

    it("tells of a file that only looks like a model at the first question, as a fault of the whole run", async () => {
      const path = tinyModel();
      writeFileSync(path, Buffer.concat([Buffer.from("GGUF\u0003\0\0\0"), Buffer.alloc(60)]));
      const auditor = await open(path);
      await expect(auditor.ask(makeAsk())).rejects.toMatchObject({ fault: "unsupported", final: true });
      await expect(auditor.probe!()).rejects.toThrow(/GGUF file: the engine cannot load it/);
    });
  });
});

describe("seedNumber", () => {
  it("is never the number by which llama.cpp draws a seed of its own", () => {
    for (let i = 0; i < 1000; i++) {
      expect(seedNumber(String(i))).toBeGreaterThanOrEqual(0);
      expect(seedNumber(String(i))).toBeLessThan(2 ** 31);
    }
  });
});
