import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../src/cli/command-list.js";
import { createProgram } from "../src/cli/program.js";
import { splitFileFlags } from "../src/cli/run.js";

const ROOT = join(import.meta.dirname, "..");

/** A command in code marks, at the start of a string, or on a line of its own in a block of code. */
const PRINTED = [
  /\\?`(?:\$ )?defensible ([^`\n]+?)\\?`/g,
  /["'](?:\$ )?defensible ([^"'\n]+)["']/g,
  /^\s*(?:\$ )?defensible ([^\n]+)$/gm,
];

function filesIn(folder: string, names: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => names.test(name) && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`);
}

function printedCommands(path: string): { place: string; text: string; isCode: boolean }[] {
  const source = readFileSync(join(ROOT, path), "utf8");
  const forms = path.endsWith(".md") ? [PRINTED[0]!, PRINTED[2]!] : PRINTED.slice(0, 2);
  return forms.flatMap((form) =>
    [...source.matchAll(form)].map((match) => ({
      // In quotes it may be prose.
      isCode: form !== PRINTED[1],
      place: `${path}:${source.slice(0, match.index).split("\n").length}`,
      text: match[1]!,
    })),
  );
}

/** Words of a command up to what a shell, or a sentence, does with it. What is filled in later is a word. */
function wordsOf(text: string): string[] {
  const plain = text.replace(/\$\{[^}]*\}/g, "X").replace(/\[[^\]]*\]/g, " ");
  const [own = ""] = plain.split(/,? (?:then|or|and) |\s(?:\||&&|\|\||>|2>|#|→|…|\\)(?:\s|$)|[;]|\s#/);
  return own
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[,.:)]+$/, "").replace(/^["']|["']$/g, ""));
}

/** What is wrong with a printed command; null: nothing, or it is prose ("a defensible opposite"). */
function fault(program: Command, text: string, isCode: boolean): string | null {
  const words = splitFileFlags(wordsOf(text));
  let command = program;
  let at = 0;
  for (; at < words.length; at++) {
    const sub = command.commands.find((one) => one.name() === words[at]);
    if (!sub) break;
    command = sub;
  }
  if (words[0] === "help") return null;
  if (command === program) return isCode && /^[a-z]+$/.test(words[0]!) ? `there is no command "${words[0]}"` : null;
  const rest = words.slice(at);
  // `plan WHAT`, `experiment gap|signal`: any of its subcommands.
  if (command.commands.length > 0 && /^[A-Z]+$|\|/.test(rest[0] ?? "")) return null;
  const flags = rest.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split("=")[0]!);
  const known = new Set([...command.options, ...program.options].flatMap(({ long }) => long ?? []));
  const unknown = flags.find((flag) => flag !== "--help" && flag !== "--version" && !known.has(flag));
  if (unknown) return `${command.name()} has no ${unknown}`;
  const [first] = rest;
  const isArgument = first !== undefined && /^[a-z]/.test(first);
  return isArgument && command.registeredArguments.length === 0 ? `${command.name()} takes no "${first}"` : null;
}

describe("commands that are printed", () => {
  it("exist, with their flags, wherever the program and its pages name them", async () => {
    const program = await createProgram(Object.keys(COMMANDS));
    const paths = [
      ...filesIn("src", /(?<!\.test|\.suite|\.sim)\.ts$/),
      ...filesIn("web", /(?<!\.test)\.tsx?$/),
      ...filesIn("docs", /\.md$/),
      "README.md",
    ];
    const printed = paths.flatMap(printedCommands);
    expect(printed.length).toBeGreaterThan(300);
    const wrong = printed.flatMap(({ place, text, isCode }) => {
      const found = fault(program, text, isCode);
      return found === null ? [] : [`${place}: ${text}: ${found}`];
    });
    expect(wrong).toEqual([]);
  });
});
