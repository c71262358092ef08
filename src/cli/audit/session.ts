import { statSync } from "node:fs";
import { chosenSettings } from "../../app/audit/new-manifest.js";
import { type AuditRequest, type AuditResult, runAudit } from "../../app/audit/run-audit.js";
import { worded } from "../../app/notices.js";
import type { Auditor } from "../../auditors/auditor.js";
import { auditorFrom, endpointOf, giveUpMsOf } from "../../auditors/create-auditor.js";
import type { PromptLine } from "../../core/records/prompt-line.js";
import { AsideFile } from "../../io/files.js";
import { keepHeapSmall } from "../../io/machine.js";
import { hasTornTail, TORN_REMEDY } from "../../io/read-lines.js";
import { auditRefusal, estimateText, promptSentence } from "../../present/audit/run-words.js";
import { plural } from "../../present/words/numbers.js";
import { noticeText } from "../../present/words/route-words.js";
import type { Context } from "../../store/context.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { interruptible } from "../interrupt.js";
import { scrubFrom } from "../model-options.js";
import { isVerbose, say, sayOnce } from "../output.js";
import { Progress } from "../progress.js";
import { type AuditFlags, selectionFrom } from "./options.js";

/** What a command requests in addition to the shared flags. */
export type OwnRequest = Pick<AuditRequest, "replicates"> &
  Partial<
    Pick<
      AuditRequest,
      | "humans"
      | "flip"
      | "alternatives"
      | "statedReasons"
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
      | "selection"
    >
  >;

/**
 * Audits with progress on stderr until done, refused or interrupted. With `--prompts`, questions are written to a file instead of being asked;
 * the file appears once it is complete. `quiet`: no estimates or notices.
 */
export async function auditSession(
  context: Context & { workspace?: Workspace },
  flags: AuditFlags,
  own: OwnRequest,
  { quiet = false }: { quiet?: boolean } = {},
): Promise<AuditResult> {
  const file = context.workspace?.paths.decisions;
  if (file !== undefined && hasTornTail(file)) say(`${printable(file)}: ${TORN_REMEDY}`);
  const scrub = await scrubFrom(flags);
  const { config } = context;
  const name = flags.auditor ?? config.auditor;
  const onlyPrompts = flags.prompts !== undefined && !hasAnswers(name);
  const dryRun = (flags.dryRun ?? false) || onlyPrompts;
  const contextTokens = flags.context ?? config.context_tokens ?? null;
  const auditor = onlyPrompts
    ? await promptWriter(contextTokens)
    : await auditorFrom(name, flags, config, dryRun, context.workspace?.root);
  if (auditor.inProcess) keepHeapSmall();
  const seed = flags.seed ?? config.seed;
  const interrupt = interruptible();
  const progress = new Progress();
  let hidden = 0;
  const written = flags.prompts === undefined ? null : new AsideFile(flags.prompts);
  try {
    const request: AuditRequest = {
      humans: false,
      batch: false,
      keepRaw: false,
      ...own,
      auditor,
      ...chosenSettings(flags, auditor, config),
      seed,
      selection: own.selection ?? selectionFrom(flags, seed),
      concurrency: flags.concurrency,
      allowUnusedRules: flags.allowUnusedRules ?? false,
      retryErrors: flags.retryErrors ?? false,
      fresh: flags.new ?? false,
      dryRun,
      ...(written ? { prompt: (line: PromptLine) => written.write(`${JSON.stringify(line)}\n`) } : {}),
      maxCost: flags.maxCost ?? null,
      cache: flags.cache,
      scrub,
      endpoint: onlyPrompts ? null : endpointOf(name, flags, config),
      contextTokens,
      stop: interrupt.signal,
      progress: (done, planned, usage, live) => progress.update(done, planned, usage, live),
      giveUpMs: giveUpMsOf(config),
      refused: (waiting) => progress.refused(waiting),
      estimated: (estimate) => {
        if (!quiet) say(estimateText(estimate, flags.maxCost));
      },
      notice: (notice, kind) => {
        // These notices are about the auditor, and with --prompts no auditor is used.
        if (onlyPrompts || quiet) return;
        if (kind === "technical" && !isVerbose()) {
          hidden++;
          return;
        }
        progress.clear();
        sayOnce(printable(noticeText(notice), 1000));
      },
    };
    const result = await worded(auditRefusal, () => runAudit(context, request));
    progress.clear();
    if (hidden > 0)
      say(`${plural(hidden, "technical notice")} left out; --verbose shows ${hidden === 1 ? "it" : "them"}.`);
    if (result.status !== "stopped") written?.commit();
    if (written && result.status !== "stopped") say(promptSentence(result, flags.prompts!));
    return result;
  } finally {
    progress.clear();
    written?.discard();
    interrupt.release();
    await auditor.close?.();
  }
}

async function promptWriter(contextTokens: number | null): Promise<Auditor> {
  const { createPromptWriter } = await import("../../auditors/answers/auditor.js");
  return createPromptWriter(contextTokens === null ? {} : { contextTokens });
}

/** Whether the auditor is a non-empty file of answers; before the first answer, every question is open. */
function hasAnswers(auditor: string): boolean {
  if (!auditor.startsWith("answers:")) return false;
  const file = statSync(auditor.slice("answers:".length).trim(), { throwIfNoEntry: false });
  return file !== undefined && !(file.isFile() && file.size === 0);
}
