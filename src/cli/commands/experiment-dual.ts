import { Command, Option } from "commander";
import { auditFormat } from "../../app/audit/audit-request.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import { dualDocument } from "../../experiments/dual/dual-document.js";
import { type DualRequest, runDual } from "../../experiments/dual/run-dual.js";
import { type AuditFlags, selectionFrom, withAuditOptions } from "../audit/options.js";
import { auditsBy } from "../experiment/audits.js";
import { actions, contextOf, examples, integer, withCommonOptions } from "../options.js";
import { type FigureOptions, type PageOptions, showExperiment, withFigureOption } from "../page.js";

interface DualFlags extends AuditFlags, FigureOptions, PageOptions {
  run?: string;
  audits?: string;
  actions?: Actions;
  correct?: string;
  rows: number;
}

/** `experiment dual`. */
export function experimentDualCommand(): Command {
  return withFigureOption(withAuditOptions(withCommonOptions(new Command("dual"))))
    .description(
      "audit each decision and its opposite apart: what do the rules settle, and is the inverse check right?",
    )
    .option("--run <id>", "analyse this run instead of auditing (newest: the newest dual audit)")
    .addOption(new Option("--audits <file>", 'analyse an audits file with the arms "" and "opposite"').conflicts("run"))
    .option("--actions <positive,negative>", "of an audits file: the two actions, the restricting one first", actions)
    .option("--correct <run>", "correct the ambiguity of this run by the dual audit of a random part of its decisions")
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .option("--rows <n>", "contradictions shown, of each kind; JSON has ten times as many", integer(1, 1000), 10)
    .addHelpText(
      "after",
      examples(
        "defensible experiment dual",
        "defensible experiment dual --sample 200 --auditor openai:gpt-4.1-mini --max-cost 2",
        "defensible experiment dual --sample 200 --correct newest",
        "defensible experiment dual --run 20261115T101530Z-4f2a --md=dual.md",
      ),
    )
    .action(dual);
}

async function dual(flags: DualFlags): Promise<void> {
  const { rows } = flags;
  const made = await runDual({ ...(await auditsFrom(flags)), cases: 10 * rows });
  if (made) showExperiment(made, flags, (result) => dualDocument(result, { rows }));
}

/** The audits that the flags name, else new ones. */
async function auditsFrom(flags: DualFlags): Promise<Omit<DualRequest, "cases">> {
  const { run, audits: path, correct } = flags;
  if (path === undefined) {
    const context = await contextOf(flags);
    if (run) return { context, from: { run }, correct, settings: null };
    const { config } = context;
    const { auditor = config.auditor, tier = config.tier, template = config.template } = flags;
    const selection = selectionFrom(flags, flags.seed ?? config.seed);
    // Kept answers have settings of their own: they are looked at afterwards.
    const settings = /^(replay|answers):/.test(auditor)
      ? null
      : { auditor, tier, template, selection: { ...selection } };
    return { context, from: { make: auditsBy(context, flags) }, correct, settings };
  }
  if (correct !== undefined) {
    throw new InputError(
      "no_workspace",
      "--correct: does not go with --audits",
      "Use --run with a run of the workspace.",
    );
  }
  if (flags.dryRun) {
    throw new InputError("nothing_to_plan", "--dry-run: nothing is audited with --audits", "Leave out one of the two.");
  }
  const file = { path, format: auditFormat(path) };
  return { context: null, from: { file, actions: flags.actions }, correct, settings: null };
}
