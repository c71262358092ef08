import { Command, Option } from "commander";
import type { ExportFormat } from "../../../analysis/export.js";
import { auditFormat } from "../../../app/audit/audit-request.js";
import { exportDecisions, exportRun } from "../../../app/export/export-decisions.js";
import { plural } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, examples } from "../../options.js";
import { print, printJson } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";

interface ExportOptions extends CommonOptions {
  run?: string;
  what: "audits" | "decisions";
  format?: ExportFormat;
  out: string;
}

export function exportCommand(): Command {
  return withStores(new Command("export"))
    .option("--run <id>", "which run (default: the newest)")
    .addOption(new Option("--what <what>", "what to write").choices(["audits", "decisions"]).default("audits"))
    .addOption(
      new Option("--format <format>", "how (default: by the file's ending)").choices(["jsonl", "csv", "parquet"]),
    )
    .requiredOption("--out <file>", "where; a file that is there is replaced")
    .addHelpText("after", examples("defensible export --format csv --out audits.csv"))
    .action(exportAction);
}

async function exportAction(options: ExportOptions): Promise<void> {
  const { what, out, format = auditFormat(out) } = options;
  const context = await storesOf(options);
  const { run_id, rows } =
    what === "decisions"
      ? { run_id: null, rows: await exportDecisions(context, { format, out }) }
      : await exportRun(context.runs, options.run, { format, out });
  if (printJson({ what, run_id, format, out, rows }, options)) return;
  print(`Wrote ${plural(rows, what.slice(0, -1))}${run_id ? ` of run ${run_id}` : ""} to ${printable(out)}.`);
}
