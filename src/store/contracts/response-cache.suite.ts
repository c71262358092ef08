import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResponseCache } from "../../audit/calls/caller.js";
import { answerOf, COMPACT } from "../../measures/signals/answer.suite.js";
import { extractSignals } from "../../measures/signals/extract-signals.js";
import { anyGeneration } from "../../measures/signals/generation.suite.js";
import { PAPER_WEIGHTS } from "../../measures/signals/weights.js";

const keyOf = (request: string) => createHash("sha256").update(request).digest("hex");
const weights = PAPER_WEIGHTS;

/** What every cache must do. `create` gives a fresh place, and what opens the cache there, as often as it is called. */
export function responseCacheContract(name: string, create: () => () => ResponseCache): void {
  describe(`${name} keeps the contract of a response cache`, () => {
    it("gives back an answer with the same signals, at once and when it is opened again", async () => {
      const open = create();
      const cache = open();
      const answer = answerOf(COMPACT);
      expect(await cache.get(keyOf("a question"))).toBeNull();
      await cache.put(keyOf("a question"), answer);
      for (const reader of [cache, open()]) {
        const kept = await reader.get(keyOf("a question"));
        expect(extractSignals(kept!, { weights })).toEqual(extractSignals(answer, { weights }));
        expect(kept).toMatchObject({ text: answer.text, model: answer.model, usage: answer.usage });
      }
      expect(await cache.get(keyOf("another question"))).toBeNull();
    });

    it("keeps signals, whatever the answer, and nothing that did not end by itself", async () => {
      const cache = create()();
      for (const [i, generation] of fc.sample(anyGeneration, { numRuns: 200, seed: 11 }).entries()) {
        await cache.put(keyOf(`${i}`), generation);
        const kept = await cache.get(keyOf(`${i}`));
        if (generation.finish !== "stop") expect(kept).toBeNull();
        else expect(extractSignals(kept!, { weights })).toEqual(extractSignals(generation, { weights }));
      }
    });
  });
}
