import type { Auditor } from "../../auditors/auditor.js";
import { auditorFrom } from "../../auditors/create-auditor.js";
import type { NewCalibration } from "../../core/calibration.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Route } from "../../core/records/route.js";
import type { Report } from "../../core/results/report.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { type Context, openContext } from "../../store/context.js";
import { memoryContext } from "../../store/memory/stores.js";
import { shown } from "../../store/records/fits.js";
import { chosenSettings } from "../audit/new-manifest.js";
import type { Notice } from "../notices.js";
import {
  type AnalysisSubject,
  type AuditRow,
  type CalibrateOptions,
  calibrationOf,
  type GateOptions,
  gateOf,
  type LabelRow,
  reportOf,
} from "./analyse.js";
import { auditRows, auditRun, worded } from "./audit-rows.js";
import { type Asking, Desk, noDecision, Router, type Subject } from "./desk.js";
import {
  bad,
  checkActions,
  checkDecision,
  checkKeys,
  checkOptions,
  checkPrecedents,
  checkRules,
  closed,
  type DecisionInput,
  type DefensibleOptions,
  defaultConfig,
  type LibraryWords,
  type MemoryOptions,
} from "./options.js";

/** A list, or anything that can be iterated. */
export type Rows<T> = Iterable<T> | AsyncIterable<T>;

export interface AuditAllOptions {
  /** Maximum number of calls in flight; the actual number adapts to the server. Default 64. */
  concurrency?: number;
  /** Cost limit of this call in USD; it stops before exceeding it. Default: no limit. */
  maxCost?: number;
  /**
   * Also audit restrictions using only the rules that their stated reasons name, as arm `stated` of the run. Needs a workspace. These audits are
   * in the run and its report; they are not yielded here.
   */
  statedReasons?: boolean;
}

const DEFAULT_CONCURRENCY = 64;

/**
 * Audits, routes, reports and calibrates inside a program. Made by `defensible`.
 */
export class Defensible {
  /** The auditor in use. */
  readonly auditor: Auditor;
  private readonly router: Router;
  private readonly analysis: AnalysisSubject;
  /** Decisions of audits made by this object; routing reads them. */
  private readonly decisions = new WeakMap<object, Decision>();
  private desk: Promise<Desk> | null = null;
  private single: Asking | null = null;

  /** @internal */
  constructor(
    private readonly subject: Subject,
    private readonly options: DefensibleOptions,
    private readonly stop: AbortController,
  ) {
    this.auditor = subject.auditor;
    const { now, newId } = subject.context;
    this.router = new Router(subject, { shadow: options.workspace !== undefined && options.shadow === true, now });
    const { config, ruleSets, settings, words } = subject;
    this.analysis = {
      actions: config.actions,
      ruleSets,
      gate: config.gate,
      harm: config.harm,
      words,
      seed: settings.seed,
      now,
      newId,
    };
  }

  /**
   * Audits one decision: can it be derived from the rules? `outcome` is `verdict`, `unscored` (an answer without a level, or no rule applies)
   * or `error` (no answer). Unknown numbers are null.
   * Throws if no call can succeed: a wrong key, a model that does not exist.
   */
  async audit(decision: DecisionInput): Promise<Audit> {
    this.refuseClosed();
    const checked = checkDecision(decision, this.subject.config.actions, "decision");
    try {
      const desk = await this.openDesk();
      this.single ??= desk.ask({ concurrency: DEFAULT_CONCURRENCY, maxCost: null }, this.stop.signal, null);
      const audit = await this.single.audit(checked);
      this.decisions.set(audit, checked);
      return audit;
    } catch (cause) {
      throw worded(cause);
    }
  }

  /**
   * Audits many decisions and yields each audit when it is ready. With a workspace this is a run: it is written as it goes, and the same
   * decisions under the same rules and settings continue it, or return what it holds. Without a workspace, nothing is stored.
   */
  async *auditAll(rows: Rows<DecisionInput>, options: AuditAllOptions = {}): AsyncGenerator<Audit, void, undefined> {
    this.refuseClosed();
    checkRows("auditAll", rows);
    checkKeys("auditAll", options);
    const { concurrency = DEFAULT_CONCURRENCY, maxCost = null } = options;
    const limits = { concurrency, maxCost };
    const { kept } = this.subject;
    const { statedReasons = false } = options;
    if (statedReasons && !kept)
      throw bad("auditAll.statedReasons: needs a workspace", "In memory there is no run to keep them in.");
    const known = new Map<string, Decision>();
    const audits = kept
      ? auditRun({
          ...limits,
          subject: this.subject,
          model: this.options.model ?? {},
          statedReasons,
          decisions: await collect(this.checked(rows, known)),
        })
      : auditRows(await this.openDesk(), this.checked(rows, known), limits, this.stop.signal);
    for await (const audit of audits) {
      const decision = known.get(audit.decision_id);
      if (decision) this.decisions.set(audit, decision);
      // A run needs its decisions for another pass; without one, memory must not grow with the stream.
      if (!kept) known.delete(audit.decision_id);
      yield audit;
    }
  }

  /**
   * Where a decision goes, with all reasons: `automate` only if nothing speaks against it. In a workspace it follows the currently active gate
   * with the kill switch, suspensions and marked rules, and adds a line to `gate/routes.jsonl`. Without a gate: `review`, `no_gate`.
   * @param decision required for an audit that was not made by this object
   */
  async route(audit: Audit, decision?: Decision): Promise<Route> {
    this.refuseClosed();
    if (typeof audit !== "object" || audit === null) throw bad(`route: got ${shown(audit)}, expected an audit`);
    const known = decision ?? this.decisions.get(audit);
    if (!known) throw noDecision(audit);
    return this.router.route(audit, known);
  }

  /** The numbers of `defensible report` for these audits. An undefined number is null, with a reason. */
  async report(audits: Rows<AuditRow>): Promise<Report> {
    return reportOf(await this.rows("report", audits), this.analysis);
  }

  /** Which communities these audits allow to automate, and what the others need. Does not become the active gate. */
  async gate(audits: Rows<AuditRow>, options: GateOptions = {}): Promise<GateReport> {
    checkKeys("gate", options);
    return gateOf(await this.rows("gate", audits), options, this.analysis);
  }

  /** A calibration of these audits to labels. Nothing is stored. */
  async calibrate(
    audits: Rows<AuditRow>,
    labels: Rows<LabelRow>,
    options: CalibrateOptions = {},
  ): Promise<NewCalibration> {
    checkKeys("calibrate", options);
    const given = await this.rows("calibrate", labels);
    return calibrationOf(await this.rows("calibrate", audits), given, options, this.analysis);
  }

  /** Stops work in progress and releases the auditor and files. May be called twice. */
  async close(): Promise<void> {
    if (this.stop.signal.aborted) return;
    this.stop.abort();
    this.single?.close();
    await this.router.close();
    this.subject.release();
    // An auditor object belongs to the caller, so it is not closed here.
    if (typeof this.options.auditor !== "object") await this.auditor.close?.();
  }

  /** Opened with the first audit, so that a program that only reports makes no calls. A failed attempt can be repeated. */
  private async openDesk(): Promise<Desk> {
    this.desk ??= Desk.open(this.subject).catch((cause) => {
      this.desk = null;
      throw worded(cause);
    });
    return this.desk;
  }

  /** Validated decisions with unique ids. */
  private async *checked(rows: Rows<DecisionInput>, known: Map<string, Decision>): AsyncGenerator<Decision> {
    const times = new Map<string, number>();
    let index = 0;
    for await (const row of rows) {
      const place = `rows[${index++}]`;
      let decision = checkDecision(row, this.subject.config.actions, place);
      const before = times.get(decision.id) ?? 0;
      times.set(decision.id, before + 1);
      if (before > 0) {
        if (row.id !== undefined)
          throw bad(`${place}.id: "${row.id}" is there twice`, "Give each decision its own id.");
        decision = { ...decision, id: `${decision.id}-${before + 1}` };
      }
      known.set(decision.id, decision);
      yield decision;
    }
  }

  private async rows<T extends object>(name: string, rows: Rows<T>): Promise<readonly T[]> {
    this.refuseClosed();
    checkRows(name, rows);
    return Array.isArray(rows) ? rows : collect(rows);
  }

  private refuseClosed(): void {
    if (this.stop.signal.aborted) throw closed();
  }
}

/** Opens the library; see `entry/library.ts`. `words`: its sentences. */
export async function openDefensible(options: DefensibleOptions, words: LibraryWords): Promise<Defensible> {
  checkOptions(options);
  const { auditor: given, model = {}, onNotice } = options;
  const notice = (one: Notice) => onNotice?.(words.notice(one));
  const stop = new AbortController();
  const { context, folder, release } = await (options.workspace === undefined
    ? inMemory(options, notice)
    : inPlace(options.workspace));
  const { config } = context;
  const auditor =
    typeof given === "object" ? given : await auditorFrom(given ?? config.auditor, model, config, false, folder);
  const choices = chosenSettings(options, auditor, config);
  const { seed = config.seed } = options;
  const subject: Subject = {
    context,
    kept: options.workspace !== undefined,
    release,
    config,
    auditor,
    ruleSets: (await context.records.rules()).map(({ set }) => set),
    precedents: (await collect(context.records.precedents())).flat(),
    settings: { ...choices, seed },
    notice,
    words,
    stop: stop.signal,
  };
  return new Defensible(subject, options, stop);
}

interface Opened {
  context: Context;
  /** Folder of the workspace: an auditor of a simulated world finds the world there. */
  folder?: string;
  release: () => void;
}

async function inMemory(options: MemoryOptions, notice: (notice: Notice) => void): Promise<Opened> {
  const config = defaultConfig(checkActions(options.actions));
  const context = memoryContext({ config, rules: checkRules(options.rules, notice) });
  await context.records.addPrecedents(checkPrecedents(options.precedents, config.actions));
  return { context, release: () => context.close() };
}

async function inPlace(place: string): Promise<Opened> {
  const { workspace, ...context } = openContext(place);
  return { context, folder: workspace.root, release: () => {} };
}

async function collect<T>(rows: Rows<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

function checkRows(name: string, rows: unknown): void {
  const given = rows as { [Symbol.iterator]?: unknown; [Symbol.asyncIterator]?: unknown } | null | undefined;
  const isText = typeof rows === "string";
  if (
    !isText &&
    (typeof given?.[Symbol.iterator] === "function" || typeof given?.[Symbol.asyncIterator] === "function")
  )
    return;
  throw bad(`${name}: got ${shown(rows)}, expected a list, or anything that can be iterated`);
}
