import type { ResponseCache } from "../../audit/calls/response-cache.js";
import { decodeGeneration, encodeGeneration } from "../../auditors/recorded/generation-codec.js";
import { trimGeneration } from "../../measures/signals/trim-generation.js";

/** Answers in memory, in the form in which files have them. */
export function memoryCache(answers = new Map<string, string>()): ResponseCache {
  return {
    async get(key) {
      const text = answers.get(key);
      return text === undefined ? null : decodeGeneration(text);
    },
    async put(key, generation) {
      if (generation.finish === "stop") answers.set(key, encodeGeneration(trimGeneration(generation)));
    },
    async close() {},
  };
}
