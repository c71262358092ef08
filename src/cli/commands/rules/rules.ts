import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { draftFiles, draftRules, draftText } from "../../../app/library/rules-from-markdown.js";
import { InputError } from "../../../core/errors.js";
import type { RulesDraft } from "../../../core/results/lint.js";
import { fileError, writeFileAtomic } from "../../../io/files.js";
import { draftDocument } from "../../../present/document/rules-document.js";
import { readRuleText } from "../../../store/formats/foreign-rows.js";
import type { RuleFileOptions } from "../../../store/formats/rule-file.js";
import { printable } from "../../../text/printable.js";
import { commandsBelow, withSubcommands } from "../../experiment/command.js";
import { examples, integer } from "../../options.js";
import { type JsonOptions, print, printJson, say, withMarkdown } from "../../output.js";
import { type PageOptions, printPage } from "../../page.js";
import { namingCommunity, type PageRuleFlags, pageRules, withPageRuleOptions } from "../../rule-pages.js";
import { rulesLintCommand } from "./lint.js";

interface DraftFlags extends JsonOptions, PageOptions, PageRuleFlags {
  rulesVersion?: string;
  effectiveFrom?: string;
  out?: string;
  force?: boolean;
  rows: number;
}

function rulesDraftCommand(): Command {
  return withPageRuleOptions(withMarkdown(new Command("draft")))
    .description(
      "draft rule sets from existing guidelines: Markdown, plain text, an HTML page, or the JSON of Reddit and Mastodon. Shows what was understood, and lists what is in no rule",
    )
    .argument("<file>", "the page (`-`: standard input)")
    .option("--rules-version <text>", "version of the sets (default: made from the text)")
    .option("--effective-from <date>", "day from which the rules hold, such as 2026-01-31", day)
    .option(
      "--out <path>",
      "write YAML: a file (.yaml, .yml, .txt) with a document for each set, or a folder with a file for each (`-`: standard output)",
    )
    .option("--force", "replace files that are there")
    .option("--rows <n>", "rules and passages shown", integer(1), 60)
    .option("--json", "print only the result, as JSON (--json=FILE writes it to a file instead)")
    .addOption(new Option("--json-file <file>").hideHelp())
    .addHelpText(
      "after",
      examples(
        "defensible rules draft guidelines.md",
        "defensible rules draft rules.html --community plants --out plants.yaml",
        "curl -s https://www.reddit.com/r/plants/about/rules.json | defensible rules draft - --community plants --out rules/",
        "defensible rules draft mastodon-rules.json --rules-version 2026-03 --effective-from 2026-03-01 --out platform.yaml",
      ),
    )
    .action(draft);
}

async function draft(file: string, flags: DraftFlags): Promise<void> {
  const source = file === "-" ? "standard input" : file;
  const text = file === "-" ? readStandardInput() : readRuleText(file);
  const drafted = namingCommunity(() => draftRules(text, source, optionsOf(flags)));
  const made = {
    ...drafted,
    written: flags.out === undefined || flags.out === "-" ? [] : write(drafted, flags.out, flags.force),
  };
  if (flags.out === "-") {
    print(draftText(made).trimEnd());
    return;
  }
  printPage(() => draftDocument(made, { rows: flags.rows }), flags, printJson(made, flags));
  for (const name of made.written) say(`Wrote ${printable(name)}`);
  if (flags.json || flags.md) return;
  const next =
    made.written.length > 0
      ? `\`defensible import ${made.written.join(" ")}\` adds the rules to a workspace.`
      : "Nothing was written. --out FILE writes the draft as YAML.";
  say(printable(next, 500));
}

function optionsOf(flags: DraftFlags): RuleFileOptions {
  const { rulesVersion, effectiveFrom } = flags;
  return {
    ...pageRules(flags),
    ...(rulesVersion === undefined ? {} : { version: rulesVersion }),
    ...(effectiveFrom === undefined ? {} : { effectiveFrom }),
  };
}

/** Writes the draft; replaces other content only with `force`. */
function write(drafted: RulesDraft, out: string, force = false): string[] {
  const isFolder = out.endsWith("/") || statSync(out, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder && !/^(?:\.ya?ml|\.txt)?$/i.test(extname(out))) {
    throw new InputError(
      "unknown_ending",
      `--out ${out}: a draft is YAML, and cannot be written as ${extname(out)}`,
      "Name a file that ends in .yaml, .yml or .txt or has no ending, a folder (with / at its end), or - for standard output.",
    );
  }
  const files = isFolder
    ? draftFiles(drafted).map(({ name, text }) => ({ path: join(out, name), text }))
    : [{ path: out, text: draftText(drafted) }];
  const taken = files.filter(
    ({ path, text }) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path, "utf8") !== text,
  );
  if (taken.length > 0 && !force) {
    throw new InputError(
      "file_exists",
      `--out: ${taken.map(({ path }) => path).join(", ")} ${taken.length === 1 ? "is" : "are"} there with other content`,
      "Name another place, or add --force to replace what is there.",
    );
  }
  try {
    if (isFolder && !existsSync(out)) mkdirSync(out, { recursive: true });
  } catch (cause) {
    throw fileError(cause, out);
  }
  for (const { path, text } of files) writeFileAtomic(path, text);
  return files.map(({ path }) => path);
}

function readStandardInput(): string {
  try {
    return readFileSync(0, "utf8");
  } catch (cause) {
    throw fileError(cause, "standard input");
  }
}

function day(text: string): string {
  const time = /^\d{4}-\d\d-\d\d(?:T.+)?$/.test(text) ? new Date(text) : null;
  const isReal = time !== null && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 7));
  if (!isReal) throw new InvalidArgumentError("expected a day such as 2026-01-31.");
  return text;
}

/** `rules draft | lint`, and experiments with the wording of rules. */
export async function rulesCommand(): Promise<Command> {
  return withSubcommands(
    "rules",
    [rulesDraftCommand(), rulesLintCommand(), ...(await commandsBelow("rules"))],
    [
      "defensible rules draft guidelines.md --out rules.yaml",
      "defensible rules lint",
      "defensible rules tiers",
      "defensible rules scopes --communities ask-anything",
      "defensible rules diff new-rules.yaml --fail-on-new-indefensible 0",
    ],
  );
}
