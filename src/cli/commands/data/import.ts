import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Command, Option } from "commander";
import { ADAPTER_NAMES } from "../../../adapters/adapt.js";
import { importFiles } from "../../../app/import/import.js";
import { importFrom } from "../../../app/import/import-from.js";
import { InputError } from "../../../core/errors.js";
import { type Actions, actionsText } from "../../../core/records/actions.js";
import { leftOutLines } from "../../../present/import/import-words.js";
import { type ForeignFile, foreignFile } from "../../../store/formats/foreign-rows.js";
import { type Fields, RECORD_KINDS } from "../../../store/records/record-kinds.js";
import { importOptions, type MappingOptions, tellImport, withMappingOptions } from "../../import/mapping-options.js";
import { ACTIONS_HELP, actions, examples } from "../../options.js";
import { say } from "../../output.js";
import { type PageRuleFlags, pageRules, withPageRuleOptions } from "../../rule-pages.js";
import { storesOf, withStores } from "../../serve/stores.js";

interface ImportCommandOptions extends MappingOptions, PageRuleFlags {
  as: "decisions" | "precedents" | "labels";
  actions?: Actions;
  from?: string;
}

export function importCommand(): Command {
  const command = withPageRuleOptions(withStores(new Command("import")))
    .argument(
      "<files...>",
      "files, or - for standard input; rule sets and pages of rules (Markdown, text, HTML) are recognised",
    )
    .addOption(
      new Option("--as <kind>", "what the records are")
        .choices(["decisions", "precedents", "labels"])
        .default("decisions"),
    )
    .addOption(
      new Option("--from <system>", "read files of this system by its schema, all together (docs/adapters.md)").choices(
        ADAPTER_NAMES,
      ),
    );
  return withMappingOptions(command, true)
    .option("--actions <names>", `names of the actions, ${ACTIONS_HELP}`, actions)
    .addHelpText("after", HELP)
    .action(importCommandAction);
}

/** Field names of decisions, as --map and --set accept them. */
function fieldNames({ list }: Fields): string[] {
  return list.flatMap(({ path, type, fields }) => [
    ...(type === "object" ? [] : [path]),
    ...(type === "content" || type === "object" ? fieldNames(fields!) : []),
  ]);
}

const HELP = `
Fields for --map and --set: ${fieldNames(RECORD_KINDS.decisions.fields).join(", ")}. Those of precedents and labels: docs/formats.md.
Column names are guessed. In a terminal you confirm the guess. In a script, --yes accepts it; without --yes the command to paste is printed.
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
  "defensible import --from reddit modlog.json rules.json --community plants",
  "defensible import --from mastodon reports.json warnings.jsonl rules.json --value resolved=approve",
)}`;

async function importCommandAction(files: string[], options: ImportCommandOptions): Promise<void> {
  const { as, actions: named, from } = options;
  const context = await storesOf(options);
  const take = <T>(work: (files: ForeignFile[]) => Promise<T>): Promise<T> =>
    files.includes("-")
      ? withStandardInput((copy) =>
          work(files.map((file) => (file === "-" ? foreignFile(copy, "-") : foreignFile(file)))),
        )
      : work(files.map((file) => foreignFile(file)));
  const command = (file: string) => [
    ...["defensible", "import", file],
    ...(from === undefined ? [] : ["--from", from]),
    ...(as === "decisions" ? [] : ["--as", as]),
    ...(named ? ["--actions", actionsText(named)] : []),
  ];
  if (from === undefined) {
    const request = { ...importOptions(options, as, context), ...pageRules(options), as, actions: named };
    tellImport(await take((given) => importFiles(context, given, request)), options, command);
    return;
  }
  refuseMapping(options);
  const { community, dryRun, set, value } = options;
  const request = { from, community, dryRun, set, value, actions: named };
  const result = await take((given) => importFrom(context, given, request));
  tellImport(result, options, command, () => {
    for (const line of leftOutLines(result)) say(line);
  });
}

/** A foreign system is read by its schema, so there are no columns to map. */
function refuseMapping(options: ImportCommandOptions): void {
  const { map, mapValue, idFrom, profile, saveProfile, platform, communityLevel, as } = options;
  const given = Object.entries({ map, mapValue, idFrom, profile, saveProfile, platform, communityLevel });
  const [wrong] = given.filter(([, value]) => value !== undefined).map(([name]) => name);
  if (wrong === undefined && as === "decisions") return;
  const flag = `--${(wrong ?? "as").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const remedy = "Leave it out. --value names actions, --community a community, --set a field of every decision.";
  throw new InputError("from_with_mapping", `${flag}: --from reads files by the schema of the system`, remedy);
}

/** Files are read more than once, so standard input is copied to a temporary file. */
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
