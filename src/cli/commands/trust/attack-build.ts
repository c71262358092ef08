import { existsSync } from "node:fs";
import { Command } from "commander";
import { worded } from "../../../app/refusal.js";
import { InputError } from "../../../core/errors.js";
import { attacksOf } from "../../../experiments/attack/build/build-attacks.js";
import { DEFAULT_WANTED, type Wanted } from "../../../experiments/attack/build/plan.js";
import { buildDocument } from "../../../experiments/attack/document/build-document.js";
import type { AttackKind } from "../../../experiments/attack/result.js";
import { refusalWords } from "../../../experiments/refusals.js";
import { writeFileAtomic } from "../../../io/files.js";
import { keepHeapSmall } from "../../../io/limits.js";
import { chosenRun } from "../../../store/choose-run.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, contextOf, examples, integer, withCommonOptions } from "../../options.js";
import { printJson, say, withMarkdown } from "../../output.js";
import { type PageOptions, printPage } from "../../page.js";

/** Flag of each kind. */
const FLAGS = {
  clean: "clean",
  flips: "action_flip",
  hallucinated: "hallucinated_grounding",
  penumbra: "penumbra",
  paraphrase: "rule_paraphrase",
  precedence: "precedence_inversion",
  splice: "citation_splice",
  language: "foreign_language",
  injection: "prompt_injection",
} as const satisfies Record<string, AttackKind>;

type BuildFlags = CommonOptions &
  PageOptions & { run?: string; out: string; seed: number; force?: boolean } & Record<keyof typeof FLAGS, number>;

export function attackBuildCommand(): Command {
  const command = withMarkdown(withCommonOptions(new Command("build")))
    .description("make attacks and clean cases (SG-Bench) of the decisions of a run")
    .requiredOption("--out <file>", "the attack file to write (JSONL)")
    .option("--run <id>", "the run to make them of (default: the newest)");
  for (const [flag, kind] of Object.entries(FLAGS)) {
    const what = kind === "clean" ? "clean cases" : kind.replaceAll("_", " ");
    command.option(`--${flag} <n>`, `how many: ${what}`, integer(0, 100_000), DEFAULT_WANTED[kind]);
  }
  return command
    .option("--seed <n>", "seed of every choice", integer(0), 1)
    .option("--force", "write over a file that is there")
    .addHelpText(
      "after",
      examples(
        "defensible attack build --out sg-bench.jsonl",
        "defensible attack build --run RUN_ID --out small.jsonl --clean 200 --flips 40 --penumbra 60 --seed 7",
      ),
    )
    .action(build);
}

async function build(flags: BuildFlags): Promise<void> {
  keepHeapSmall();
  if (existsSync(flags.out) && !flags.force) {
    throw new InputError(
      "file_exists",
      `--out: ${flags.out} is there already`,
      "Name another file, or add --force to write over it.",
    );
  }
  const context = await contextOf(flags);
  const manifest = await chosenRun(context.runs, flags.run);
  if (manifest.experiment) {
    throw new InputError(
      "experiment_run",
      `run ${manifest.run_id}: was made for experiment ${manifest.experiment.kind}; attacks need decisions as they were made`,
      "Name a run that `defensible audit` made.",
    );
  }
  const wanted = Object.fromEntries(
    Object.entries(FLAGS).map(([flag, kind]) => [kind, flags[flag as keyof typeof FLAGS]]),
  ) as Wanted;
  const made = await worded(refusalWords, () => attacksOf(context, manifest, { wanted, seed: flags.seed }));
  writeFileAtomic(flags.out, made.cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  say(`Wrote ${made.cases.length} cases to ${printable(flags.out)}`);
  const { cases: _, ...summary } = made;
  printPage(() => buildDocument(made, flags.out), flags, printJson({ format: 1, file: flags.out, ...summary }, flags));
}
