import { basename } from "node:path";
import { Command } from "commander";
import { auditorFrom } from "../../../app/audit/configured-auditor.js";
import { worded } from "../../../app/refusal.js";
import { RunHalted } from "../../../audit/calls/budget.js";
import type { Manifest } from "../../../core/records/manifest.js";
import { attackDocument } from "../../../experiments/attack/document/attack-document.js";
import { readAttackCases } from "../../../experiments/attack/run/read-cases.js";
import {
  type AttackRequest,
  askAboutScope,
  caseRecord,
  runAttack,
} from "../../../experiments/attack/run/run-attack.js";
import type { ScoredCase } from "../../../experiments/attack/run/score-case.js";
import { refusalWords } from "../../../experiments/refusals.js";
import { writeFileAtomic } from "../../../io/files.js";
import { plural } from "../../../present/words/numbers.js";
import type { FileContext } from "../../../store/files/stores.js";
import { printable } from "../../../text/printable.js";
import { type AuditFlags, withAuditOptions } from "../../audit/options.js";
import { EXIT } from "../../exit-code.js";
import { auditsBy } from "../../experiment/audits.js";
import { interruptible } from "../../interrupt.js";
import { scrubFrom } from "../../model-options.js";
import { contextOf, examples, integer, share, withCommonOptions } from "../../options.js";
import { say } from "../../output.js";
import { type FigureOptions, type PageOptions, showExperiment, withResultOptions } from "../../page.js";

interface RunFlags extends AuditFlags, PageOptions, FigureOptions {
  run?: string;
  fpr: number;
  askScope?: boolean;
  dual?: boolean;
  cases?: string;
  draws: number;
  anyway?: boolean;
}

export function attackRunCommand(): Command {
  return withResultOptions(withAuditOptions(withCommonOptions(new Command("run"))))
    .description(
      "audit an attack file and report which attacks each layer of defence noticed, and what it wrongly flagged",
    )
    .argument("<file>", "an attack file (JSONL), made by `attack build` or by you (docs/attack.md)")
    .option("--run <id>", "analyse this run of the file instead of auditing it; `newest`: its newest one")
    .option("--anyway", "with --run: analyse although rules or precedents have changed since; nothing is kept")
    .option("--fpr <share>", "share of clean cases that a threshold may flag", share(0.0001, 0.5), 0.05)
    .option("--ask-scope", "ask the auditor a second question: does the cited rule support the step? (third layer)")
    .option("--dual", "also audit the opposite of every decision (third layer)")
    .option("--cases <file>", "write what each layer said of each case to a file (JSONL)")
    .option("--draws <n>", "draws of tests that are too large to be exact", integer(100, 1_000_000), 10_000)
    .addHelpText(
      "after",
      examples(
        "defensible attack run sg-bench.jsonl",
        "defensible attack run sg-bench.jsonl --auditor openai:gpt-4.1-mini --ask-scope --dual --max-cost 5",
        "defensible attack run sg-bench.jsonl --run RUN_ID --fpr 0.01 --figure-data figures",
      ),
    )
    .action(run);
}

async function run(file: string, flags: RunFlags): Promise<void> {
  const context = await contextOf(flags);
  const request: AttackRequest = {
    context,
    cases: await readAttackCases(file, context.config.actions),
    file: basename(file),
    from: flags.run ? { run: flags.run, anyway: flags.anyway ?? false } : { make: auditsBy(context, flags) },
    dual: flags.dual ?? false,
    ask: flags.askScope ? (manifest, cases) => secondQuestion(context, flags, manifest, cases) : undefined,
    rate: flags.fpr,
    seed: flags.seed ?? context.config.seed,
    draws: flags.draws,
  };
  const made = await worded(refusalWords, () => runAttack(request));
  if (!made) return;
  if (made.changed !== null) say(`Note: ${made.changed}. The result is not kept.`);
  showExperiment(made, flags, attackDocument);
  if (flags.cases) writeCases(made.set.scored, flags.cases);
}

/** Asks the auditor of a run whether the cited rule supports the step; false: interrupted. */
async function secondQuestion(
  context: FileContext,
  flags: RunFlags,
  { auditor: name, usage }: Manifest,
  cases: readonly ScoredCase[],
): Promise<boolean> {
  // Answers from a file are answers to audits: whoever gave them cannot be asked on from here.
  if (name.startsWith("answers:")) {
    say(`Second question: not asked. ${printable(name)} holds answers to audits, not to a second question.`);
    return true;
  }
  const auditor = await auditorFrom(name, flags, context.config);
  const interrupt = interruptible();
  const cache = flags.cache ? context.openCache(say) : null;
  try {
    const answered = await askAboutScope(cases, {
      auditor,
      cache,
      concurrency: flags.concurrency,
      maxCost: flags.maxCost ?? null,
      paid: usage?.cost_usd ?? 0,
      scrub: await scrubFrom(flags),
      stop: interrupt.signal,
    });
    say(`Second question: ${plural(answered, "answer")} for ${plural(cases.length, "case")}.`);
    return true;
  } catch (cause) {
    if (!(cause instanceof RunHalted)) throw cause;
    if (cause.reason) throw cause.reason;
    say("Stopped while the second question was asked. Repeat the command to go on; answers are kept.");
    process.exitCode = EXIT.interrupted;
    return false;
  } finally {
    interrupt.release();
    await cache?.close();
    await auditor.close?.();
  }
}

function writeCases(cases: readonly ScoredCase[], file: string): void {
  writeFileAtomic(file, cases.map((one) => `${JSON.stringify(caseRecord(one))}\n`).join(""));
  say(`Wrote ${plural(cases.length, "case")} to ${printable(file)}`);
}
