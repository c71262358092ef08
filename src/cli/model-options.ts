import type { Command } from "commander";
import { integer, number } from "./options.js";

export function withModelOptions(command: Command): Command {
  return command
    .option(
      "--base-url <url>",
      "address of the model's server, for openai-compatible:… (keys come from the environment)",
    )
    .option("--dialect <name>", "whose habits the server has, if it does not say so itself: vllm, llamacpp, ollama, …")
    .option("--timeout <seconds>", "longest time for one call (default: 120)", number(0.1, 3600))
    .option(
      "--context <tokens>",
      "tokens of prompt and answer together, for a model whose limit is not known",
      integer(512),
    );
}
