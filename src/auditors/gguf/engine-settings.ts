import { availableParallelism } from "node:os";
import { InputError } from "../../core/errors.js";
import type { AuditorOptions } from "../create-auditor.js";
import type { GgufFile } from "./gguf-file.js";

/** How a model is run on this machine. */
export interface EngineSettings {
  gpu: boolean;
  threads: number;
  contextTokens: number;
  /** Most tokens of one answer. */
  outputTokens: number;
}

/** Room for rules, precedents and content that a laptop's memory can hold beside the model. */
const DEFAULT_CONTEXT = 8192;
/** A trace has 200 to 300 tokens; its texts are cut at 1,200 characters each by the grammar. */
const DEFAULT_OUTPUT = 1024;
const SMALLEST_CONTEXT = 64;
/** Below this size threads wait for one another longer than they compute: 0.9 ms a token with one, 257 ms with four on two cores. */
const TINY_MODEL_BYTES = 50e6;

export function engineSettings(
  file: GgufFile,
  options: AuditorOptions = {},
  env: NodeJS.ProcessEnv = process.env,
): EngineSettings {
  const wanted = options.contextTokens ?? DEFAULT_CONTEXT;
  if (!(Number.isInteger(wanted) && wanted >= SMALLEST_CONTEXT)) {
    throw new InputError("context", `context: too small; got ${wanted}, expected at least ${SMALLEST_CONTEXT} tokens`);
  }
  const contextTokens = Math.min(wanted, file.trainedContext ?? wanted);
  return {
    gpu: readSwitch(env.DEFENSIBLE_GGUF_GPU),
    threads: readThreads(env.DEFENSIBLE_GGUF_THREADS) ?? (file.bytes < TINY_MODEL_BYTES ? 1 : availableParallelism()),
    contextTokens,
    outputTokens: Math.min(DEFAULT_OUTPUT, Math.floor(contextTokens / 4)),
  };
}

function readSwitch(given: string | undefined): boolean {
  if (given === undefined || given === "" || given === "auto") return true;
  if (given === "off") return false;
  throw new InputError("gguf_gpu", `DEFENSIBLE_GGUF_GPU: unknown; got "${given}", expected auto or off`);
}

function readThreads(given: string | undefined): number | null {
  if (given === undefined || given === "") return null;
  const threads = Number(given);
  if (Number.isInteger(threads) && threads >= 1 && threads <= 1024) return threads;
  throw new InputError(
    "gguf_threads",
    `DEFENSIBLE_GGUF_THREADS: not a number of threads; got "${given}", expected 1 or more`,
  );
}
