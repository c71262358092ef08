import { createHash } from "node:crypto";
import { type Ask, type Auditor, CallError, tooLongAnswer } from "../../auditors/auditor.js";
import type { CheckFailedError } from "../../core/errors.js";
import type { Generation } from "../../core/records/case.js";
import type { AuditTools } from "../audit-one.js";
import { type Purse, RunHalted } from "./budget.js";
import { backoffMs, Patience, wait } from "./patience.js";
import type { Scheduler } from "./scheduler.js";

/** Attempts per call. A request to slow down is not the call's fault, so more of those are allowed. */
const MAX_ATTEMPTS = 6;
const MAX_SLOWED = 20;
/** After this many calls in a row that used up their attempts, the server is taken to be down. */
const DOWN_AFTER = 12;

export interface Called {
  generation: Generation;
  attempts: number;
  /** From the cache, at no cost. */
  cached: boolean;
  /** Time of the call that succeeded. */
  latencyMs: number;
}

interface CallerOptions {
  auditor: Auditor;
  scheduler: Scheduler;
  cache: ResponseCache | null;
  budget: Purse;
  /** Separates requests that look the same: the run's seed, and how answers are read. */
  salt?: string;
  /** Aborts calls in flight. */
  signal: AbortSignal;
  /** How long a server that refuses every call is tolerated. */
  patience?: Patience;
  random?: () => number;
}

/** Calls a model persistently: waits its turn, retries what may succeed, and ends the run when no call can. */
export class Caller {
  private failuresInARow = 0;
  private readonly patience: Patience;

  constructor(private readonly options: CallerOptions) {
    this.patience = options.patience ?? new Patience({ name: options.auditor.name });
  }

  async ask(ask: Ask): Promise<Called[]> {
    const { cache, auditor } = this.options;
    if (!cache || !auditor.requestText) return this.call(ask);
    const keys = ask.wanted.map((one) =>
      cacheKey(this.options.salt ?? "", auditor.requestText!({ ...ask, wanted: [one] }), one.key),
    );
    const known = await Promise.all(keys.map((key) => cache.get(key)));
    const missing = ask.wanted.filter((_, i) => known[i] === null);
    const fresh = missing.length > 0 ? await this.call({ ...ask, wanted: missing }) : [];
    let next = 0;
    return known.map((generation, i): Called => {
      if (generation) return { generation: { ...generation, usage: NOTHING }, attempts: 0, cached: true, latencyMs: 0 };
      const called = fresh[next++]!;
      cache.put(keys[i]!, called.generation, ask.wanted[i]!.key.split("\u0000")[0]!);
      return called;
    });
  }

  private async call(ask: Ask): Promise<Called[]> {
    const { budget } = this.options;
    try {
      await budget.reserve();
    } catch (cause) {
      throw new RunHalted(cause as CheckFailedError);
    }
    const called: Called[] = [];
    try {
      while (called.length < ask.wanted.length) {
        const wanted = ask.wanted.slice(called.length);
        called.push(...(await this.persist(wanted.length === ask.wanted.length ? ask : { ...ask, wanted })));
      }
      return called;
    } finally {
      // Also if the rest of the answers never came: those that came were paid for.
      budget.settle(this.costOf(called));
    }
  }

  /** null: there is a price, and the server did not report usage. */
  private costOf(called: readonly Called[]): number | null {
    const costs = called.map(({ generation }) => generation.usage.cost_usd);
    if (costs.includes(null) && this.options.auditor.price) return null;
    return costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  }

  private async persist(ask: Ask): Promise<Called[]> {
    const { auditor, scheduler, signal } = this.options;
    const begun = performance.now();
    for (let attempts = 1, slowed = 0; ; attempts++) {
      try {
        let started = 0;
        const { generations } = await scheduler.run(() => {
          started = performance.now();
          return auditor.ask({ ...ask, signal });
        });
        const latencyMs = performance.now() - started;
        this.failuresInARow = 0;
        this.patience.succeeded();
        return generations.map((generation) => ({ generation, attempts, cached: false, latencyMs }));
      } catch (cause) {
        if (cause instanceof RunHalted) throw cause;
        if (signal.aborted || (cause instanceof CallError && cause.fault === "aborted")) throw new RunHalted(null);
        if (!(cause instanceof CallError)) throw cause;
        if (cause.fault === "too_long") return ask.wanted.map(() => this.tooLong(ask, attempts));
        if (cause.final) throw new RunHalted(cause);
        const waitMs = backoffMs(attempts, cause.retryAfterMs, this.options.random);
        if (cause.again) this.patience.failed(cause, waitMs);
        if (cause.slower) {
          slowed++;
          this.options.budget.slowed?.(waitMs);
        }
        const tries = attempts - slowed;
        // If the server refuses all calls, this one is not at fault.
        const alone = slowed >= MAX_SLOWED && this.patience.hasSucceededSince(begun);
        if (!cause.again || tries >= MAX_ATTEMPTS || alone) throw this.exhausted(cause, attempts);
        await wait(waitMs, signal);
        if (signal.aborted) throw new RunHalted(null);
      }
    }
  }

  /** There is an answer, but it is too long to read. That is not a server failure, and a retry would give another of its kind. */
  private tooLong({ temperature }: Ask, attempts: number): Called {
    this.failuresInARow = 0;
    const { name } = this.options.auditor;
    const generation = tooLongAnswer({ model: name, space: "unknown", temperature });
    return { generation, attempts, cached: false, latencyMs: 0 };
  }

  /** One decision without an answer is that decision's outcome; many in a row mean the server is down. */
  private exhausted(cause: CallError, attempts: number): CallError {
    if (cause.again && ++this.failuresInARow >= DOWN_AFTER) {
      throw new RunHalted(
        new CallError(
          cause.fault,
          `${this.options.auditor.name}: ${DOWN_AFTER} calls in a row got no answer; the last one: ${cause.message}`,
          cause.remedy ?? "Repeat the command when the server answers again; what is done is kept.",
        ),
      );
    }
    return Object.assign(cause, { attempts });
  }
}

const NOTHING = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/** The full request, and the replicate and draw at the end of the audit's key. The decision is already in the request. */
function cacheKey(salt: string, request: string, key: string): string {
  const draw = key.split("\u0000").slice(2).join("\u0000");
  return createHash("sha256").update(`${salt}\u0000`).update(request).update(`\u0000${draw}`).digest("hex");
}

/** Asks an auditor that computes in this process: one attempt, no waiting. */
export function askHere(auditor: Auditor): AuditTools["ask"] {
  return (question) => {
    const started = performance.now();
    const answers = auditor.ask(question);
    const done = ({ generations }: Awaited<typeof answers>) =>
      generations.map((generation) => ({
        generation,
        attempts: 1,
        cached: false,
        latencyMs: performance.now() - started,
      }));
    return answers instanceof Promise ? answers.then(done) : done(answers);
  };
}

/** Answers of earlier runs, so that no question is paid for twice. Losing the cache costs money, never a result. */
export interface ResponseCache {
  /** The stored answer for a key; null if there is none that can be read. Never fails. */
  get(key: string): Promise<Generation | null>;
  /**
   * Stores an answer, unless it was cut off, refused or filtered. Never fails: the first failed write ends all writing, with one
   * message; stored answers can still be read.
   * @param decision the decision that was asked about; the answer is not stored if it was erased in the meantime, where the cache knows of erasures
   */
  put(key: string, generation: Generation, decision?: string): Promise<void>;
  /** Waits for pending writes. */
  close(): Promise<void>;
}
