import { basename, resolve } from "node:path";
import { Command, Option } from "commander";
import { auditFormat } from "../../app/audit/audit-format.js";
import type { CompareInput } from "../../app/compare/build-compare.js";
import { InputError } from "../../core/errors.js";
import { auditSettings } from "../../core/names.js";
import type { Actions } from "../../core/records/actions.js";
import type { Manifest } from "../../core/records/manifest.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { actions, type CommonOptions, examples, integer, withCommonOptions, workspaceOf } from "../options.js";
import { printJson } from "../output.js";
import type { PageOptions } from "../page.js";

interface CompareFlags extends CommonOptions, PageOptions {
  actions?: Actions;
  sameAction?: boolean;
  seed: number;
  draws: number;
  rows: number;
}

/** `report compare A B`. */
export function compareCommand(): Command {
  return withCommonOptions(new Command("compare"))
    .description("compare two runs on the decisions they share: what changed, how surely, and where")
    .argument("<run-a>", "a run's id, or an audits file (.jsonl, .csv, .parquet)")
    .argument("<run-b>", "the other")
    .option("--actions <positive,negative>", "of audits files: the two actions, the restricting one first", actions)
    .option("--same-action", "leave out decisions on which the two name different actions")
    .option("--seed <n>", "seed of the bootstrap", integer(0), 1)
    .option("--draws <n>", "draws of the bootstrap", integer(100, 1_000_000), 2000)
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .option("--rows <n>", "communities shown", integer(1), 15)
    .addHelpText(
      "after",
      examples("defensible report compare RUN_A RUN_B", "defensible report compare old.parquet new.csv --json"),
    )
    .action(compare);
}

async function compare(nameA: string, nameB: string, flags: CompareFlags): Promise<void> {
  if (nameA === nameB || (isFile(nameA) && isFile(nameB) && resolve(nameA) === resolve(nameB))) {
    throw new InputError(
      "same_run",
      `compare: got ${nameA} twice, expected two runs`,
      "`defensible runs list` shows the runs of a workspace.",
    );
  }
  const [a, b] = [await inputOf(nameA, flags), await inputOf(nameB, flags)];
  const { seed, draws } = flags;
  const { buildCompare } = await import("../../app/compare/build-compare.js");
  const { compareDocument } = await import("../../present/document/compare-document.js");
  const { printPage } = await import("../page.js");
  const result = await withDuckDB(
    (db) => buildCompare(db, a, b, { seed, draws, sameActionOnly: flags.sameAction === true }),
    { ordered: false },
  );
  printPage(() => compareDocument(result, { rows: flags.rows }), flags, printJson(result, flags));
}

function isFile(name: string): boolean {
  return /\.(jsonl|ndjson|csv|parquet)$/i.test(name) || name.includes("/");
}

async function inputOf(name: string, flags: CompareFlags): Promise<CompareInput> {
  if (isFile(name)) {
    const source = { path: name, format: auditFormat(name), own: false };
    return { name: basename(name), run_id: null, settings: null, source, actions: flags.actions };
  }
  const { fileStores } = await import("../../store/files/stores.js");
  const { chosenRun } = await import("../../store/choose-run.js");
  const workspace = await workspaceOf(flags);
  const ledger = fileStores(workspace).runs;
  const manifest = await chosenRun(ledger, name);
  return {
    name: manifest.run_id,
    run_id: manifest.run_id,
    settings: settingsOf(manifest),
    source: await ledger.snapshot(manifest.run_id),
    actions: manifest.actions,
  };
}

/** What a run says of how it was made, and could differ in. */
function settingsOf(manifest: Manifest): CompareInput["settings"] {
  return {
    ...auditSettings(manifest),
    samples: manifest.samples ?? null,
    scrub: manifest.scrub ?? null,
    endpoint: manifest.endpoint ?? null,
    rules: manifest.hashes.rules,
    precedents: manifest.hashes.precedents,
  };
}
