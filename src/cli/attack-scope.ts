import { auditorFrom } from "../app/audit/configured-auditor.js";
import { Budget } from "../audit/calls/budget.js";
import { Caller, type ResponseCache } from "../audit/calls/caller.js";
import { RunHalted } from "../audit/calls/run-halted.js";
import { Scheduler } from "../audit/calls/scheduler.js";
import { askScope } from "../audit/scope-question/ask-scope.js";
import type { Auditor } from "../auditors/auditor.js";
import { CallError } from "../auditors/call-error.js";
import type { Manifest } from "../core/records/manifest.js";
import type { ScoredCase } from "../experiments/attack/run/score-case.js";
import { plural } from "../present/words/numbers.js";
import { fileStores } from "../store/files/stores.js";
import type { Workspace } from "../store/files/workspace.js";
import { printable } from "../text/printable.js";
import type { AuditFlags } from "./audit/options.js";
import { interruptible } from "./interrupt.js";
import { say } from "./output.js";
import { scrubFrom } from "./scrub-options.js";

/** How the second questions went. */
export interface Asked {
  answered: number;
  /** Why some were not, with their number. */
  reasons: Map<string, number>;
}

/**
 * Asks the second question about every case, as many at a time as the server bears, and writes the answers into the cases. Answers are kept in the response
 * cache, so that a repeated command pays only for what is missing. Null: interrupted.
 */
export async function askAboutScope(
  workspace: Workspace,
  flags: AuditFlags,
  { auditor: name, usage }: Pick<Manifest, "auditor" | "usage">,
  cases: readonly ScoredCase[],
): Promise<Asked | null> {
  if (name.startsWith("answers:")) return notAsked(name, cases);
  const auditor = await auditorFrom(name, flags, workspace.config);
  const interrupt = interruptible();
  const cache = flags.cache ? fileStores(workspace).openCache(say) : null;
  try {
    const ask = await askerOf(auditor, flags, cache, usage?.cost_usd ?? 0, interrupt.signal);
    const scrub = await scrubFrom(flags);
    const asked: Asked = { answered: 0, reasons: new Map() };
    const waiting = [...cases].reverse();
    const work = async () => {
      for (let one = waiting.pop(); one; one = waiting.pop()) {
        const { p_supported, supports, reason } = await reply(ask, auditor, one, scrub, interrupt.signal);
        if (supports !== null) asked.answered++;
        if (reason !== null) asked.reasons.set(reason, (asked.reasons.get(reason) ?? 0) + 1);
        one.scores.question = p_supported === null ? null : 1 - p_supported;
        one.supported = p_supported === null ? (supports === null ? null : supports === "Yes") : p_supported >= 0.5;
      }
    };
    await Promise.all(Array.from({ length: Math.min(flags.concurrency, cases.length) }, work));
    say(`Second question: ${plural(asked.answered, "answer")} for ${plural(cases.length, "case")}.`);
    return asked;
  } catch (cause) {
    if (!(cause instanceof RunHalted)) throw cause;
    if (cause.reason) throw cause.reason;
    say("Stopped while the second question was asked. Repeat the command to go on; answers are kept.");
    return null;
  } finally {
    interrupt.release();
    await cache?.close();
    await auditor.close?.();
  }
}

/** Answers from a file are answers to audits: whoever gave them cannot be asked on from here. */
function notAsked(name: string, cases: readonly ScoredCase[]): Asked {
  const reason = `${name} holds answers to audits, not to a second question`;
  say(`Second question: not asked. ${printable(reason)}.`);
  for (const one of cases) {
    one.scores.question = null;
    one.supported = null;
  }
  return { answered: 0, reasons: new Map([[reason, cases.length]]) };
}

type AskFunction = Parameters<typeof askScope>[0];

async function askerOf(
  auditor: Auditor,
  flags: AuditFlags,
  cache: ResponseCache | null,
  paid: number,
  signal: AbortSignal,
): Promise<AskFunction> {
  if (auditor.inProcess)
    return async (ask) => (await auditor.ask(ask)).generations.map((generation) => ({ generation }));
  const max = Math.min(flags.concurrency, auditor.maxConcurrency ?? flags.concurrency);
  const scheduler = new Scheduler({ max, signal, stop: signal });
  // What the audits cost counts towards the same limit.
  const budget = new Budget(flags.maxCost ?? null, paid, 0);
  const caller = new Caller({ auditor, scheduler, cache, budget, salt: `${auditor.version}\u0000scope`, signal });
  return (ask) => caller.ask(ask);
}

/** One question; a call that failed for good is that case's outcome. */
async function reply(
  ask: AskFunction,
  auditor: Auditor,
  { input, case: one }: ScoredCase,
  scrub: Awaited<ReturnType<typeof scrubFrom>>,
  signal: AbortSignal,
): Promise<Pick<Awaited<ReturnType<typeof askScope>>, "p_supported" | "supports" | "reason">> {
  try {
    return await askScope(ask, auditor, input, { key: `scope:${one.id}`, seed: one.id, scrub, signal });
  } catch (cause) {
    if (!(cause instanceof CallError)) throw cause;
    return { p_supported: null, supports: null, reason: printable(`no answer: ${cause.fault}`) };
  }
}
