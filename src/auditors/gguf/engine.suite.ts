import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ask } from "../auditor.js";
import { type OutputFormat, type Prompt, TRACE_FORMATS } from "../output-format.js";
import { type Distribution, logprobAt } from "./score-tokens.js";
import { type TinyOptions, writeTinyGguf } from "./tiny-gguf.suite.js";

/** Why the engine cannot run here; null: it can. On Linux x64 it has to. */
export async function engineMissing(): Promise<string | null> {
  if (process.platform === "linux" && process.arch === "x64") return null;
  try {
    const { getLlama } = await import("node-llama-cpp");
    await getLlama({ gpu: false, build: "never", dryRun: true, progressLogs: false });
    return null;
  } catch (error) {
    return `no engine for ${process.platform} ${process.arch}: ${(error as Error).message}`;
  }
}

/** A folder that is gone when the tests are over. */
export const testFolder = mkdtempSync(join(tmpdir(), "defensible-gguf-"));
// Test files share a process: a hook here would belong to the first of them alone.
process.once("exit", () => rmSync(testFolder, { recursive: true, force: true }));

let models = 0;

/** Path of a fresh tiny model. */
export function tinyModel(options: TinyOptions = {}): string {
  const path = join(testFolder, `tiny-${models++}.gguf`);
  writeTinyGguf(path, options);
  return path;
}

export function makePrompt(overrides: Partial<Prompt> = {}): Prompt {
  return {
    system: "You audit decisions. Answer in JSON.",
    shared: `Rules:\n${Array.from({ length: 12 }, (_, i) => `R${i + 1} the rule says no to links.`).join("\n")}\n`,
    own: "Content: a link to a shop. Decision: remove.",
    format: TRACE_FORMATS.paper,
    version: "test-1#0",
    notes: { flags: [], precedents_used: null, precedents_left_out: 0, content_cut: 0, scrubbed: null },
    ...overrides,
  };
}

export function makeAsk(overrides: Partial<Ask> = {}, seeds: readonly string[] = ["a"]): Ask {
  return {
    case: null,
    prompt: makePrompt(),
    temperature: 1,
    logprobs: true,
    wanted: seeds.map((seed) => ({ key: seed, seed })),
    ...overrides,
  };
}

export const DIGIT_FORMAT: OutputFormat = {
  name: "digit",
  fields: [{ name: "d", kind: "digit", values: [1, 2, 3], about: "a digit" }],
};

export function entropyBits(logprobs: Iterable<number>): number {
  let bits = 0;
  for (const logprob of logprobs) bits -= (Math.exp(logprob) * logprob) / Math.LN2;
  return bits;
}

export function logprobsOf(distribution: Distribution): number[] {
  return Array.from(distribution.probs, (_, i) => logprobAt(distribution, i));
}

/** A signal that is aborted from its n-th look on: in the midst of the work, without a clock. */
export function abortedAtLook(n: number): { signal: AbortSignal; looks: () => number } {
  const { signal } = new AbortController();
  let looks = 0;
  Object.defineProperty(signal, "aborted", { get: () => ++looks >= n });
  return { signal, looks: () => looks };
}
