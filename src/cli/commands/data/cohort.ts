import { Command } from "commander";
import { InputError } from "../../../core/errors.js";
import type { CohortSelection } from "../../../core/records/manifest.js";
import { cohortSentence, cohortsDocument } from "../../../present/document/list-documents.js";
import { createCohort } from "../../../store/cohorts.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, collect, contextOf, examples, integer, withCommonOptions } from "../../options.js";
import { print, printDocument, printJson } from "../../output.js";

interface CreateOptions extends CommonOptions {
  random?: number;
  balanced?: number;
  filter?: string[];
  file?: string;
  seed?: number;
}

export function cohortCommand(): Command {
  const cohort = new Command("cohort").addHelpText(
    "after",
    examples(
      "defensible cohort create sample --random 200 --seed 7",
      "defensible cohort create contested --balanced 100",
      "defensible cohort create spanish --filter content.language=es",
    ),
  );
  cohort.addCommand(
    withCommonOptions(new Command("create"))
      .description("choose decisions and record the choice")
      .argument("<name>", "lower-case letters, digits, - and _")
      .option("--random <n>", "n decisions at random, whatever the order of the file", integer(1))
      .option(
        "--balanced <n>",
        "n decisions, half of them contested (label differs, or appealed), both actions alike",
        integer(1),
      )
      .option("--filter <condition>", "FIELD=VALUE or FIELD!=VALUE; may be repeated", collect)
      .option("--file <file>", "the ids in a file: one a line, or JSONL or CSV with id or decision_id")
      .option("--seed <s>", "seed of --random and --balanced (default: the workspace's)", integer(0))
      .action(create),
  );
  cohort.addCommand(withCommonOptions(new Command("list")).description("all cohorts (the default)").action(list), {
    isDefault: true,
  });
  cohort.addCommand(
    withCommonOptions(new Command("show")).description("one cohort").argument("<name>", "its name").action(show),
  );
  cohort.addCommand(
    withCommonOptions(new Command("delete"))
      .description("forget a cohort; its decisions stay")
      .argument("<name>", "its name")
      .action(remove),
  );
  return cohort;
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const context = await contextOf(options);
  const selection = selectionOf(options, options.seed ?? context.config.seed);
  const made = await createCohort(context, name, selection, context.now());
  if (!printJson(made, options)) print(cohortSentence(made));
}

function selectionOf(options: CreateOptions, seed: number): CohortSelection {
  const kinds: CohortSelection[] = [];
  if (options.random) kinds.push({ kind: "random", size: options.random, seed });
  if (options.balanced) kinds.push({ kind: "balanced", size: options.balanced, seed });
  if (options.filter) kinds.push({ kind: "filter", filters: options.filter });
  if (options.file) kinds.push({ kind: "file", file: options.file });
  if (kinds.length === 1) return kinds[0]!;
  throw new InputError(
    "one_selection",
    `cohort: got ${kinds.length === 0 ? "no way" : "several ways"} to choose, expected one`,
    "Give one of --random N, --balanced N, --filter FIELD=VALUE or --file FILE.",
  );
}

async function list(options: CommonOptions): Promise<void> {
  const cohorts = await (await contextOf(options)).cohorts.list();
  const counted = cohorts.map(({ decision_ids, ...rest }) => ({ ...rest, decisions: decision_ids.length }));
  if (printJson(counted, options)) return;
  if (cohorts.length > 0) printDocument(cohortsDocument(cohorts));
  else print("There is no cohort yet. `defensible cohort create --help` says how to make one.");
}

async function show(name: string, options: CommonOptions): Promise<void> {
  const cohort = await (await contextOf(options)).cohorts.read(name);
  if (printJson(cohort, options)) return;
  print(cohortSentence(cohort));
  for (const id of cohort.decision_ids) print(`  ${printable(id)}`);
}

async function remove(name: string, options: CommonOptions): Promise<void> {
  await (await contextOf(options)).cohorts.delete(name);
  if (!printJson({ deleted: name }, options)) print(`Forgot cohort ${printable(name)}.`);
}
