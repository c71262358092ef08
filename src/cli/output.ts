import { writeSync } from "node:fs";
import { type Command, Option } from "commander";
import { writeFileAtomic } from "../io/files.js";
import type { Document } from "../present/document/document.js";
import { renderTerminal } from "../present/document/render.js";
import { printable, safeJson } from "../text/printable.js";

export interface JsonOptions {
  json?: boolean;
  jsonFile?: string;
}

/** Results go to stdout, messages and progress to stderr. */
export function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Adds Markdown output, for commands whose result is a document. */
export function withMarkdown(command: Command): Command {
  return command
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp());
}

/** Adds Markdown and HTML output. */
export function withPage(command: Command): Command {
  return withMarkdown(command).option("--html <file>", "write one HTML file, which needs no network");
}

let verbose = false;
const said = new Set<string>();

/** Prints a message only once, even if the command repeats it. */
export function sayOnce(message: string): void {
  if (said.has(message)) return;
  said.add(message);
  say(message);
}

/** Whether technical notices are shown, too: `--verbose`. */
export function isVerbose(): boolean {
  return verbose;
}

/** Resets the output for a new command. */
export function beginOutput(options: { verbose: boolean }): void {
  verbose = options.verbose;
  said.clear();
}

/** Makes pasted text safe to print on a terminal. */
export function printableLines(text: string): string {
  return text
    .split("\n")
    .map((line) => printable(line.replaceAll("\t", "  "), 2000))
    .join("\n");
}

export function useColor(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}

/** Output width in columns: that of the terminal, else COLUMNS. */
export function outputWidth(): number {
  const asked = Number(process.env.COLUMNS);
  return process.stdout.columns ?? (asked >= 40 ? Math.floor(asked) : 100);
}

export function printDocument(document: Document): void {
  print(renderTerminal(document, { width: outputWidth(), color: useColor(process.stdout) }));
}

/**
 * Writes a result as JSON if requested: alone on stdout with `--json`, into a file with `--json=FILE`.
 * Returns whether stdout is taken, so that nothing else may be printed there.
 */
export function printJson(value: unknown, options: JsonOptions): boolean {
  if (!options.json && !options.jsonFile) return false;
  const text = `${safeJson(JSON.stringify(value, null, 2))}\n`;
  if (options.jsonFile) {
    writeFileAtomic(options.jsonFile, text);
    say(`Wrote ${printable(options.jsonFile)}`);
  }
  if (options.json) writeAll(text);
  return options.json === true;
}

/** Writes everything before exit: a pipe may take a large report only in several writes. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw cause;
    }
  }
}
