import { HUMAN_ARM } from "../../analysis/signal-counts.js";
import { type Prompts, preparePrompts, promptVersionFor } from "../../audit/abilities.js";
import { type Arm, auditedAction, PLAIN_ARM, type RunSettings } from "../../audit/arms.js";
import type { AuditTools } from "../../audit/audit-one.js";
import { type FrameEntry, Frames, PrecedentShelves } from "../../audit/frames.js";
import { countRules, onlyRules, onlyScope, RuleBook, type RulesInForce } from "../../audit/rules-in-force.js";
import type { Auditor } from "../../auditors/auditor.js";
import type { Prompt } from "../../auditors/output-format.js";
import type { Actions } from "../../core/records/actions.js";
import type { Template } from "../../core/records/audit.js";
import { contentParts, type Decision, type Precedent } from "../../core/records/decision.js";
import type { ArmRecord } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { statedRules } from "../../measures/grounding/stated-reason.js";
import type { Scrub } from "../../text/scrub/scrub.js";

type OwnSettings = Pick<RunSettings, "tier" | "template" | "temperature" | "variant" | "promptVersion">;

/** An arm made ready: what is seen under it, and what its audits are made with. */
class Condition {
  constructor(
    readonly arm: Arm,
    readonly settings: OwnSettings,
    readonly prompts: Prompts | null,
    private readonly rules: RuleBook,
    private readonly frames: Frames,
    /** Conditions with the same one show the same rules and precedents in the same words: prompts of a community begin alike. */
    readonly prefix: string,
  ) {}

  inForce(decision: Decision): RulesInForce {
    const rules = this.rules.inForce(decision);
    if (this.arm.stated) {
      return onlyRules(rules, statedRules(decision, this.frames.of(decision.community, rules).frame) ?? []);
    }
    return this.arm.scope ? onlyScope(rules, this.arm.scope, decision.decided_at) : rules;
  }

  /** Whether any rule is shown for a decision; without one it is not asked about. */
  hasRules(decision: Decision): boolean {
    return countRules(this.inForce(decision)) > 0;
  }

  entry(decision: Decision, rules: RulesInForce): FrameEntry {
    return this.frames.of(decision.community, rules);
  }

  /** What would be asked of an auditor that reads text. */
  promptOf(decision: Decision): Prompt {
    const { frame } = this.entry(decision, this.inForce(decision));
    const action = auditedAction(this.arm, frame.actions, decision.decision);
    const content = contentParts(decision.content);
    return this.prompts!.prompter({ frame, content, decision: action, template: this.settings.template });
  }

  /** The arm as a manifest has it: a book by its id, without its texts. */
  record(): ArmRecord {
    const { book, ...arm } = this.arm;
    return {
      ...arm,
      ...(book ? { book: book.id } : {}),
      ...(arm.template ? { prompt_version: this.settings.promptVersion } : {}),
    };
  }

  /** The run's tools, with what is this arm's. */
  tools(tools: AuditTools): AuditTools {
    return {
      ...tools,
      settings: { ...tools.settings, ...this.settings },
      prompter: this.prompts?.prompter ?? null,
    };
  }
}

/** The arms of a run, ready. */
export class Conditions {
  private readonly byName: ReadonlyMap<string, Condition>;

  constructor(
    readonly all: readonly Condition[],
    /** The workspace's own rules. */
    readonly rules: RuleBook,
  ) {
    this.byName = new Map(all.map((condition) => [condition.arm.name, condition]));
  }

  /** The human's decision is audited as the run is. */
  of(arm: string): Condition {
    return this.byName.get(arm === HUMAN_ARM ? PLAIN_ARM.name : arm)!;
  }
}

export interface ConditionInputs {
  arms: readonly Arm[];
  settings: Pick<RunSettings, "tier" | "template" | "temperature">;
  ruleSets: readonly RuleSet[];
  precedents: readonly Precedent[];
  actions: Actions;
  auditor: Auditor;
  scrub: Scrub | null;
}

/** Makes arms ready. Whatever two of them have in common is prepared once and is the same object, which auditors rely on. */
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

/** What an arm says of the settings, and nothing where it says nothing. */
export function settingsOf({ tier, template, temperature }: Arm): Partial<Omit<OwnSettings, "promptVersion">> {
  return {
    ...(tier === undefined ? {} : { tier }),
    ...(template === undefined ? {} : { template }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}
