import { Command, Option } from "commander";
import type { ExportFormat } from "../../../analysis/export.js";
import { exportStatements, type StatementsResult } from "../../../app/evidence/statements.js";
import { exportDecisions, exportRun } from "../../../app/export/export-decisions.js";
import { auditFormat } from "../../../app/find-audits.js";
import { InputError } from "../../../core/errors.js";
import { OPEN_NOTES, STATEMENT_REFUSALS } from "../../../evidence/statements/draft-schema.js";
import { NOTE_WORDS, placeOf, REFUSAL_REMEDIES, REFUSAL_WORDS } from "../../../evidence/statements/words.js";
import { plural } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, examples } from "../../options.js";
import { print, printJson } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";

interface ExportOptions extends CommonOptions {
  run?: string;
  what?: "audits" | "decisions";
  as?: "dsa-statements";
  includeIndefensible?: boolean;
  includeAmbiguous?: boolean;
  format?: ExportFormat;
  out: string;
}

export function exportCommand(): Command {
  return withStores(new Command("export"))
    .option("--run <id>", "which run (default: the newest)")
    .addOption(
      new Option("--what <what>", "what to write: audits (default) or decisions").choices(["audits", "decisions"]),
    )
    .addOption(
      new Option("--format <format>", "how (default: by the file's ending)").choices(["jsonl", "csv", "parquet"]),
    )
    .addOption(
      new Option(
        "--as <shape>",
        "dsa-statements: drafts of statements of reasons for restrictions (docs/statements.md), as JSON lines",
      ).choices(["dsa-statements"]),
    )
    .option("--include-indefensible", "with --as: also restrictions that no rule supports, marked")
    .option("--include-ambiguous", "with --as: also restrictions where another action follows too, marked")
    .requiredOption("--out <file>", "where; a file that is there is replaced")
    .addHelpText(
      "after",
      examples(
        "defensible export --format csv --out audits.csv",
        "defensible export --as dsa-statements --out statements.jsonl",
      ),
    )
    .action(exportAction);
}

async function exportAction(options: ExportOptions): Promise<void> {
  checkFlags(options);
  if (options.as) return writeStatements(options);
  const { what = "audits", out, format = auditFormat(out) } = options;
  const context = await storesOf(options);
  const { run_id, rows } =
    what === "decisions"
      ? { run_id: null, rows: await exportDecisions(context, { format, out }) }
      : await exportRun(context.runs, options.run, { format, out });
  if (printJson({ what, run_id, format, out, rows }, options)) return;
  print(`Wrote ${plural(rows, what.slice(0, -1))}${run_id ? ` of run ${run_id}` : ""} to ${printable(out)}.`);
}

async function writeStatements({ run, out, ...options }: ExportOptions): Promise<void> {
  const context = await storesOf(options);
  const include = { indefensible: !!options.includeIndefensible, ambiguous: !!options.includeAmbiguous };
  const result = await exportStatements(context, { ...(run && { run }), out, include });
  if (printJson({ what: "statements", out, ...result }, options)) return;
  print(statementLines(result, out).join("\n"));
}

function checkFlags({ as, what, format, includeIndefensible, includeAmbiguous }: ExportOptions): void {
  if (as && what) throw new InputError("contradiction", "--what: cannot be used with --as", "Leave out one of them.");
  if (as && format && format !== "jsonl") {
    throw new InputError("contradiction", `--format ${format}: cannot be used with --as, which writes JSON lines`);
  }
  if (!as && (includeIndefensible || includeAmbiguous)) {
    const flag = includeIndefensible ? "--include-indefensible" : "--include-ambiguous";
    throw new InputError("needs_flag", `${flag}: requires --as dsa-statements`);
  }
}

/** Decisions named in the terminal per reason; `--json` lists all. */
const NAMED = 3;

function statementLines(result: StatementsResult, out: string): string[] {
  const { drafts, ready, run_id, refused, refusals, notes, personal_data_check, audited_in } = result;
  return [
    `Wrote ${plural(drafts, "draft")} of run ${run_id} to ${printable(out)}; ${ready} ready.`,
    ...emptyLines(result),
    ...OPEN_NOTES.flatMap((note) => (notes[note] ? [`Not ready ${notes[note]}, ${note}: ${NOTE_WORDS[note]}.`] : [])),
    ...(personal_data_check > 0
      ? [`Not ready ${personal_data_check}, personal_data: the text may hold some that is not recognised. Read it.`]
      : []),
    ...(notes.default_category
      ? [
          `Category: ${plural(notes.default_category, "draft")} with STATEMENT_CATEGORY_OTHER_VIOLATION_TC, because the rule names no other.`,
        ]
      : []),
    ...STATEMENT_REFUSALS.filter((code) => refused[code] > 0).map((code) => {
      const ids = refusals.filter((one) => one.code === code).slice(0, NAMED);
      const named =
        code === "not_a_restriction" ? "" : `, such as ${ids.map((one) => printable(one.decision_id, 60)).join(", ")}`;
      const isElsewhere = code === "not_audited" && audited_in !== undefined;
      const remedy = isElsewhere ? `Run ${audited_in} has audits: --run ${audited_in}.` : REFUSAL_REMEDIES[code];
      return `Refused ${refused[code]}, ${code}: ${REFUSAL_WORDS[code]}${named}.${remedy ? ` ${remedy}` : ""}`;
    }),
    ...(drafts > 0 ? ["A person must read each draft before it is sent."] : []),
  ];
}

/** Empty fields, grouped by where they are filled in. */
function emptyLines({ missing }: StatementsResult): string[] {
  const fields = Object.entries(missing).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const places = [...new Set(fields.map(([name]) => placeOf(name)))];
  return places.map((place) => {
    const own = fields.filter(([name]) => placeOf(name) === place).map(([name, n]) => `${name} (${n})`);
    return `Empty, ${place}: ${own.join(", ")}.`;
  });
}
