import { Budget } from "../../../audit/calls/budget.js";
import { Caller, type ResponseCache } from "../../../audit/calls/caller.js";
import { Scheduler } from "../../../audit/calls/scheduler.js";
import { askScope } from "../../../audit/scope-question/ask-scope.js";
import type { Auditor } from "../../../auditors/auditor.js";
import { CallError } from "../../../auditors/call-error.js";
import type { Scrub } from "../../../text/scrub/scrub.js";
import type { ScoredCase } from "./score-case.js";

/** How the second question is asked. */
export interface ScopeAsking {
  auditor: Auditor;
  /** Answers are kept here, so that a repeated command pays only for what is missing; null: nowhere. */
  cache: ResponseCache | null;
  /** Most calls in flight. */
  concurrency: number;
  /** USD that the audits and these questions may cost together; null: no limit. */
  maxCost: number | null;
  /** USD that the audits cost. */
  paid: number;
  scrub: Scrub | null;
  stop: AbortSignal;
}

/**
 * Asks the second question about every case, as many at a time as the server bears, and writes the answers into the cases. Returns how many were
 * answered. Fails with RunHalted when it is stopped.
 */
export async function askAboutScope(cases: readonly ScoredCase[], asking: ScopeAsking): Promise<number> {
  const ask = askerOf(asking);
  let answered = 0;
  const waiting = [...cases].reverse();
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const { p_supported, supports } = await reply(ask, one, asking);
      if (supports !== null) answered++;
      one.scores.question = p_supported === null ? null : 1 - p_supported;
      one.supported = p_supported === null ? (supports === null ? null : supports === "Yes") : p_supported >= 0.5;
    }
  };
  await Promise.all(Array.from({ length: Math.min(asking.concurrency, cases.length) }, work));
  return answered;
}

type AskFunction = Parameters<typeof askScope>[0];

function askerOf({ auditor, cache, concurrency, maxCost, paid, stop: signal }: ScopeAsking): AskFunction {
  if (auditor.inProcess)
    return async (ask) => (await auditor.ask(ask)).generations.map((generation) => ({ generation }));
  const max = Math.min(concurrency, auditor.maxConcurrency ?? concurrency);
  const scheduler = new Scheduler({ max, signal, stop: signal });
  const budget = new Budget(maxCost, paid, 0);
  const caller = new Caller({ auditor, scheduler, cache, budget, salt: `${auditor.version}\u0000scope`, signal });
  return (ask) => caller.ask(ask);
}

/** One question; a call that failed for good is that case's outcome. */
async function reply(
  ask: AskFunction,
  { input, case: one }: ScoredCase,
  { auditor, scrub, stop: signal }: ScopeAsking,
): Promise<Pick<Awaited<ReturnType<typeof askScope>>, "p_supported" | "supports">> {
  try {
    return await askScope(ask, auditor, input, { key: `scope:${one.id}`, seed: one.id, scrub, signal });
  } catch (cause) {
    if (!(cause instanceof CallError)) throw cause;
    return { p_supported: null, supports: null };
  }
}
