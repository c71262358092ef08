import type { Capabilities } from "../capabilities.js";
import type { Engine } from "./engine.js";
import type { EngineSettings } from "./engine-settings.js";
import type { GgufFile } from "./gguf-file.js";

/** What a loaded model gives, found out with a few tokens. */
export async function probeEngine(
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
