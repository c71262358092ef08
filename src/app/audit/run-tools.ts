import type { ReadHasher, RunSettings } from "../../audit/arms.js";
import type { AuditTools } from "../../audit/audit-one.js";
import { Budget, graceAfter } from "../../audit/calls/budget.js";
import { askHere, Caller, type ResponseCache } from "../../audit/calls/caller.js";
import { Patience } from "../../audit/calls/patience.js";
import { Scheduler } from "../../audit/calls/scheduler.js";
import type { Auditor } from "../../auditors/auditor.js";
import { weightsSchema } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import type { Usage } from "../../core/records/audit.js";
import { type CalibratedWith, calibrationFits } from "../../measures/calibration/calibration-model.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import { parseWeights, type Weights } from "../../measures/signals/weights.js";
import type { Stores } from "../../store/context.js";
import type { CalibrationStore, RawStore, RunWriter } from "../../store/ports.js";
import type { Notice } from "../notices.js";
import type { AuditRequest } from "./audit-request.js";

export interface WorkspaceWeights {
  weights: Weights;
  /** Why they are not those of the file, or not known to suit; null: there is nothing to say. */
  notice: Notice | null;
}

/**
 * Weights of S for audits of this kind. A file that says whose audits it was fitted on counts for audits of the same auditor, version, prompt,
 * template, signal mode and mode for missing labels; others get equal weights. One that does not say so (the paper's own form) was put
 * there on purpose: they are used, and the audits are flagged `uncalibrated`, since it is not known which audits they suit.
 */
export async function weightsFor(
  calibrations: Pick<CalibrationStore, "weights">,
  audits: CalibratedWith,
): Promise<WorkspaceWeights> {
  const file = await readWeights(calibrations);
  if (!file) return { weights: EQUAL_WEIGHTS, notice: null };
  if (!file.fittedOn) {
    return {
      weights: { ...file.weights, calibrated: false, provenance: "unknown" },
      notice: { code: "weights_of_unknown_audits" },
    };
  }
  const mismatches = calibrationFits({ evidence: file.fittedOn }, audits);
  if (mismatches.length === 0) return { weights: { ...file.weights, provenance: "fitted" }, notice: null };
  return { weights: EQUAL_WEIGHTS, notice: { code: "weights_of_other_audits", differences: mismatches } };
}

/** The weights that are kept, whoever they were fitted for. Null: nothing is there. */
export async function readWeights(
  calibrations: Pick<CalibrationStore, "weights">,
): Promise<{ weights: Weights; fittedOn: CalibratedWith | null } | null> {
  const kept = await calibrations.weights();
  if (kept === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(kept.text.replace(/^\ufeff/, ""));
  } catch {
    throw new InputError("bad_weights", `${kept.place}: not JSON`, "Restore it, or delete it for equal weights.");
  }
  return { weights: parseWeights(json), fittedOn: weightsSchema.parse(json).fitted_on ?? null };
}

/** Entries of the scheduler's diary that a manifest keeps. */
const SESSIONS_KEPT = 20;

export interface RunToolInputs {
  request: AuditRequest;
  writer: RunWriter;
  settings: RunSettings;
  hasher: ReadHasher;
  openCache: Stores["openCache"];
  raw: RawStore;
  /** USD that this run has cost so far, without what it took over from another. */
  paidBefore: number;
  /** USD of one call, as far as is known. */
  expectedCost: number;
}

/** What a run cost; a cost that no one knows is null, not 0. */
export function pricedUsage(writer: RunWriter, auditor: Auditor): Usage {
  const usage = writer.usage();
  return { ...usage, cost_usd: auditor.price === null && usage.cost_usd === 0 ? null : usage.cost_usd };
}

export interface RunTools {
  tools: AuditTools;
  scheduler: Scheduler | null;
  /** null: nothing costs anything. */
  budget: Budget | null;
  /** Lets go of everything, and notes in the manifest how it went. May be called twice. */
  close(): Promise<void>;
}

/** Everything that audits of a run are made with, from the prompt to the response cache. */
export function openRunTools(inputs: RunToolInputs): RunTools {
  const { request, writer, settings } = inputs;
  const { auditor } = request;
  const raw = request.keepRaw ? inputs.raw.open(settings, auditor) : null;
  const grace = graceAfter(request.stop);
  let scheduler: Scheduler | null = null;
  let cache: ResponseCache | null = null;
  let budget: Budget | null = null;
  let patience: Patience | null = null;
  let ask = askHere(auditor);
  if (!auditor.inProcess) {
    const max = Math.min(request.concurrency, auditor.maxConcurrency ?? request.concurrency);
    scheduler = new Scheduler({ max, signal: grace.signal, stop: request.stop });
    // Replicates are there to differ, and the cache keeps only the candidates that signals read.
    const cacheable = request.cache && !request.keepRaw && settings.replicates === 1 && !request.replicatesFor;
    cache = cacheable ? inputs.openCache((text) => request.notice({ code: "remark", text })) : null;
    const salt = `${auditor.version}\u0000${settings.seed}`;
    budget = new Budget(request.maxCost, inputs.paidBefore, inputs.expectedCost);
    patience = new Patience({ name: auditor.name, limitMs: request.giveUpMs, tell: request.refused });
    const caller = new Caller({ auditor, scheduler, cache, budget, salt, signal: grace.signal, patience });
    ask = (question) => caller.ask(question);
  }

  let closed = false;
  return {
    tools: {
      auditor,
      settings,
      // Each arm has its own.
      prompter: null,
      ask,
      hasher: inputs.hasher,
      keep: raw ? (key, generation) => raw.append(key, generation) : null,
    },
    scheduler,
    budget,
    async close() {
      if (closed) return;
      closed = true;
      grace.release();
      patience?.release();
      await raw?.close();
      await cache?.close();
      if (!scheduler) return;
      const before = (writer.manifest.scheduler ?? []) as unknown[];
      const sessions = [...before, scheduler.session()].slice(-SESSIONS_KEPT);
      await writer.annotate({ scheduler: sessions, usage: pricedUsage(writer, auditor) });
    },
  };
}
