import type { Llama, LlamaContext, LlamaContextSequence, LlamaModel } from "node-llama-cpp";
import { EnvironmentError, InputError } from "../../core/errors.js";
import { ChatPrompt } from "./chat-prompt.js";
import type { EngineSettings } from "./engine-settings.js";
import type { GgufFile } from "./gguf-file.js";
import { firstLine, type Library, loadLibrary } from "./load-library.js";
import { TokenPieces } from "./token-pieces.js";

/** Tokens that the engine takes in at a time. */
export const BATCH_TOKENS = 512;

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

/** Loads the model into memory: seconds, and as many gigabytes as its file has. */
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
        // A window that forgets could not be taken back to the end of the rules for the next decision.
        swaFullCache: true,
        // Less context than was asked for would let prompts fail that were made to fit.
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
    "Give it less context with --context, or use a smaller or more strongly quantised model.",
  );
}
