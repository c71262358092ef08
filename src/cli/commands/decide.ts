import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { type DecideResult, runDecide } from "../../audit/decide/run-decide.js";
import { AUDITOR_FORMS } from "../../auditors/create-auditor.js";
import { TIERS, type Tier } from "../../domain/rule-set.js";
import { InputError } from "../../errors.js";
import { plural } from "../../reports/numbers.js";
import { printable } from "../../reports/printable.js";
import { createWorkspace, type Workspace } from "../../workspace/workspace.js";
import { EXIT } from "../exit-code.js";
import { interruptible } from "../interrupt.js";
import { auditorFrom, type ModelOptions, withModelOptions } from "../model-options.js";
import { type CommonOptions, collect, examples, integer, number, withCommonOptions, workspaceOf } from "../options.js";
import { print, printJson, say } from "../output.js";
import { Progress } from "../progress.js";
import { type ScrubOptions, scrubFrom, withScrubOptions } from "../scrub-options.js";

interface DecideOptions extends CommonOptions, ModelOptions, ScrubOptions {
  decider: string;
  out?: string;
  into?: string;
  tier?: Tier;
  temperature: number;
  concurrency: number;
  communities?: string[];
  filter?: string[];
  limit?: number;
  sample?: number;
  seed?: number;
}

export function decideCommand(): Command {
  return withScrubOptions(withModelOptions(withCommonOptions(new Command("decide"))))
    .description("let a model propose decisions from content and rules alone, to be audited by another")
    .requiredOption("--decider <name>", `who decides: ${AUDITOR_FORMS.join(", ")}`)
    .option("--into <dir>", "a new workspace with these rules and precedents and the proposed decisions")
    .option("--out <file>", "only the proposed decisions, as JSONL; what is in the file already is kept")
    .addOption(new Option("--tier <tier>", "how much of each rule is read (default: the workspace's)").choices(TIERS))
    .option("--temperature <t>", "sampling temperature", number(0, 2), 0)
    .option("--concurrency <n>", "most calls in flight; how many there are adapts to the server", integer(1, 1024), 64)
    .option("--communities <names...>", "only these communities")
    .option("--filter <condition>", "only decisions with FIELD=VALUE or FIELD!=VALUE; may be repeated", collect)
    .option("--limit <n>", "only the first n decisions", integer(1))
    .option("--sample <n>", "a random sample of n decisions", integer(1))
    .option("--seed <s>", "seed of the sample and of the decider (default: the workspace's)", integer(0))
    .addHelpText(
      "after",
      examples(
        "defensible decide --decider baseline --into ../proposed",
        "defensible decide --decider openai:gpt-4.1-mini --out proposed.jsonl --limit 100",
      ),
    )
    .action(decide);
}

async function decide(options: DecideOptions): Promise<void> {
  const workspace = await workspaceOf(options);
  const out = target(options, workspace);
  const decider = await auditorFrom(options.decider, options, workspace.config);
  if (options.decider.startsWith("replay:")) {
    throw new InputError(
      "no_decider",
      "decider: kept answers are audits, not decisions",
      "Name a model, or `baseline`.",
    );
  }
  const seed = options.seed ?? workspace.config.seed;
  const interrupt = interruptible();
  const progress = new Progress();
  try {
    const result = await runDecide(workspace, {
      decider,
      selection: {
        communities: options.communities,
        filters: options.filter,
        sample: options.sample ? { size: options.sample, seed } : undefined,
        limit: options.limit,
      },
      tier: options.tier ?? workspace.config.tier,
      temperature: options.temperature,
      seed,
      concurrency: options.concurrency,
      scrub: await scrubFrom(options),
      out,
      stop: interrupt.signal,
      progress: (done, failed, planned) => progress.update({ verdicts: done, unscored: 0, errors: failed }, planned),
    });
    progress.finish();
    report(result, options, out);
  } finally {
    interrupt.release();
    await decider.close?.();
  }
}

function report(result: DecideResult, options: DecideOptions, out: string): void {
  const { proposed, before, failed, changed, firstFailure } = result;
  const { reason, ...rest } = result;
  const json = { ...rest, reason: reason ? { code: reason.code, message: reason.message } : null, out };
  if (failed > 0 && firstFailure) {
    say(`${plural(failed, "decision")} got no proposal; the first: ${printable(firstFailure, 300)}`);
  }
  if (!printJson(json, options)) {
    const earlier = before > 0 ? ` (${before} were there)` : "";
    print(
      `${plural(proposed, "decision")} proposed by ${printable(options.decider, 80)}${earlier}, ${changed} unlike the one before; in ${printable(out, 300)}.`,
    );
    if (options.into && !result.stopped)
      print(`\`defensible audit --workspace ${printable(options.into, 200)}\` audits them.`);
  }
  if (reason) throw reason;
  if (result.stopped) process.exitCode = EXIT.interrupted;
  else if (failed > 0) process.exitCode = EXIT.someErrors;
}

/** The file of proposals, in a new workspace if one is asked for. */
function target({ into, out }: DecideOptions, workspace: Workspace): string {
  if ((into === undefined) === (out === undefined)) {
    throw new InputError(
      "no_target",
      "decide: expected one of --into DIR and --out FILE",
      "Say where the decisions go.",
    );
  }
  if (out !== undefined) return out;
  if (!existsSync(join(into!, "defensible.yaml"))) {
    const made = createWorkspace(into!, { actions: workspace.config.actions });
    cpSync(workspace.paths.config, made.paths.config);
    cpSync(workspace.paths.rules, made.paths.rules, { recursive: true });
    if (existsSync(workspace.paths.precedents)) cpSync(workspace.paths.precedents, made.paths.precedents);
  }
  const file = join(into!, "decisions.jsonl");
  if (file === workspace.paths.decisions) {
    throw new InputError("same_workspace", "decide: --into is the workspace itself", "Name another folder.");
  }
  return file;
}
