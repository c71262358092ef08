import { resolve } from "node:path";
import { Command } from "commander";
import { auditFormat, type NamedAudits } from "../../../app/find-audits.js";
import { InputError } from "../../../core/errors.js";
import type { Actions } from "../../../core/records/actions.js";
import {
  ACTIONS_HELP,
  actions,
  type CommonOptions,
  contextOf,
  examples,
  integer,
  withCommonOptions,
} from "../../options.js";
import { printJson, withPage } from "../../output.js";
import type { PageOptions } from "../../page.js";

interface CompareFlags extends CommonOptions, PageOptions {
  actions?: Actions;
  sameAction?: boolean;
  seed: number;
  draws: number;
  rows: number;
}

export function compareCommand(): Command {
  return withPage(withCommonOptions(new Command("compare")))
    .description("compare two runs on the decisions they share: what changed, how certain that is, and where")
    .argument("<run-a>", "a run's id, or an audits file (.jsonl, .csv, .parquet)")
    .argument("<run-b>", "the other")
    .option("--actions <names>", `of audits files: the actions, ${ACTIONS_HELP}`, actions)
    .option("--same-action", "leave out decisions on which the two name different actions")
    .option("--seed <n>", "seed of the bootstrap", integer(0), 1)
    .option("--draws <n>", "draws of the bootstrap", integer(100, 1_000_000), 2000)
    .option("--rows <n>", "communities shown", integer(1), 15)
    .addHelpText(
      "after",
      examples(
        "defensible report compare RUN_A RUN_B --html compare.html",
        "defensible report compare old.parquet new.csv --json",
      ),
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
  const { compareAudits } = await import("../../../app/compare/build-compare.js");
  const { compareDocument } = await import("../../../present/document/compare-document.js");
  const { printPage } = await import("../../page.js");
  const { seed, draws, sameAction = false } = flags;
  const runs = isFile(nameA) && isFile(nameB) ? null : (await contextOf(flags)).runs;
  const sides = [named(nameA, flags), named(nameB, flags)] as const;
  const result = await compareAudits(runs, sides, { seed, draws, sameActionOnly: sameAction });
  printPage((size) => compareDocument(result, size), flags, printJson(result, flags));
}

function isFile(name: string): boolean {
  return /\.(jsonl|ndjson|csv|parquet)$/i.test(name) || name.includes("/");
}

function named(name: string, { actions }: CompareFlags): NamedAudits {
  return isFile(name) ? { file: { path: name, format: auditFormat(name) }, actions } : { run: name };
}
