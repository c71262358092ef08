import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import type { Llama, LlamaContext, LlamaContextSequence, LlamaModel } from "node-llama-cpp";
import { EnvironmentError, InputError } from "../../core/errors.js";
import { CallError } from "../auditor.js";
import type { AuditorOptions } from "../create-auditor.js";
import { ChatPrompt, commonPrefix, type PromptTokens, TokenPieces } from "./chat-prompt.js";
import type { GgufFile } from "./gguf-file.js";

/** How a model is run on this machine. */
export interface EngineSettings {
  gpu: boolean;
  threads: number;
  contextTokens: number;
  /** Most tokens of one answer. */
  outputTokens: number;
}

/** Enough for rules, precedents and content, and small enough for a laptop's memory next to the model. */
const DEFAULT_CONTEXT = 8192;
/** A trace has 200 to 300 tokens; the grammar cuts its texts at 1,200 characters each. */
const DEFAULT_OUTPUT = 1024;
const SMALLEST_CONTEXT = 64;
/** Below this size, threads spend longer waiting for one another than computing: 0.9 ms per token with one thread, 257 ms with four on two cores. */
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

/** Tokens that the engine evaluates at a time. */
const BATCH_TOKENS = 512;

/** A loaded model with its one sequence of tokens. */
export interface Engine {
  library: Library;
  llama: Llama;
  model: LlamaModel;
  context: LlamaContext;
  sequence: LlamaContextSequence;
  chat: ChatPrompt;
  pieces: TokenPieces;
  close(): Promise<void>;
}

/** Loads the model into memory: takes seconds, and as many gigabytes as its file has. */
export async function openEngine(file: GgufFile, settings: EngineSettings): Promise<Engine> {
  const library = await loadLibrary();
  const llama = await library
    .getLlama({
      gpu: settings.gpu ? "auto" : false,
      build: "never",
      progressLogs: false,
      logLevel: library.LlamaLogLevel.disabled,
      logger: () => {},
      maxThreads: settings.threads,
    })
    .catch((error: Error) => {
      throw new EnvironmentError(
        "gguf_engine",
        `node-llama-cpp: has no engine for this machine; ${firstLine(error.message)}`,
        "Build it: npx node-llama-cpp source download",
      );
    });
  try {
    const model = await llama.loadModel({ modelPath: file.path }).catch((error: Error) => {
      throw loadError(library, file, error);
    });
    const context = await model
      .createContext({
        contextSize: settings.contextTokens,
        batchSize: Math.min(BATCH_TOKENS, settings.contextTokens),
        sequences: 1,
        threads: settings.threads,
        // A sliding window that forgets could not be rewound to the end of the rules for the next decision.
        swaFullCache: true,
        // With less context than requested, prompts made to fit would fail.
        failedCreationRemedy: false,
      })
      .catch((error: Error) => {
        throw memoryError(file, error);
      });
    const chat = new ChatPrompt(library, model);
    const { tokens = [], token_type: types = [] } = model.fileInfo.metadata.tokenizer.ggml;
    const byteLevel = model.vocabularyType === library.LlamaVocabularyType.bpe;
    const pieces = new TokenPieces({ tokens, types, byteLevel });
    const sequence = context.getSequence();
    return { library, llama, model, context, sequence, chat, pieces, close: () => llama.dispose() };
  } catch (error) {
    await llama.dispose();
    throw error;
  }
}

function loadError(library: Library, file: GgufFile, error: Error): EnvironmentError | InputError {
  if (error instanceof library.InsufficientMemoryError) return memoryError(file, error);
  return new InputError(
    "gguf_file",
    `GGUF file: the engine cannot load it; got ${file.path} (${firstLine(error.message)})`,
    "Name the file of a language model that this version of llama.cpp knows; newer models may need: npm install node-llama-cpp",
  );
}

function memoryError(file: GgufFile, error: Error): EnvironmentError {
  return new EnvironmentError(
    "gguf_memory",
    `model: does not fit into memory; got ${(file.bytes / 1e9).toFixed(1)} GB of weights and its context (${firstLine(error.message)})`,
    "Give it less room with `context`, or use a smaller or more strongly quantised model.",
  );
}

/**
 * Brings the sequence to the end of the prompt, except its last token, and keeps the part it already holds. Returns how many
 * tokens did not have to be evaluated again.
 *
 * Evaluation is cut at the same places of a prompt whatever was kept of it (every 512 tokens from its start, the end of the
 * shared part, every 512 from there, the last token). The last digits of a token's numbers depend on the batch it was evaluated
 * in, so cutting wherever the last prompt began to differ would make an answer depend on the decision before it.
 */
export async function readPrompt(
  sequence: LlamaContextSequence,
  { tokens, shared }: PromptTokens,
  signal?: AbortSignal,
): Promise<number> {
  const cuts = cutsOf(tokens.length - 1, shared);
  const held = Math.min(commonPrefix(sequence.contextTokens, tokens), tokens.length - 1);
  const kept = cuts.findLast((cut) => cut <= held) ?? 0;
  const before = sequence.tokenMeter.usedInputTokens;
  if (kept < sequence.nextTokenIndex) {
    await sequence.eraseContextTokenRanges([{ start: kept, end: sequence.nextTokenIndex }]);
  }
  let from = kept;
  for (const cut of cuts) {
    if (cut <= from) continue;
    throwIfAborted(signal);
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, cut));
    // For models whose state cannot be rolled back; no effect on others.
    if (cut === shared || cut === tokens.length - 1) await sequence.takeCheckpoint();
    from = cut;
  }
  const evaluated = sequence.tokenMeter.usedInputTokens - before;
  return Math.max(0, tokens.length - 1 - evaluated);
}

/** Where evaluation pauses, ascending, from 0 to `end`. */
export function cutsOf(end: number, shared: number): number[] {
  const border = Math.min(shared, end);
  const cuts: number[] = [];
  for (let at = 0; at < border; at += BATCH_TOKENS) cuts.push(at);
  for (let at = border; at < end; at += BATCH_TOKENS) cuts.push(at);
  cuts.push(end);
  return cuts;
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CallError("aborted", "call: ended before its answer was complete");
}

export type Library = typeof import("node-llama-cpp");

/** Loads the engine's package. It is large and most users do not need it, so users install it themselves. */
export async function loadLibrary(load: () => Promise<Library> = () => import("node-llama-cpp")): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_MODULE_NOT_FOUND" && /node-llama-cpp/.test(message)) throw notInstalled();
    throw new EnvironmentError(
      "gguf_engine",
      `node-llama-cpp: cannot be loaded; ${firstLine(message)}`,
      "Install it again: npm install node-llama-cpp",
    );
  }
}

/** Throws early, without loading the package, if it is not installed. */
export function requireLibrary(resolve: (name: string) => unknown = createRequire(import.meta.url).resolve): void {
  try {
    resolve("node-llama-cpp");
  } catch {
    throw notInstalled();
  }
}

function notInstalled(): EnvironmentError {
  return new EnvironmentError(
    "gguf_engine",
    "node-llama-cpp: not installed; it runs GGUF models and is not part of the ordinary installation",
    "Install it next to this program: npm install node-llama-cpp",
  );
}

export function firstLine(message: string | undefined): string {
  return (message ?? "").split("\n", 1)[0]!.trim() || "no reason given";
}
