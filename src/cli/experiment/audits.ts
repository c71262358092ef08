import { existsSync, mkdirSync, readFileSync } from "node:fs";
import type { AuditResult } from "../../app/audit/run-audit.js";
import { RunHalted } from "../../audit/calls/budget.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { ExperimentAudits, MakeAudits } from "../../experiments/audits.js";
import type { Tools } from "../../experiments/slice.js";
import { writeFileAtomic } from "../../io/files.js";
import { auditSentence, auditSummary, estimateText } from "../../present/audit/run-words.js";
import { plural } from "../../present/words/numbers.js";
import { type FileContext, fileContext } from "../../store/files/stores.js";
import { type AuditFlags, selectionFrom } from "../audit/options.js";
import { auditSession } from "../audit/session.js";
import { EXIT } from "../exit-code.js";
import { Interrupts, interruptible } from "../interrupt.js";
import { type ScrubOptions, scrubFrom } from "../model-options.js";
import { contextOf } from "../options.js";
import { print, printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { worldsProgress } from "../progress.js";
import type { ArmFlags, ExperimentFlags } from "./flags.js";

export type Flags = ExperimentFlags & ArmFlags & ScrubOptions;

/** What the command line provides to an experiment's command. */
export function toolsFrom(flags: Flags): Tools {
  return {
    say,
    print,
    json: (value) => printJson(value, flags),
    page: (document, taken) => printPage(document, flags, taken),
    workspace: (named) => contextOf(named ?? flags),
    make: (context) => auditsBy(context, flags),
    plan: (context) => plansBy(context, flags),
    files: {
      has: existsSync,
      read: (path) => readFileSync(path, "utf8"),
      write: writeFileAtomic,
      makeFolder: (path) => mkdirSync(path, { recursive: true }),
    },
    selection: (seed) => selectionFrom(flags, seed),
    scrub: () => scrubFrom(flags),
    worlds: worldsProgress,
    interruptible,
    interrupts: () => new Interrupts(),
    end: (how) => {
      if (how === "user") process.exitCode ??= EXIT.user;
      else process.exitCode = EXIT[how];
    },
  };
}

/**
 * Makes an experiment's audits with the given flags, and with progress, budget and Ctrl-C as in `audit`. If there is nothing to analyse, the
 * reason is already reported: a dry run has printed its plan, a stop has set the exit code.
 */
export function auditsBy(context: FileContext, flags: AuditFlags): MakeAudits {
  return (wanted) => auditForExperiment(context, flags, wanted);
}

/** The number and cost of such audits, without making them; `cost_usd` null: the price is unknown. */
function plansBy(context: FileContext, given: AuditFlags) {
  return async (wanted: ExperimentAudits): Promise<{ audits: number; cost_usd: number | null }> => {
    const { context: place, flags } = settingsOf(context, given, wanted);
    const { kind: experiment, arms, replicates = 1, selection } = wanted;
    const own = { experiment, arms, replicates, ...(selection && { selection }) };
    const { counts, estimate } = await auditSession(place, { ...flags, dryRun: true, prompts: undefined }, own);
    return { audits: counts.planned, cost_usd: estimate ? estimate.cost_usd : 0 };
  };
}

/** Flags and workspace, with the experiment's own settings. */
function settingsOf(context: FileContext, flags: AuditFlags, wanted: ExperimentAudits) {
  const { auditor, template, maxCost, weights } = wanted;
  const { workspace } = context;
  return {
    context: weights === undefined ? context : fileContext({ ...workspace, paths: { ...workspace.paths, weights } }),
    flags: {
      ...flags,
      ...(auditor === undefined ? {} : { auditor }),
      ...(template === undefined ? {} : { template }),
      ...(maxCost === undefined ? {} : { maxCost }),
    },
  };
}

async function auditForExperiment(
  context: FileContext,
  given: AuditFlags,
  wanted: ExperimentAudits,
): Promise<Manifest | null> {
  const { context: place, flags } = settingsOf(context, given, wanted);
  const { kind, arms, replicates = 1, plan, selection, design, replicatesFor, observe, again, source } = wanted;
  const own = { arms, replicates, design, replicatesFor, observe, again, source, ...(selection && { selection }) };
  const started = performance.now();
  let result: AuditResult;
  try {
    result = await auditSession(place, flags, { ...own, experiment: kind });
  } catch (cause) {
    if (!(cause instanceof RunHalted) || cause.reason !== null) throw cause;
    say("Stopped before the first question. Nothing was done.");
    process.exitCode = EXIT.interrupted;
    return null;
  }
  const sentence = auditSentence(result, performance.now() - started, "", plan?.words);
  if (result.status === "planned") {
    if (printJson({ ...auditSummary(result), ...(plan && { at_most: plan.most }) }, flags)) return null;
    if (result.estimate) print(estimateText(result.estimate, flags.maxCost));
    if (result.estimate && plan && plan.most > result.counts.planned) {
      print(`That is for the first ${plural(result.counts.planned, "audit")}; what follows depends on their verdicts.`);
    }
    print(sentence);
    return null;
  }
  say(sentence);
  if (result.reason) throw result.reason;
  if (result.status === "stopped") {
    process.exitCode = EXIT.interrupted;
    return null;
  }
  // Comparing incomplete arms would mislead.
  if (result.status === "waiting") return null;
  if (result.counts.errors > 0 || result.counts.verdicts === 0) process.exitCode = EXIT.someErrors;
  return context.runs.manifest(result.runId!);
}
