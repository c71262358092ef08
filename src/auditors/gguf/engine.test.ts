import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { engineSettings } from "./engine.js";
import type { GgufFile } from "./gguf-file.js";

const FILE: GgufFile = { path: "/m.gguf", bytes: 5e9, modifiedMs: 0, head: "", name: null, trainedContext: 131072 };

describe("engineSettings", () => {
  it("takes 8192 tokens of context, or what the model has if that is less", () => {
    expect(engineSettings(FILE, {}, {}).contextTokens).toBe(8192);
    expect(engineSettings({ ...FILE, trainedContext: 2048 }, {}, {})).toMatchObject({
      contextTokens: 2048,
      outputTokens: 512,
    });
    expect(engineSettings({ ...FILE, trainedContext: null }, {}, {}).contextTokens).toBe(8192);
  });

  it("takes the context that is asked for, as far as the model was trained for it", () => {
    expect(engineSettings(FILE, { contextTokens: 32768 }, {})).toMatchObject({
      contextTokens: 32768,
      outputTokens: 1024,
    });
    expect(engineSettings({ ...FILE, trainedContext: 4096 }, { contextTokens: 32768 }, {}).contextTokens).toBe(4096);
  });

  it("runs a tiny model on one thread and others on all processors", () => {
    expect(engineSettings({ ...FILE, bytes: 184_000 }, {}, {}).threads).toBe(1);
    expect(engineSettings(FILE, {}, {}).threads).toBe(availableParallelism());
    expect(engineSettings(FILE, {}, { DEFENSIBLE_GGUF_THREADS: "3" }).threads).toBe(3);
  });

  it("uses a GPU unless it is switched off", () => {
    expect(engineSettings(FILE, {}, {}).gpu).toBe(true);
    expect(engineSettings(FILE, {}, { DEFENSIBLE_GGUF_GPU: "off" }).gpu).toBe(false);
  });

  it("refuses what it does not understand", () => {
    for (const env of [
      { DEFENSIBLE_GGUF_GPU: "no" },
      { DEFENSIBLE_GGUF_THREADS: "0" },
      { DEFENSIBLE_GGUF_THREADS: "x" },
    ]) {
      expect(() => engineSettings(FILE, {}, env)).toThrow(InputError);
    }
    for (const contextTokens of [0, 63, 100.5, Number.NaN]) {
      expect(() => engineSettings(FILE, { contextTokens }, {})).toThrow(InputError);
    }
  });
});
