import type { AuditRequest, AuditResult } from "../app/audit/run-audit.js";
import type { Arm } from "../audit/arms.js";
import { RunHalted } from "../audit/calls/run-halted.js";
import type { Manifest } from "../core/records/manifest.js";
import type { ExperimentKind } from "../core/results/experiment.js";
import { plural } from "../present/words/numbers.js";
import { fileStores } from "../store/files/stores.js";
import type { Workspace } from "../store/files/workspace.js";
import type { AuditFlags } from "./audit/options.js";
import { auditSession } from "./audit/session.js";
import { auditSentence, auditSummary } from "./audit/words.js";
import { estimateText } from "./estimate-text.js";
import { EXIT } from "./exit-code.js";
import { print, printJson, say } from "./output.js";

export { type AuditFlags, withAuditOptions } from "./audit/options.js";

/** What an experiment wants audited. */
export interface ExperimentAudits
  extends Pick<AuditRequest, "design" | "replicatesFor" | "observe" | "again" | "source"> {
  kind: ExperimentKind;
  arms: readonly Arm[];
  /** Audits of each decision under each arm. Default: 1. */
  replicates?: number;
  /** What is planned, where later audits depend on earlier ones: in words without a full stop, and the most audits it may come to. */
  plan?: { words: string; most: number };
}

/**
 * Audits for an experiment, in one run: with progress, budget and Ctrl-C as `audit` has them; a run that was interrupted is continued, and one that is
 * complete is used again. Null where there is nothing to analyse: after a dry run, whose plan is printed, and after a stop, with the exit code set.
 */
export async function auditForExperiment(
  workspace: Workspace,
  flags: AuditFlags,
  { kind, replicates = 1, plan, ...own }: ExperimentAudits,
): Promise<Manifest | null> {
  const started = performance.now();
  let result: AuditResult;
  try {
    result = await auditSession(workspace, flags, { ...own, experiment: kind, replicates });
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
  // A comparison of arms that are not complete would mislead.
  if (result.status === "waiting") return null;
  if (result.counts.errors > 0 || result.counts.verdicts === 0) process.exitCode = EXIT.someErrors;
  return fileStores(workspace).runs.manifest(result.runId!);
}
