import {
  checkAbilities,
  PLAIN_ARM,
  probeNotes,
  promptVersionFor,
  type ReadHasher,
  type RunSettings,
} from "../../audit/arms.js";
import { type AuditTools, auditOne } from "../../audit/audit-one.js";
import { Budget, graceAfter, type Purse } from "../../audit/calls/budget.js";
import { askHere, Caller, type ResponseCache } from "../../audit/calls/caller.js";
import { Patience, probePatiently } from "../../audit/calls/patience.js";
import { Scheduler } from "../../audit/calls/scheduler.js";
import type { Auditor } from "../../auditors/auditor.js";
import { giveUpMsOf } from "../../auditors/create-auditor.js";
import type { Config } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { Route } from "../../core/records/route.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { routeDecision } from "../../measures/gate/route/decision.js";
import type { Context } from "../../store/context.js";
import type { RouteLog } from "../../store/ports.js";
import { safeJson } from "../../text/printable.js";
import { costOfCall } from "../audit/estimate.js";
import type { AuditChoices } from "../audit/new-manifest.js";
import { type Conditions, prepareConditions, weightsFor } from "../audit/run-tools.js";
import type { Notice } from "../notices.js";
import { LiveState } from "../route/live.js";
import type { LibraryWords } from "./options.js";

/** What a library object was opened with. */
export interface Subject {
  context: Context;
  /** Results are stored, as in a workspace. */
  kept: boolean;
  /** Releases what the context holds. */
  release: () => void;
  config: Config;
  auditor: Auditor;
  ruleSets: readonly RuleSet[];
  precedents: readonly Precedent[];
  settings: Required<AuditChoices> & { seed: number };
  notice: (notice: Notice, kind?: "technical") => void;
  words: LibraryWords;
  /** Stored answers that were paid for, if they are kept. */
  cache?: ResponseCache;
  /** Ends all work in progress. */
  stop: AbortSignal;
}

export type DeskSubject = Omit<Subject, "words">;

export interface AskLimits {
  /** Maximum number of calls in flight. */
  concurrency: number;
  /** Cost limit in USD; null: no limit. */
  maxCost: number | null;
}

/** Calls to the auditor under their own limits. */
export interface Asking {
  /** Number of decisions that may be in progress now. */
  readonly width: number;
  audit(decision: Decision): Promise<Audit>;
  close(): void;
}

/** Audits single decisions; everything that can be prepared is prepared once. */
export class Desk {
  private constructor(
    private readonly subject: DeskSubject,
    private readonly conditions: Conditions,
    readonly settings: RunSettings,
    private readonly hasher: ReadHasher | null,
  ) {}

  /** Asks the auditor what it can do, and refuses settings that it does not support. */
  static async open(subject: DeskSubject): Promise<Desk> {
    const { auditor, context, kept, ruleSets, precedents, config, settings, notice } = subject;
    const wishes = { ...settings, auditor, maxCost: null, batch: false };
    checkAbilities(wishes, null);
    const capabilities = await probePatiently(auditor, subject.stop, { limitMs: giveUpMsOf(config) });
    checkAbilities(wishes, capabilities);
    for (const text of probeNotes(capabilities, settings.signal)) notice({ code: "remark", text }, "technical");
    const promptVersion = await promptVersionFor(auditor, settings.template, config.actions);
    const kind = {
      auditor: auditor.name,
      auditor_version: auditor.version,
      prompt_version: promptVersion,
      template: settings.template,
      signal: settings.signal,
      missing: settings.missing,
    };
    const found = await weightsFor(context.calibrations, kind);
    if (found.notice && settings.signal !== "none") notice(found.notice);
    const conditions = await prepareConditions({
      arms: [PLAIN_ARM],
      settings,
      ruleSets,
      precedents,
      actions: config.actions,
      auditor,
      scrub: null,
    });
    const run: RunSettings = {
      ...settings,
      runId: "",
      promptVersion,
      replicates: 1,
      humans: false,
      weights: found.weights,
    };
    return new Desk(subject, conditions, run, kept ? await context.openHasher() : null);
  }

  /** `sample`: a decision to estimate the cost per call, if cost is limited; `purse`: the budget to use, if it is shared. */
  ask(
    { concurrency, maxCost }: AskLimits,
    stop: AbortSignal,
    sample: Decision | null,
    purse?: (expected: number) => Purse,
  ): Asking {
    const { auditor, config } = this.subject;
    checkAbilities({ ...this.settings, auditor, maxCost, batch: false }, null);
    if (auditor.inProcess) {
      const ask = askHere(auditor);
      return { width: 1, audit: (decision) => this.auditWith(ask, decision), close: () => {} };
    }
    const grace = graceAfter(stop);
    const max = Math.min(concurrency, auditor.maxConcurrency ?? concurrency);
    const scheduler = new Scheduler({ max, signal: grace.signal, stop });
    const expected = (maxCost !== null || purse) && sample ? this.expectedCost(sample) : 0;
    const budget = purse ? purse(expected) : new Budget(maxCost, 0, expected);
    const patience = new Patience({ name: auditor.name, limitMs: giveUpMsOf(config) });
    const caller = new Caller({
      auditor,
      scheduler,
      cache: this.subject.cache ?? null,
      budget,
      signal: grace.signal,
      patience,
    });
    return {
      get width() {
        return scheduler.width;
      },
      audit: (decision) => this.auditWith((question) => caller.ask(question), decision),
      close: () => {
        grace.release();
        patience.release();
      },
    };
  }

  private async auditWith(ask: AuditTools["ask"], decision: Decision): Promise<Audit> {
    const { auditor } = this.subject;
    const condition = this.conditions.of(PLAIN_ARM.name);
    const tools = condition.tools({
      auditor,
      settings: this.settings,
      prompter: null,
      ask,
      keep: null,
      ...(this.hasher ? { hasher: this.hasher } : {}),
    });
    const task = { decision, arm: PLAIN_ARM.name, action: decision.decision, replicates: [0] };
    const inForce = condition.inForce(decision);
    const [audit] = await auditOne(task, inForce, condition.entry(decision, inForce), tools);
    return audit!;
  }

  private expectedCost(decision: Decision): number {
    const condition = this.conditions.of(PLAIN_ARM.name);
    if (!condition.prompts || !condition.hasRules(decision)) return 0;
    const { template, signal, samples } = this.settings;
    const { auditor } = this.subject;
    let one: number;
    try {
      one = costOfCall(auditor, condition.promptOf(decision), condition.prompts.counter, template) ?? 0;
    } catch (cause) {
      // Rules that do not fit are reported with their decisions.
      if (cause instanceof InputError) return 0;
      throw cause;
    }
    return signal === "sampling" ? one * Math.min(samples, auditor.answersPerCall) : one;
  }
}

interface RouterOptions {
  shadow: boolean;
  now: () => Date;
}

/** Routes audits by the active gate. A workspace logs each route; in memory there is neither a log nor a gate. */
export class Router {
  private live: LiveState | null = null;
  private log: RouteLog | null = null;

  constructor(
    private readonly subject: Subject,
    private readonly options: RouterOptions,
  ) {}

  async route(audit: Audit, decision: Decision): Promise<Route> {
    const { context, kept, notice } = this.subject;
    const { shadow, now } = this.options;
    this.live ??= new LiveState(context, { shadow, force: false, notice: kept ? notice : () => {} });
    const route = routeDecision(await this.live.current(), decision, audit);
    if (!kept) return route;
    // Logged before it is returned: nothing is automated without a line in the log.
    this.log ??= context.routes.openLog();
    await this.log.append(`{"at":"${now().toISOString()}",${safeJson(JSON.stringify(route)).slice(1)}\n`);
    return route;
  }

  async close(): Promise<void> {
    await this.log?.close();
    this.log = null;
  }
}

/** Routing also reads the decision: its content, appeals and media. */
export function noDecision({ decision_id }: Audit): InputError {
  return new InputError(
    "no_decision",
    `route: the decision of audit ${decision_id} is not known here`,
    "Pass it as the second argument: route(audit, decision).",
  );
}
