import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { MISSING_MODES, SIGNAL_MODES, TEMPLATES } from "../core/records/audit.js";
import { fileError } from "../io/files.js";
import type { Scrub } from "../text/scrub/scrub.js";
import { integer, number } from "./options.js";

/** Points from a command's help to the flags that it does not list. */
const POINTER = "\nFlags of the model, the question and the calls: `defensible help models`";

/** A flag that only `defensible help models` lists, under a heading. */
function modelFlag(heading: string, flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(heading).hideHelp();
}

/** Adds the flags of a command that calls a model. */
export function withModelOptions(command: Command): Command {
  const server = (flags: string, description: string) => modelFlag("Server:", flags, description);
  return withModelHelp(command)
    .addOption(server("--base-url <url>", "address of the server, for openai-compatible:… (keys: the environment)"))
    .addOption(server("--dialect <name>", "the server's software, if it does not say: vllm, llamacpp, ollama, …"))
    .addOption(server("--timeout <seconds>", "longest time for one call (default: 120)").argParser(number(0.1, 3600)))
    .addOption(
      server("--context <tokens>", "prompt and answer together, for a model whose limit is not known").argParser(
        integer(512),
      ),
    );
}

/** Adds the flags for how the question is asked. */
export function withSignalOptions(command: Command): Command {
  const question = (flags: string, description: string) => modelFlag("Question:", flags, description);
  return command
    .addOption(
      question(
        "--signal <mode>",
        "where probabilities come from: token probabilities (default), frequencies over --samples draws, or none",
      ).choices(SIGNAL_MODES),
    )
    .addOption(
      question("--samples <k>", "draws of each audit, with --signal sampling (default: 10)").argParser(
        integer(2, 1000),
      ),
    )
    .addOption(
      question("--template <name>", "instructions and form of the answer (default: the workspace's)").choices(
        TEMPLATES,
      ),
    )
    .addOption(temperatureOption("the workspace's"));
}

/** `otherwise`: the default, for the help. */
export function temperatureOption(otherwise: string): Option {
  const text = `sampling temperature (default: ${otherwise})`;
  return modelFlag("Question:", "--temperature <t>", text).argParser(number(0, 2));
}

export function missingOption(): Option {
  return modelFlag(
    "Question:",
    "--missing <mode>",
    "a label outside the listed candidates counts as one unseen surface form (floor, the default) or as 0 (paper)",
  ).choices(MISSING_MODES);
}

export function concurrencyOption(): Option {
  const text = "most calls in flight; how many there are adapts to the server";
  return modelFlag("Calls:", "--concurrency <n>", text).argParser(integer(1, 1024)).default(64);
}

export function noCacheOption(): Option {
  return modelFlag("Calls:", "--no-cache", "ask again even if the same request was answered before");
}

export function keepRawOption(): Option {
  const text = "audit: keep every answer with all its probabilities in the run's folder, for replay:<file>";
  return modelFlag("Calls:", "--keep-raw", text);
}

/** Adds the pointer to the other flags to the help. */
export function withModelHelp(command: Command): Command {
  return command.addHelpText("after", POINTER);
}

export interface ScrubOptions {
  scrub?: boolean;
  scrubNames?: string;
}

/** @param from the reader from whom names are hidden, for the help */
export function withScrubOptions(command: Command, from = "the model"): Command {
  return command
    .option("--scrub", `hide e-mail addresses, phone numbers and handles from ${from}; the local record keeps them`)
    .option("--scrub-names <file>", "hide these names too, one per line (implies --scrub)");
}

/** What to hide; null: nothing. The id identifies the list of names without revealing it. */
export async function scrubFrom(options: ScrubOptions): Promise<(Scrub & { id: string }) | null> {
  if (!options.scrub && !options.scrubNames) return null;
  const names = options.scrubNames ? readNames(options.scrubNames) : [];
  const { createScrub } = await import("../text/scrub/scrub.js");
  const id = names.length > 0 ? createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 8) : "contacts";
  return Object.assign(createScrub({ names }), { id });
}

function readNames(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw fileError(cause, file);
  }
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.map((line) => line.trim()).filter(Boolean);
}
