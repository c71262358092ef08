import { Command, Option } from "commander";
import { unusedRulesText } from "../../app/import/check-rule-sets.js";
import { importFiles } from "../../app/import/import.js";
import type { ImportResult } from "../../app/import/import-report.js";
import type { Actions } from "../../core/records/actions.js";
import { plural } from "../../present/words/numbers.js";
import { foreignFile } from "../../store/formats/foreign-file.js";
import { printable } from "../../text/printable.js";
import { EXIT } from "../exit-code.js";
import { actions, type CommonOptions, collect, contextOf, examples, withCommonOptions } from "../options.js";
import { print, printJson, say } from "../output.js";

interface ImportCommandOptions extends CommonOptions {
  as: "decisions" | "precedents" | "labels";
  map?: string[];
  mapValue?: string[];
  actions?: Actions;
  dryRun?: boolean;
}

export function importCommand(): Command {
  return withCommonOptions(new Command("import"))
    .argument("<files...>", "files; rule sets are recognised")
    .addOption(
      new Option("--as <kind>", "what the records are")
        .choices(["decisions", "precedents", "labels"])
        .default("decisions"),
    )
    .option("--map <column=field>", "a column of theirs is a field of ours; may be repeated", collect)
    .option("--map-value <field:theirs=ours>", "a value of theirs is a value of ours; may be repeated", collect)
    .option("--actions <positive,negative>", "names of the two actions, the restricting one first", actions)
    .option("--dry-run", "check everything and write nothing")
    .addHelpText(
      "after",
      examples(
        "defensible import rules.yaml decisions.jsonl",
        "defensible import log.csv --map subreddit=community --map text=content --map-value decision:removelink=remove",
        "defensible import past.jsonl --as precedents --dry-run",
      ),
    )
    .action(importCommandAction);
}

async function importCommandAction(files: string[], options: ImportCommandOptions): Promise<void> {
  const result = await importFiles(await contextOf(options), files.map(foreignFile), {
    as: options.as,
    map: options.map,
    mapValue: options.mapValue,
    actions: options.actions,
    dryRun: options.dryRun,
  });
  if (result.rejected > 0 || result.files.some((file) => file.problem)) process.exitCode = EXIT.user;
  if (printJson({ ...namedCounts(result), files: result.files.map(namedCounts) }, options)) return;
  tellRejects(result);
  print(importSentence(result));
}

/** The counts under the names that the command's own words use. */
export function namedCounts<T extends { accepted: number; duplicates: number; rejected: number }>({
  accepted,
  duplicates,
  rejected,
  ...rest
}: T) {
  return { imported: accepted, duplicate: duplicates, rejected, ...rest };
}

export function tellRejects(result: ImportResult): void {
  for (const file of result.files) {
    if (!file.problem) continue;
    say(printable(file.problem.message, 500));
    if (file.problem.remedy) say(`  ${printable(file.problem.remedy, 500)}`);
  }
  for (const reject of result.rejects) {
    const where = [reject.file, reject.line === null ? "" : `line ${reject.line}`, reject.field ?? ""]
      .filter(Boolean)
      .join(", ");
    say(`rejected: ${printable(where, 300)}: ${printable(reject.reason, 500)}`);
  }
  // A file that was refused as a whole has told its reason above.
  const single = result.files.reduce((sum, file) => sum + (file.problem ? 0 : file.rejected), 0);
  if (single > result.rejects.length) {
    say(`… and ${single - result.rejects.length} more. By reason:`);
    for (const { field, reason, count } of result.reasons.slice(0, 10)) {
      say(`  ${plural(count, "row")}: ${printable(field ? `${field}: ${reason}` : reason, 300)}`);
    }
  }
  if (result.unused_rules.length > 0) {
    say(`note: ${printable(unusedRulesText(result.unused_rules), 1000)}`);
    say(
      "  `defensible audit` refuses rules that match no decision; import the decisions, or write `community:` as they do.",
    );
  }
  for (const map of result.unused_maps) say(`--map ${printable(map)}: no file has such a column`);
}

const KIND_WORDS = {
  decisions: "decision",
  precedents: "precedent",
  labels: "label",
  outcomes: "outcome",
  rulesets: "rule set",
} as const;

/** "12 decisions and 1 rule set". */
function kinds(result: ImportResult): string {
  const parts = (Object.keys(KIND_WORDS) as (keyof typeof KIND_WORDS)[]).flatMap((kind) => {
    const files = result.files.filter((file) => file.kind === kind);
    const accepted = files.reduce((sum, file) => sum + file.accepted, 0);
    return files.length > 0 ? [plural(accepted, KIND_WORDS[kind])] : [];
  });
  return parts.length > 0 ? parts.join(" and ") : "nothing";
}

export function importSentence(result: ImportResult): string {
  const verb = result.dry_run ? "Would import" : "Imported";
  const rejectFiles = result.files.flatMap((file) => file.rejects_file ?? []);
  const where = rejectFiles.length
    ? ` Rejected rows are in ${rejectFiles.map((file) => printable(file)).join(", ")}.`
    : "";
  const refused = result.files.filter((file) => file.problem).length;
  const counts = [
    plural(result.duplicates, "duplicate"),
    `${result.rejected} rejected`,
    ...(refused ? [`${plural(refused, "file")} refused`] : []),
  ];
  return `${verb} ${kinds(result)}; ${counts.join(", ")}.${where}`;
}
