import { basename } from "node:path";
import { RunHalted } from "../../audit/calls/budget.js";
import { auditorFrom, type ModelSettings } from "../../auditors/create-auditor.js";
import { InputError } from "../../core/errors.js";
import type { Manifest } from "../../core/records/manifest.js";
import { keepHeapSmall } from "../../io/machine.js";
import { plural } from "../../present/words/numbers.js";
import { chosenRun } from "../../store/choose-run.js";
import { writeStepFile } from "../../store/files/experiment-store.js";
import type { FileContext } from "../../store/files/stores.js";
import { printable } from "../../text/printable.js";
import type { OptionsOf, OwnCommand, SliceGroup, SliceOptions, Tools } from "../slice.js";
import type { Step } from "../study/run/step.js";
import { attacksOf } from "./build/build-attacks.js";
import { buildDocument, DEFAULT_WANTED, type Wanted } from "./build/plan.js";
import { attackDocument } from "./document/document.js";
import type { AttackKind, AttackResult } from "./result.js";
import { attackInputs, readAttackCases } from "./run/read-cases.js";
import {
  type AttackRun,
  askAboutScope,
  attackAudits,
  attackResult,
  caseRecord,
  runAttack,
  scoreAttackRun,
} from "./run/run-attack.js";
import type { ScoredCase } from "./run/tables.js";

/** The flag of each kind. */
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

type BuildOptions = { run?: string; out: string; seed: number; force?: boolean } & Record<keyof typeof FLAGS, number>;

const linesOf = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

const build: OwnCommand<never, BuildOptions> = {
  does: "make attacks and clean cases (SG-Bench) of the decisions of a run",
  takes: ["markdown"],
  options: {
    "--out <file>": ["the attack file to write (JSONL)", "required"],
    "--run <id>": ["the run to make them of (default: the newest)"],
    ...Object.fromEntries(
      Object.entries(FLAGS).map(([flag, kind]) => {
        const what = kind === "clean" ? "clean cases" : kind.replaceAll("_", " ");
        return [`--${flag} <n>`, [`how many: ${what}`, { whole: [0, 100_000] }, DEFAULT_WANTED[kind]] as const];
      }),
    ),
    "--seed <n>": ["seed of every choice", { whole: [0] }, 1],
    "--force": ["write over a file that is there"],
  },
  examples: [
    "defensible attack build --out sg-bench.jsonl",
    "defensible attack build --run RUN_ID --out small.jsonl --clean 200 --flips 40 --penumbra 60 --seed 7",
  ],
  async run({ files, say, json, page, workspace }, { out, run, seed, force, ...counts }) {
    keepHeapSmall();
    if (files.has(out) && !force) {
      throw new InputError(
        "file_exists",
        `--out: ${out} is there already`,
        "Name another file, or add --force to write over it.",
      );
    }
    const context = await workspace();
    const manifest = await chosenRun(context.runs, run);
    if (manifest.experiment) {
      throw new InputError(
        "experiment_run",
        `run ${manifest.run_id}: was made for experiment ${manifest.experiment.kind}; attacks need decisions as they were made`,
        "Name a run that `defensible audit` made.",
      );
    }
    const wanted = Object.fromEntries(
      Object.entries(FLAGS).map(([flag, kind]) => [kind, counts[flag as keyof typeof FLAGS]]),
    ) as Wanted;
    const made = await attacksOf(context, manifest, { wanted, seed });
    files.write(out, linesOf(made.cases));
    say(`Wrote ${made.cases.length} cases to ${printable(out)}`);
    const { cases: _, ...summary } = made;
    page(() => buildDocument(made, out), json({ format: 1, file: out, ...summary }));
    return null;
  },
};

const RUN_OPTIONS = {
  "--run <id>": ["analyse this run of the file instead of auditing it; `newest`: its newest one"],
  "--anyway": ["with --run: analyse although rules or precedents have changed since; nothing is kept"],
  "--fpr <share>": ["share of clean cases that a threshold may flag", { share: [0.0001, 0.5] }, 0.05],
  "--ask-scope": ["ask the auditor a second question: does the cited rule support the step? (third layer)"],
  "--dual": ["also audit the opposite of every decision (third layer)"],
  "--cases <file>": ["write what each layer said of each case to a file (JSONL)"],
  "--draws <n>": ["draws of tests that are too large to be exact", { whole: [100, 1_000_000] }, 10_000],
} as const satisfies SliceOptions;

type RunOptions = OptionsOf<typeof RUN_OPTIONS> &
  ModelSettings & { seed?: number; concurrency: number; maxCost?: number; cache: boolean };

const run: OwnCommand<AttackResult, RunOptions, AttackRun> = {
  does: "audit an attack file and report which attacks each layer of defence noticed, and what it wrongly flagged",
  arguments: [["<file>", "an attack file (JSONL), made by `attack build` or by you (docs/attack.md)"]],
  takes: ["audits", "result"],
  options: RUN_OPTIONS,
  examples: [
    "defensible attack run sg-bench.jsonl",
    "defensible attack run sg-bench.jsonl --auditor openai:gpt-4.1-mini --ask-scope --dual --max-cost 5",
    "defensible attack run sg-bench.jsonl --run RUN_ID --fpr 0.01 --figure-data figures",
  ],
  async run(tools, options, file: string) {
    const context = await tools.workspace();
    const { run: named, anyway = false, dual = false, askScope, fpr: rate, draws } = options;
    const made = await runAttack({
      context,
      cases: await readAttackCases(file, context.config.actions),
      file: basename(file),
      from: named ? { run: named, anyway } : { make: tools.make(context) },
      dual,
      ask: askScope ? (manifest, cases) => secondQuestion(context, tools, options, manifest, cases) : undefined,
      rate,
      seed: options.seed ?? context.config.seed,
      draws,
    });
    if (made && made.changed !== null) tools.say(`Note: ${made.changed}. The result is not kept.`);
    return made;
  },
  document: attackDocument,
  after({ set: { scored } }, { cases: file }, { files, say }) {
    if (!file) return;
    files.write(file, linesOf(scored.map(caseRecord)));
    say(`Wrote ${plural(scored.length, "case")} to ${printable(file)}`);
  },
};

/** `attack build | run`: can wrong decisions pass for defensible ones? */
export const attack: SliceGroup = {
  commands: { build, run },
  examples: ["defensible attack build --out sg-bench.jsonl", "defensible attack run sg-bench.jsonl"],
};

/** Asks the auditor of a run whether the cited rule supports the step; false: interrupted. */
async function secondQuestion(
  context: FileContext,
  { say, interruptible, scrub, end }: Tools,
  options: RunOptions,
  { auditor: name, usage }: Manifest,
  cases: readonly ScoredCase[],
): Promise<boolean> {
  // A file contains answers to audits only; its author cannot be asked a second question.
  if (name.startsWith("answers:")) {
    say(`Second question: not asked. ${printable(name)} holds answers to audits, not to a second question.`);
    return true;
  }
  const auditor = await auditorFrom(name, options, context.config);
  const interrupt = interruptible();
  const cache = options.cache ? context.openCache(say) : null;
  try {
    const answered = await askAboutScope(cases, {
      auditor,
      cache,
      concurrency: options.concurrency,
      maxCost: options.maxCost ?? null,
      paid: usage?.cost_usd ?? 0,
      scrub: await scrub(),
      stop: interrupt.signal,
    });
    say(`Second question: ${plural(answered, "answer")} for ${plural(cases.length, "case")}.`);
    return true;
  } catch (cause) {
    if (!(cause instanceof RunHalted)) throw cause;
    if (cause.reason) throw cause.reason;
    say("Stopped while the second question was asked. Repeat the command to go on; answers are kept.");
    end("interrupted");
    return false;
  } finally {
    interrupt.release();
    await cache?.close();
    await auditor.close?.();
  }
}

/** The paper's kinds only; the others are left to `attack build`. */
const PAPER_ATTACKS: Wanted = {
  ...(Object.fromEntries(Object.keys(DEFAULT_WANTED).map((kind) => [kind, 0])) as Wanted),
  clean: DEFAULT_WANTED.clean,
  action_flip: DEFAULT_WANTED.action_flip,
  hallucinated_grounding: DEFAULT_WANTED.hallucinated_grounding,
};

/** File of the step's attacks. */
const ATTACKS = "replicate-attacks.jsonl";

/** SG-Bench in the paper's sizes, made from audited decisions and then audited itself. */
export const attackStep: Step = {
  name: "attack",
  title: "attacks",
  needs: () => ["attack_base"],
  more(_context, { audits, chosen }) {
    const { clean, action_flip, hallucinated_grounding } = DEFAULT_WANTED;
    return Math.min(clean + action_flip + hallucinated_grounding, audits || Number.POSITIVE_INFINITY, chosen);
  },
  async run({ runs, seed }) {
    const base = await runs.get("attack_base");
    const { cases } = await attacksOf(runs.context, base.manifest!, { wanted: PAPER_ATTACKS, seed });
    writeStepFile(runs.context.workspace, ATTACKS, linesOf(cases));
    const inputs = attackInputs(cases);
    // The cases are already chosen, so the workspace's selection of decisions does not apply.
    const wanted = { ...attackAudits(inputs, false), selection: {} };
    const manifest = (await runs.audit(wanted, { fitted: false })).manifest!;
    const set = await scoreAttackRun(runs.context, manifest, cases, inputs);
    const options = { rate: 0.05, seed, draws: runs.sizes.draws, question: false, dual: false };
    const result = await attackResult(runs.context, manifest, { cases, set }, options);
    return { ...result, file: ATTACKS };
  },
};
