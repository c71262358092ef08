import { createHash } from "node:crypto";
import { basename } from "node:path";
import { DefensibleError } from "../../core/errors.js";
import type { Generation } from "../../core/records/case.js";
import { type Answers, type Ask, type Auditor, CallError, type Capabilities } from "../auditor.js";
import type { AuditorOptions } from "../create-auditor.js";
import { answerPrompt, preparePrompt } from "./answer-prompt.js";
import {
  type Engine,
  type EngineSettings,
  engineSettings,
  firstLine,
  openEngine,
  requireLibrary,
  throwIfAborted,
} from "./engine.js";
import { type GgufFile, readGgufFile } from "./gguf-file.js";

/** Runs one task at a time, in order of arrival. A task aborted while waiting leaves the queue at once. */
export class TurnQueue {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    let started = false;
    const turn = this.last.then(() => {
      if (signal?.aborted) throw calledOff();
      started = true;
      return work();
    });
    this.last = turn.catch(() => {});
    if (!signal) return turn;
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        if (!started) reject(calledOff());
      };
      signal.addEventListener("abort", leave, { once: true });
      turn.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }
}

function calledOff(): CallError {
  return new CallError("aborted", "call: ended while it waited for the model");
}

/** Changes whenever the same question could get other answers for a reason in this folder. */
const GGUF_VERSION = "1";

/**
 * Answers are drawn one after another. More per call would save nothing, since the next call finds the prompt still evaluated,
 * and would hold 50 MB per answer until the last is drawn: 40 distributions over a vocabulary of 150,000.
 */
const ANSWERS_PER_CALL = 4;

/**
 * Before the model is loaded, the prompt is estimated at four bytes per token, but dense text has fewer bytes per token: a
 * quarter of the room is reserved for the error, or every frame with many precedents would exceed the context.
 */
const ESTIMATE_SHARE = 0.75;

/** A model in a GGUF file, run in this process. The file is inspected now; the model is loaded at the first question or probe. */
export async function createGgufAuditor(name: string, path: string, options: AuditorOptions = {}): Promise<Auditor> {
  requireLibrary();
  const file = await readGgufFile(path);
  const settings = engineSettings(file, options);
  const runner = new GgufRunner(file, settings);
  const { contextTokens, outputTokens } = settings;
  return {
    name,
    version: GGUF_VERSION,
    signals: ["logprobs", "sampling", "none"],
    inProcess: false,
    readsPrompt: {
      tokenizer: "gguf",
      contextTokens: Math.floor((contextTokens - outputTokens) * ESTIMATE_SHARE) + outputTokens,
      outputTokens,
    },
    answersPerCall: ANSWERS_PER_CALL,
    maxConcurrency: 1,
    ask: (ask) => runner.ask(ask),
    probe: () => runner.probe(),
    requestText: (ask) => requestText(file, settings, ask),
    close: () => runner.close(),
  };
}

/** One engine and the queue of calls to it. */
class GgufRunner {
  private readonly turns = new TurnQueue();
  private engine: Promise<Engine> | null = null;

  constructor(
    private readonly file: GgufFile,
    private readonly settings: EngineSettings,
  ) {}

  ask(ask: Ask): Promise<Answers> {
    return this.turns.take(ask.signal, () => this.answer(ask));
  }

  probe(): Promise<Capabilities> {
    return this.turns.take(undefined, async () => {
      const engine = await this.open();
      return probeEngine(engine, this.file, this.settings, this.modelName(), ANSWERS_PER_CALL);
    });
  }

  close(): Promise<void> {
    return this.turns.take(undefined, async () => {
      const engine = await this.engine?.catch(() => null);
      this.engine = null;
      await engine?.close();
    });
  }

  private async answer({ prompt, temperature, logprobs, wanted, signal }: Ask): Promise<Answers> {
    if (!prompt)
      throw new CallError("bad_request", "question: has no prompt; expected one, for a language model reads text");
    let engine: Engine | null = null;
    try {
      throwIfAborted(signal);
      engine = await this.open();
      const ready = await preparePrompt(engine, prompt, this.settings.outputTokens);
      const generations: Generation[] = [];
      for (const { seed } of wanted) {
        const options = { temperature, seed: seedNumber(seed), logprobs, signal };
        generations.push({ ...(await answerPrompt(engine, ready, options)), model: this.modelName() });
      }
      return { generations };
    } catch (error) {
      if (error instanceof CallError) throw error;
      // A retry would not help: the cause is the package, the file or the machine's memory.
      if (error instanceof DefensibleError) throw new CallError("unsupported", error.message, error.remedy);
      await engine?.sequence.clearHistory().catch(() => {});
      throw new CallError("server", `model: ${firstLine((error as Error).message)}`);
    }
  }

  private modelName(): string {
    return this.file.name ?? basename(this.file.path);
  }

  private open(): Promise<Engine> {
    this.engine ??= openEngine(this.file, this.settings).catch((error) => {
      this.engine = null;
      throw error;
    });
    return this.engine;
  }
}

/** 31 bits, because llama.cpp takes 2^32 - 1 as "draw a seed yourself". */
export function seedNumber(seed: string): number {
  return createHash("sha256").update(seed).digest().readUInt32LE(0) & 0x7fffffff;
}

function requestText(file: GgufFile, settings: EngineSettings, { prompt, temperature, logprobs }: Ask): string {
  return JSON.stringify({
    auditor: `gguf-${GGUF_VERSION}`,
    file: { path: file.path, bytes: file.bytes, modified_ms: file.modifiedMs, head: file.head },
    context_tokens: settings.contextTokens,
    output_tokens: settings.outputTokens,
    temperature,
    logprobs,
    system: prompt?.system ?? null,
    shared: prompt?.shared ?? null,
    own: prompt?.own ?? null,
    format: prompt?.format ?? null,
  });
}

/** Finds out with a few tokens what a loaded model supports. */
async function probeEngine(
  { llama, model, context, sequence, chat }: Engine,
  file: GgufFile,
  settings: EngineSettings,
  modelName: string,
  answersPerCall: number,
): Promise<Capabilities> {
  const { tokens } = chat.render({ system: "Answer briefly.", shared: "", own: "Is this a test?" });
  const few = tokens.slice(-8);
  await sequence.clearHistory();
  const last = few.pop()!;
  const results = await sequence.controlledEvaluate([...few, [last, { generateNext: { probabilities: true } }]]);
  await sequence.clearHistory();
  const candidates = results.at(-1)?.next.probabilities?.size ?? 0;
  const trained = file.trainedContext ?? model.trainContextSize;
  return {
    logprobs: candidates > 0,
    topLogprobs: candidates,
    answersPerCall,
    structuredOutput: true,
    space: "raw",
    dialect: "gguf",
    model: modelName,
    notes: [
      `weights: ${model.typeDescription}, ${(file.bytes / 1e9).toFixed(file.bytes < 1e8 ? 4 : 1)} GB`,
      `context: ${context.contextSize} tokens; the model was trained with ${trained}`,
      `threads: ${settings.threads}; GPU: ${llama.gpu || "none"}`,
      `prompt: ${chat.form}`,
      ...model.getWarnings(),
    ],
    costUsd: 0,
  };
}
