import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { fileError } from "../io/files.js";
import type { Scrub } from "../text/scrub/scrub.js";

export interface ScrubOptions {
  scrub?: boolean;
  scrubNames?: string;
}

/** @param from who does not see what is hidden */
export function withScrubOptions(command: Command, from = "the model"): Command {
  return command
    .option("--scrub", `hide e-mail addresses, phone numbers and handles from ${from}; the local record keeps them`)
    .option("--scrub-names <file>", "hide these names too, one a line (implies --scrub)");
}

/** What is hidden; null: nothing was asked to be. The id names the list without telling it. */
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
