import type { AuditRequest, AuditResult } from "../../app/audit/run-audit.js";
import { runAudit } from "../../app/audit/run-audit.js";
import type { Auditor, GivenSettings } from "../../auditors/auditor.js";
import { InputError } from "../../core/errors.js";
import type { MissingMode, SignalMode } from "../../core/records/audit.js";
import { keepHeapSmall } from "../../io/memory.js";
import { hasTornTail, TORN_REMEDY } from "../../io/torn-tail.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { estimateText } from "../estimate-text.js";
import { interruptible } from "../interrupt.js";
import { auditorFrom, endpointOf, giveUpMsOf } from "../model-options.js";
import { say } from "../output.js";
import { Progress } from "../progress.js";
import { scrubFrom } from "../scrub-options.js";
import type { AuditFlags } from "./options.js";

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

/** Audits with progress on stderr, until it is done, refused, or interrupted. */
export async function auditSession(workspace: Workspace, flags: AuditFlags, own: OwnRequest): Promise<AuditResult> {
  if (hasTornTail(workspace.paths.decisions)) say(`${printable(workspace.paths.decisions)}: ${TORN_REMEDY}`);
  const scrub = await scrubFrom(flags);
  const { config } = workspace;
  const name = flags.auditor ?? config.auditor;
  const auditor = await auditorFrom(name, flags, config, flags.dryRun, workspace.root);
  if (auditor.inProcess) keepHeapSmall();
  const seed = flags.seed ?? config.seed;
  const signal = setting("signal", flags.signal, auditor, "logprobs");
  const interrupt = interruptible();
  const progress = new Progress();
  try {
    const result = await runAudit(workspace, {
      humans: false,
      batch: false,
      keepRaw: false,
      ...own,
      auditor,
      template: setting("template", flags.template, auditor, config.template),
      tier: setting("tier", flags.tier, auditor, config.tier),
      temperature: setting("temperature", flags.temperature, auditor, config.temperature),
      signal,
      missing: missingMode(flags.missing, config.missing, signal),
      samples: setting("samples", flags.samples, auditor, 10),
      seed,
      selection: {
        cohort: flags.cohort,
        communities: flags.communities,
        filters: flags.filter,
        sample: flags.sample ? { size: flags.sample, seed } : undefined,
        limit: flags.limit,
      },
      concurrency: flags.concurrency,
      allowUnusedRules: flags.allowUnusedRules ?? false,
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

/** Only token probabilities have labels that are not listed: frequencies over draws are smoothed instead. */
function missingMode(
  flag: MissingMode | undefined,
  configured: MissingMode | undefined,
  signal: SignalMode,
): MissingMode {
  if (flag === "paper" && signal !== "logprobs") {
    throw new InputError(
      "missing_mode",
      `--missing paper: does not go with --signal ${signal}, which reads no token probabilities`,
      "Leave out --missing, or audit with --signal logprobs.",
    );
  }
  return signal === "logprobs" ? (flag ?? configured ?? "floor") : "floor";
}

/** The flag, else what kept answers were given under, else the default. Answers cannot be given other settings afterwards. */
function setting<K extends keyof GivenSettings>(
  name: K,
  flag: GivenSettings[K],
  auditor: Auditor,
  otherwise: NonNullable<GivenSettings[K]>,
): NonNullable<GivenSettings[K]> {
  const given = auditor.given?.[name];
  if (flag !== undefined && given !== undefined && flag !== given) {
    throw new InputError(
      "other_settings",
      `${name}: got ${flag}, but the answers of ${auditor.name} were given with ${given}`,
      `Leave out --${name}: a replay has the settings of its answers.`,
    );
  }
  return (flag ?? given ?? otherwise) as NonNullable<GivenSettings[K]>;
}
