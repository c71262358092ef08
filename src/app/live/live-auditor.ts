import { hashList } from "../../audit/arms.js";
import type { Purse } from "../../audit/calls/budget.js";
import type { Auditor } from "../../auditors/auditor.js";
import { auditorFrom, endpointOf } from "../../auditors/create-auditor.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { Context } from "../../store/context.js";
import type { AuditRequest } from "../audit/audit-request.js";
import { type AuditChoices, chosenSettings, newManifest } from "../audit/new-manifest.js";
import type { Plan } from "../audit/plan.js";
import { type Asking, Desk, type DeskSubject } from "../library/desk.js";
import type { Notice } from "../notices.js";

export interface LiveAuditorOptions {
  /** Default: the auditor named in the configuration. */
  auditor?: Auditor;
  /** Audit settings that override the configuration. */
  choices?: AuditChoices;
  /** Maximum number of calls in flight. */
  concurrency: number;
  notice: (notice: Notice, kind?: "technical") => void;
  stop: AbortSignal;
  /** Budget for the calls. */
  purse?: (expected: number) => Purse;
  /** A decision to estimate the cost per call by. */
  sample?: Decision;
}

/** Audits decisions as they arrive, under the rules at the time it was opened. Its audits belong to a run for the day (UTC). */
export class LiveAuditor {
  private constructor(
    private readonly context: Context,
    private readonly subject: DeskSubject,
    private readonly desk: Desk,
    private readonly asking: Asking,
    private readonly owned: boolean,
    /** Mark of the rules and precedents it audits under. */
    readonly rulesMark: string,
  ) {}

  static async open(context: Context, options: LiveAuditorOptions): Promise<LiveAuditor> {
    const { config, records } = context;
    const rulesMark = await records.rulesMark();
    const auditor = options.auditor ?? (await auditorFrom(config.auditor, {}, config));
    const precedents: Precedent[] = [];
    for await (const batch of records.precedents()) precedents.push(...batch);
    const subject: DeskSubject = {
      context,
      kept: true,
      release: () => {},
      config,
      auditor,
      ruleSets: (await records.rules()).map(({ set }) => set),
      precedents,
      settings: { ...chosenSettings(options.choices ?? {}, auditor, config), seed: config.seed },
      notice: options.notice,
      cache: context.openCache((text) => options.notice({ code: "remark", text })),
      stop: options.stop,
    };
    const desk = await Desk.open(subject);
    const asking = desk.ask(
      { concurrency: options.concurrency, maxCost: null },
      options.stop,
      options.sample ?? null,
      options.purse,
    );
    return new LiveAuditor(context, subject, desk, asking, options.auditor === undefined, rulesMark);
  }

  audit(decision: Decision): Promise<Audit> {
    return this.asking.audit(decision);
  }

  /** Manifest of the run for audits made now. Its fingerprint is the same in every process. */
  manifest(): Manifest {
    const { context, subject, desk } = this;
    const { auditor, config, ruleSets, precedents, settings } = subject;
    const day = context.now().toISOString().slice(0, 10);
    const request = {
      ...settings,
      auditor,
      replicates: 1,
      humans: false,
      selection: { live: day },
      endpoint: endpointOf(auditor.name, {}, config),
      contextTokens: config.context_tokens ?? null,
    } as unknown as AuditRequest;
    const plan = { audits: 0, flips: 0, sameFamily: 0, decisions: 0, decisionsHash: `live ${day}` } as Plan;
    return newManifest({
      context,
      request,
      weights: desk.settings.weights,
      promptVersion: desk.settings.promptVersion,
      plan,
      arms: [],
      rulesHash: hashList(ruleSets),
      precedentsHash: hashList(precedents),
    });
  }

  async close(): Promise<void> {
    this.asking.close();
    await this.subject.cache?.close();
    if (this.owned) await this.subject.auditor.close?.();
  }
}
