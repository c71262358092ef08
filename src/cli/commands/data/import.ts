import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Command, Option } from "commander";
import { importFiles } from "../../../app/import/import.js";
import type { Actions } from "../../../core/records/actions.js";
import { foreignFile } from "../../../store/formats/foreign-file.js";
import { importOptions, type MappingOptions, tellImport, withMappingOptions } from "../../import/mapping-options.js";
import { actions, contextOf, examples, withCommonOptions } from "../../options.js";
import { say } from "../../output.js";
import { type PageRuleFlags, pageRules, withPageRuleOptions } from "../../rule-pages.js";

interface ImportCommandOptions extends MappingOptions, PageRuleFlags {
  as: "decisions" | "precedents" | "labels";
  actions?: Actions;
}

export function importCommand(): Command {
  const command = withPageRuleOptions(withCommonOptions(new Command("import")))
    .argument(
      "<files...>",
      "files, or - for standard input; rule sets and pages of rules (Markdown, text, HTML) are recognised",
    )
    .addOption(
      new Option("--as <kind>", "what the records are")
        .choices(["decisions", "precedents", "labels"])
        .default("decisions"),
    );
  return withMappingOptions(command, true)
    .option("--actions <positive,negative>", "names of the two actions, the restricting one first", actions)
    .addHelpText("after", HELP)
    .action(importCommandAction);
}

const HELP = `
Names of columns are guessed. On a terminal you confirm the guess; in a script the command to paste is printed, and --yes takes the guess.
${examples(
  "defensible import rules.yaml decisions.jsonl",
  "defensible import guidelines.md --community plants",
  "defensible import guidelines.md --community-level 2",
  "defensible import log.csv",
  "zcat log.csv.gz | defensible import - --yes",
  "defensible import log.csv --yes --save-profile daily",
  "defensible import tomorrow.csv --profile daily",
  "defensible import log.csv --map subreddit=community --map text=content --value removelink=remove",
  "defensible import removals.csv --set decision=remove --set community=plants --id-from hash",
  "defensible import past.jsonl --as precedents --dry-run",
)}`;

async function importCommandAction(files: string[], options: ImportCommandOptions): Promise<void> {
  const { as, actions: named } = options;
  const context = await contextOf(options);
  const request = { ...importOptions(options, as, context), ...pageRules(options), as, actions: named };
  const result = files.includes("-")
    ? await withStandardInput((copy) =>
        importFiles(
          context,
          files.map((file) => (file === "-" ? foreignFile(copy, "-") : foreignFile(file))),
          request,
        ),
      )
    : await importFiles(
        context,
        files.map((file) => foreignFile(file)),
        request,
      );
  tellImport(result, options, (file) => [
    ...["defensible", "import", file],
    ...(as === "decisions" ? [] : ["--as", as]),
    ...(named ? ["--actions", `${named.positive},${named.negative}`] : []),
  ]);
}

/** Files are read more than once, so standard input is copied into one. */
async function withStandardInput<T>(work: (copy: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "defensible-"));
  try {
    if (process.stdin.isTTY) say("Reading from the keyboard; Ctrl-D ends.");
    const copy = join(folder, "input");
    await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }));
    return await work(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
