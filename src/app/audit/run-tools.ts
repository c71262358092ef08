import { HUMAN_ARM } from "../../analysis/signal-counts.js";
import {
  type Arm,
  auditedAction,
  PLAIN_ARM,
  type Prompts,
  preparePrompts,
  promptVersionFor,
  type ReadHasher,
  type RunSettings,
} from "../../audit/arms.js";
import type { AuditTools } from "../../audit/audit-one.js";
import { Budget, graceAfter } from "../../audit/calls/budget.js";
import { askHere, Caller, type ResponseCache } from "../../audit/calls/caller.js";
import { Patience } from "../../audit/calls/patience.js";
import { Scheduler } from "../../audit/calls/scheduler.js";
import { type FrameEntry, Frames, PrecedentShelves } from "../../audit/frames.js";
import { countRules, onlyRules, onlyScope, RuleBook, type RulesInForce } from "../../audit/rules-in-force.js";
import type { Auditor } from "../../auditors/auditor.js";
import type { Prompt } from "../../auditors/output-format.js";
import { weightsSchema } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import type { Template, Usage } from "../../core/records/audit.js";
import { contentParts, type Decision, type Precedent } from "../../core/records/decision.js";
import type { ArmRecord } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { type CalibratedWith, calibrationFits } from "../../measures/calibration/calibration-model.js";
import { statedRules } from "../../measures/grounding/stated-reason.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import { parseWeights, type Weights } from "../../measures/signals/weights.js";
import type { Stores } from "../../store/context.js";
import type { CalibrationStore, RawStore, RunWriter } from "../../store/ports.js";
import type { Scrub } from "../../text/scrub/scrub.js";
import type { Notice } from "../notices.js";
import type { AuditRequest } from "./audit-request.js";

interface WorkspaceWeights {
  weights: Weights;
  /** Why these are not the file's weights, or why it is unknown whether they fit; null: nothing to report. */
  notice: Notice | null;
}

/**
 * Weights of S for audits of this kind. A file that says which audits it was fitted on applies to audits of the same auditor, version, prompt,
 * template, signal mode and mode for missing labels; other audits get equal weights. A file that does not say (the paper's own form) was put
 * there on purpose: it is used, and the audits are flagged `uncalibrated`, because it is unknown which audits it fits.
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

/** The stored weights, whichever audits they were fitted on; null: no file. */
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

/** Number of scheduler diary entries that a manifest keeps. */
const SESSIONS_KEPT = 20;

interface RunToolInputs {
  request: AuditRequest;
  writer: RunWriter;
  settings: RunSettings;
  hasher: ReadHasher;
  openCache: Stores["openCache"];
  raw: RawStore;
  /** Cost of this run so far in USD, without what it took over from another run. */
  paidBefore: number;
  /** Estimated cost of one call in USD. */
  expectedCost: number;
}

/** Usage of a run; an unknown cost is null, not 0. */
export function pricedUsage(writer: RunWriter, auditor: Auditor): Usage {
  const usage = writer.usage();
  return { ...usage, cost_usd: auditor.price === null && usage.cost_usd === 0 ? null : usage.cost_usd };
}

export interface RunTools {
  tools: AuditTools;
  scheduler: Scheduler | null;
  /** null: the auditor costs nothing. */
  budget: Budget | null;
  /** Releases everything and records in the manifest how it went. May be called twice. */
  close(): Promise<void>;
}

/** Everything that a run's audits need, from the prompt to the response cache. */
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
    // Replicates must be able to differ, and the cache keeps only the candidates that signals read, not whole answers.
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
      // Set per arm.
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

type OwnSettings = Pick<RunSettings, "tier" | "template" | "temperature" | "variant" | "promptVersion">;

/** A prepared arm: the rules and precedents it shows, and what its audits are made with. */
class Condition {
  constructor(
    readonly arm: Arm,
    readonly settings: OwnSettings,
    readonly prompts: Prompts | null,
    private readonly rules: RuleBook,
    private readonly frames: Frames,
    /** Conditions with the same prefix show the same rules and precedents in the same words, so their prompts for a community begin alike. */
    readonly prefix: string,
  ) {}

  inForce(decision: Decision): RulesInForce {
    const rules = this.rules.inForce(decision);
    if (this.arm.stated) {
      return onlyRules(rules, statedRules(decision, this.frames.of(decision.community, rules).frame) ?? []);
    }
    return this.arm.scope ? onlyScope(rules, this.arm.scope, decision.decided_at) : rules;
  }

  /** Whether any rule is shown for a decision; without one the decision is not asked about. */
  hasRules(decision: Decision): boolean {
    return countRules(this.inForce(decision)) > 0;
  }

  entry(decision: Decision, rules: RulesInForce): FrameEntry {
    return this.frames.of(decision.community, rules);
  }

  /** The prompt for an auditor that reads text. */
  promptOf(decision: Decision): Prompt {
    const { frame } = this.entry(decision, this.inForce(decision));
    const action = auditedAction(this.arm, frame.actions, decision.decision);
    const content = contentParts(decision.content);
    return this.prompts!.prompter({ frame, content, decision: action, template: this.settings.template });
  }

  /** The arm as recorded in a manifest: a book by its id, without its texts. */
  record(): ArmRecord {
    const { book, ...arm } = this.arm;
    return {
      ...arm,
      ...(book ? { book: book.id } : {}),
      ...(arm.template ? { prompt_version: this.settings.promptVersion } : {}),
    };
  }

  /** The run's tools with this arm's settings and prompts. */
  tools(tools: AuditTools): AuditTools {
    return {
      ...tools,
      settings: { ...tools.settings, ...this.settings },
      prompter: this.prompts?.prompter ?? null,
    };
  }
}

export class Conditions {
  private readonly byName: ReadonlyMap<string, Condition>;

  constructor(
    readonly all: readonly Condition[],
    readonly rules: RuleBook,
  ) {
    this.byName = new Map(all.map((condition) => [condition.arm.name, condition]));
  }

  /** The human's decision is audited under the run's own settings. */
  of(arm: string): Condition {
    return this.byName.get(arm === HUMAN_ARM ? PLAIN_ARM.name : arm)!;
  }
}

interface ConditionInputs {
  arms: readonly Arm[];
  settings: Pick<RunSettings, "tier" | "template" | "temperature">;
  ruleSets: readonly RuleSet[];
  precedents: readonly Precedent[];
  actions: Actions;
  auditor: Auditor;
  scrub: Scrub | null;
}

/** Prepares arms. What several arms have in common is prepared once and is the same object; auditors rely on that. */
export async function prepareConditions(inputs: ConditionInputs): Promise<Conditions> {
  const { auditor, scrub, actions } = inputs;
  const rules = new RuleBook(inputs.ruleSets);
  const none = new PrecedentShelves([]);
  const own = new PrecedentShelves(inputs.precedents);
  const books = new Map<string, { rules: RuleBook; shelves: PrecedentShelves }>();
  const frames = new Map<string, Frames>();
  const prompts = new Map<Template, Prompts | null>();
  const conditions: Condition[] = [];
  for (const arm of inputs.arms) {
    const { tier, template, temperature } = { ...inputs.settings, ...settingsOf(arm) };
    const book = arm.book?.id ?? "";
    if (!books.has(book)) {
      books.set(book, {
        rules: arm.book?.rules ? new RuleBook(arm.book.rules) : rules,
        shelves: arm.book?.precedents ? new PrecedentShelves(arm.book.precedents) : own,
      });
    }
    const shown = books.get(book)!;
    const silent = arm.precedents === false;
    const key = [tier, book, silent].join("\u0000");
    if (!frames.has(key)) frames.set(key, new Frames(silent ? none : shown.shelves, tier, inputs.actions));
    if (!prompts.has(template)) prompts.set(template, await preparePrompts({ auditor, template, scrub, actions }));
    const prepared = prompts.get(template)!;
    const promptVersion = await promptVersionFor(auditor, template, actions);
    const prefix = [key, arm.scope ?? "", arm.stated ?? "", template].join("\u0000");
    const variant = arm.temperature === undefined ? {} : { variant: `${arm.draws ?? arm.name} ${temperature}` };
    const settings = { tier, template, temperature, ...variant, promptVersion };
    conditions.push(new Condition(arm, settings, prepared, shown.rules, frames.get(key)!, prefix));
  }
  return new Conditions(conditions, rules);
}

/** The settings that an arm overrides. */
export function settingsOf({ tier, template, temperature }: Arm): Partial<Omit<OwnSettings, "promptVersion">> {
  return {
    ...(tier === undefined ? {} : { tier }),
    ...(template === undefined ? {} : { template }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}
