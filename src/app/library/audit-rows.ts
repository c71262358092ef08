import { hashList, PLAIN_ARM } from "../../audit/arms.js";
import { RunHalted } from "../../audit/calls/budget.js";
import { AnswerPending } from "../../auditors/auditor.js";
import { endpointOf, giveUpMsOf, type ModelSettings } from "../../auditors/create-auditor.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import { plural } from "../../text/words.js";
import { runAudit } from "../audit/run-audit.js";
import type { Asking, AskLimits, Desk, Subject } from "./desk.js";
import { closed } from "./options.js";

const BATCH = 1000;

interface RunInputs extends AskLimits {
  subject: Subject;
  model: ModelSettings;
  statedReasons: boolean;
  decisions: readonly Decision[];
}

/**
 * Audits decisions as a run of the workspace and yields every audit of it, already recorded ones first. The same decisions under the same rules
 * and settings continue the run if it is incomplete, or return the audits of the complete one. Leaving the loop early stops the run; what is
 * done is kept.
 */
export async function* auditRun({
  subject,
  model,
  statedReasons,
  decisions,
  ...limits
}: RunInputs): AsyncGenerator<Audit> {
  if (decisions.length === 0) return;
  const { auditor, config, settings, notice } = subject;
  const left = new AbortController();
  const stop = AbortSignal.any([subject.stop, left.signal]);
  const ready: Audit[] = [];
  let wake = () => {};
  const run = runAudit(subject.context, {
    ...settings,
    ...limits,
    auditor,
    replicates: 1,
    humans: false,
    statedReasons,
    // Records in the manifest that the run does not cover all decisions of the workspace.
    selection: { given: decisions.length },
    source: { decisions: () => inBatches(decisions), hash: hashList(decisions) },
    allowUnusedRules: true,
    retryErrors: false,
    fresh: false,
    dryRun: false,
    batch: false,
    keepRaw: false,
    cache: true,
    scrub: null,
    endpoint: endpointOf(auditor.name, model, config),
    contextTokens: model.context ?? config.context_tokens ?? null,
    stop,
    progress: () => {},
    estimated: () => {},
    giveUpMs: giveUpMsOf(config),
    notice,
    observe: (audit) => {
      // Audits of other arms saw only some of the rules and must not route a decision.
      if (audit.arm === PLAIN_ARM.name) ready.push(audit);
      wake();
    },
  });
  let ended = false;
  const end = run.then(
    ({ status, reason, intake }) =>
      reason ??
      (status === "stopped" ? closed() : intake && intake.missing > 0 ? missingAnswers(intake.missing) : null),
    worded,
  );
  end.finally(() => {
    ended = true;
    wake();
  });
  try {
    while (!ended || ready.length > 0) {
      if (ready.length > 0) yield* given(ready, subject.stop);
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    const failure = await end;
    if (failure) throw failure;
  } finally {
    left.abort();
    await end;
  }
}

async function* inBatches(decisions: readonly Decision[]): AsyncGenerator<Decision[]> {
  for (let i = 0; i < decisions.length; i += BATCH) yield decisions.slice(i, i + BATCH);
}

/**
 * Audits decisions as they arrive, as many at a time as the server can take, and yields each audit when it is ready. Nothing is stored. If no call
 * can succeed (a wrong key, the cost limit), calls in flight are finished first, then the error is thrown. Leaving the loop early stops it.
 */
export async function* auditRows(
  desk: Desk,
  decisions: AsyncIterable<Decision>,
  limits: AskLimits,
  closing: AbortSignal,
): AsyncGenerator<Audit> {
  const left = new AbortController();
  const stop = AbortSignal.any([closing, left.signal]);
  let asking: Asking | null = null;
  const inHand = new Set<Promise<void>>();
  const ready: Audit[] = [];
  let failure: unknown = null;
  let missing = 0;
  try {
    for await (const decision of decisions) {
      asking ??= desk.ask(limits, stop, decision);
      const { audit } = asking;
      const work = audit(decision)
        .then((made) => void ready.push(made))
        .catch((cause) => {
          if (cause instanceof AnswerPending) missing++;
          else failure ??= cause;
        })
        .finally(() => inHand.delete(work));
      inHand.add(work);
      while (inHand.size >= asking.width && failure === null) {
        await Promise.race(inHand);
        yield* given(ready, closing);
      }
      if (failure !== null) break;
    }
    while (inHand.size > 0) {
      await Promise.race(inHand);
      yield* given(ready, closing);
    }
    yield* given(ready, closing);
    if (failure !== null) throw worded(failure);
    if (missing > 0) throw missingAnswers(missing);
  } finally {
    left.abort();
    await Promise.all(inHand);
    asking?.close();
  }
}

/** Thrown after all available audits were yielded. */
function missingAnswers(audits: number): AnswerPending {
  return new AnswerPending(`answers: none yet for ${plural(audits, "audit")}`);
}

/** Yields what is ready, in order. Throws if `close` was called, because a list that ends early must not look complete. */
function* given(ready: Audit[], closing: AbortSignal): Generator<Audit> {
  while (ready.length > 0) {
    if (closing.aborted) throw closed();
    yield ready.shift()!;
  }
}

/** The reason why no call could succeed, instead of the signal that ends a run. A signal without a reason comes from `close`. */
export function worded(cause: unknown): unknown {
  return cause instanceof RunHalted ? (cause.reason ?? closed()) : cause;
}
