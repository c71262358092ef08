import { chosenSettings } from "../../app/audit/chosen-settings.js";
import { auditorFrom, endpointOf, giveUpMsOf } from "../../app/audit/configured-auditor.js";
import type { AuditRequest, AuditResult } from "../../app/audit/run-audit.js";
import { runAudit } from "../../app/audit/run-audit.js";
import type { Auditor } from "../../auditors/auditor.js";
import { keepHeapSmall } from "../../io/limits.js";
import { hasTornTail, TORN_REMEDY } from "../../io/read-lines.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { estimateText } from "../estimate-text.js";
import { interruptible } from "../interrupt.js";
import { say } from "../output.js";
import { Progress } from "../progress.js";
import { scrubFrom } from "../scrub-options.js";
import type { AuditFlags, QuestionFlags } from "./options.js";

/** What a command asks for beside the flags that all of them share. */
export type OwnRequest = Pick<AuditRequest, "replicates"> &
  Partial<
    Pick<
      AuditRequest,
      | "humans"
      | "flip"
      | "batch"
      | "keepRaw"
      | "runId"
      | "experiment"
      | "arms"
      | "design"
      | "replicatesFor"
      | "observe"
      | "again"
      | "source"
    >
  >;

/** What the flags that all of these commands share ask of a run. */
export function sharedRequest(workspace: Workspace, flags: QuestionFlags, auditor: Auditor) {
  const { config } = workspace;
  const seed = flags.seed ?? config.seed;
  return {
    auditor,
    ...chosenSettings(flags, auditor, config),
    seed,
    selection: {
      cohort: flags.cohort,
      communities: flags.communities,
      filters: flags.filter,
      sample: flags.sample ? { size: flags.sample, seed } : undefined,
      limit: flags.limit,
    },
    allowUnusedRules: flags.allowUnusedRules ?? false,
  };
}

/** Audits with progress on stderr, until it is done, refused, or interrupted. */
export async function auditSession(workspace: Workspace, flags: AuditFlags, own: OwnRequest): Promise<AuditResult> {
  if (hasTornTail(workspace.paths.decisions)) say(`${printable(workspace.paths.decisions)}: ${TORN_REMEDY}`);
  const scrub = await scrubFrom(flags);
  const { config } = workspace;
  const name = flags.auditor ?? config.auditor;
  const auditor = await auditorFrom(name, flags, config, flags.dryRun, workspace.root);
  if (auditor.inProcess) keepHeapSmall();
  const interrupt = interruptible();
  const progress = new Progress();
  try {
    const result = await runAudit(workspace, {
      humans: false,
      batch: false,
      keepRaw: false,
      ...own,
      ...sharedRequest(workspace, flags, auditor),
      concurrency: flags.concurrency,
      retryErrors: flags.retryErrors ?? false,
      fresh: flags.new ?? false,
      dryRun: flags.dryRun ?? false,
      maxCost: flags.maxCost ?? null,
      cache: flags.cache,
      scrub,
      endpoint: endpointOf(name, flags, config),
      contextTokens: flags.context ?? config.context_tokens ?? null,
      stop: interrupt.signal,
      progress: (done, planned, usage) => progress.update(done, planned, usage),
      giveUpMs: giveUpMsOf(config),
      refused: (waiting) => progress.refused(waiting),
      estimated: (estimate) => say(estimateText(estimate, flags.maxCost)),
      notice: (sentence) => {
        progress.clear();
        say(printable(sentence, 1000));
      },
    });
    progress.finish();
    return result;
  } finally {
    progress.finish();
    interrupt.release();
    await auditor.close?.();
  }
}
