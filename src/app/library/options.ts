import { createHash } from "node:crypto";
import type { Auditor } from "../../auditors/auditor.js";
import { type Config, configSchema } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import { type Actions, MODERATION_ACTIONS } from "../../core/records/actions.js";
import { MISSING_MODES, SIGNAL_MODES } from "../../core/records/audit.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import { actionsSchema } from "../../core/records/manifest.js";
import { type RuleSet, ruleSetSchema, setForEach, TIERS } from "../../core/records/rule-set.js";
import { NEW_TEMPLATE, TEMPLATES } from "../../core/records/trace.js";
import { isObject } from "../../core/text-checks.js";
import { explainIssue, shown } from "../../store/records/explain-issue.js";
import { explainRecord, fits } from "../../store/records/fits.js";
import { ruleSetIdentity, ruleSetName } from "../../store/records/parse-rule-set.js";
import { RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import type { ModelSettings } from "../audit/configured-auditor.js";
import type { AuditChoices } from "../audit/new-manifest.js";
import type { CalibrationWords } from "../calibrate/build-calibration.js";
import type { GateWords } from "../gate/gate-codes.js";
import type { Notice } from "../notices.js";
import type { MarkdownRules } from "./rules-from-markdown.js";

/** Rules as they may be given: a rule set, what `rulesFromMarkdown` returns, or several of these. */
export type GivenRules = RuleSet | MarkdownRules | readonly (RuleSet | MarkdownRules)[];

interface CommonOptions extends AuditChoices {
  /** Settings of the model's server: `baseUrl`, `dialect`, `timeout` (seconds), `context` (tokens). Keys come from the environment. */
  model?: ModelSettings;
  /** Seed of the auditor's draws. Default: the workspace's, or 1. */
  seed?: number;
  /** Called with what a person should know, in a sentence. Default: nothing is reported. */
  onNotice?: (sentence: string) => void;
}

/** Everything is in memory: nothing is written to disk. */
export interface MemoryOptions extends CommonOptions {
  /** Such as `baseline` or `openai:gpt-4.1-mini`, or an object of your own. */
  auditor: string | Auditor;
  rules: GivenRules;
  precedents?: readonly Precedent[];
  /** Default: `remove` and `approve`. */
  actions?: Actions;
  workspace?: undefined;
}

/** A folder made by `defensible init`: its rules, precedents, settings, gate and runs. */
export interface WorkspaceOptions extends CommonOptions {
  workspace: string;
  /** Default: the workspace's. */
  auditor?: string | Auditor;
  /** Route without effect: everything goes to review, and `would_route` says what would have happened. */
  shadow?: boolean;
}

export type DefensibleOptions = MemoryOptions | WorkspaceOptions;

/** A decision to audit. Without an id it gets one made of its community, content and action. */
export type DecisionInput = Pick<Decision, "community" | "content" | "decision"> & Partial<Pick<Decision, Optional>>;

type Optional =
  | "id"
  | "human_label"
  | "decider"
  | "rationale"
  | "cited_rule"
  | "decided_at"
  | "ruleset_version"
  | "thread_id"
  | "appeal"
  | "gold"
  | "tags";

/** The settings of a new workspace, for a library without one. */
export function defaultConfig(actions: Actions): Config {
  return configSchema.parse({ version: 1, actions, template: NEW_TEMPLATE });
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["workspace", "auditor", "rules", "precedents", "actions", "shadow", "model", "seed", "onNotice"],
  ...["template", "tier", "temperature", "signal", "missing", "samples"],
]);
const CHOICES: Readonly<Record<"template" | "tier" | "signal" | "missing", readonly string[]>> = {
  template: TEMPLATES,
  tier: TIERS,
  signal: SIGNAL_MODES,
  missing: MISSING_MODES,
};
const OF_MEMORY = ["rules", "precedents", "actions"];

export function checkOptions(options: DefensibleOptions): void {
  if (typeof options !== "object" || options === null) {
    throw bad(`defensible: got ${shown(options)}, expected options`, "Pass { auditor, rules } or { workspace }.");
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name);
  const unknown = names.filter((name) => !KNOWN.has(name));
  if (unknown.length > 0) {
    throw bad(`defensible: unknown option ${unknown.join(", ")}`, `Options are ${[...KNOWN].join(", ")}.`);
  }
  const inMemory = names.filter((name) => OF_MEMORY.includes(name));
  if (options.workspace !== undefined && inMemory.length > 0) {
    throw bad(
      `defensible: got workspace and ${inMemory.join(", ")}, expected one or the other`,
      "A workspace has its own rules, precedents and actions.",
    );
  }
  if (options.workspace === undefined) {
    const missing = (["auditor", "rules"] as const).filter((name) => options[name] === undefined);
    if (missing.length > 0) {
      throw bad(`defensible: ${missing.join(" and ")} missing`, "Pass { auditor, rules } or { workspace }.");
    }
  }
  for (const [name, values] of Object.entries(CHOICES)) {
    const value = options[name as keyof typeof CHOICES];
    if (value === undefined || values.includes(value)) continue;
    throw bad(`${name}: got ${shown(value)}, expected ${values.join(", ")}`);
  }
  if (options.onNotice !== undefined && typeof options.onNotice !== "function") {
    throw bad(`onNotice: got ${shown(options.onNotice)}, expected a function`);
  }
}

/** What the library says in sentences. */
export interface LibraryWords {
  notice(notice: Notice): string;
  gate: Pick<GateWords, "note">;
  calibration: CalibrationWords;
}

/** The rule sets of an option, each checked. */
export function checkRules(rules: GivenRules, notice: (notice: Notice) => void): RuleSet[] {
  const list = Array.isArray(rules) ? (rules as readonly (RuleSet | MarkdownRules)[]) : [rules as RuleSet];
  const sets = list.flatMap((one, i): RuleSet[] => {
    const markdown = isMarkdown(one) ? one : null;
    for (const { line, reason } of markdown?.unread ?? []) notice({ code: "line_in_no_rule", line, reason });
    const given: readonly unknown[] = markdown ? (markdown.sets ?? [markdown.set]) : [one];
    return given.flatMap((value) => {
      const parsed = ruleSetSchema.safeParse(value);
      if (parsed.success) return setForEach(parsed.data);
      const { path, reason } = explainIssue(parsed.error.issues[0]!, value);
      throw bad(`rules[${i}]${path.length > 0 ? `.${path.join(".")}` : ""}: ${reason}`);
    });
  });
  const seen = new Set<string>();
  for (const set of sets) {
    const identity = ruleSetIdentity(set);
    if (seen.has(identity)) throw bad(`rules: two sets are ${ruleSetName(set)}`, "Give one of them another version.");
    seen.add(identity);
  }
  return sets;
}

function isMarkdown(value: unknown): value is MarkdownRules {
  return typeof value === "object" && value !== null && "set" in value && "unread" in value;
}

export function checkActions(actions: Actions | undefined): Actions {
  if (actions === undefined) return MODERATION_ACTIONS;
  const parsed = actionsSchema.safeParse(actions);
  if (parsed.success) return parsed.data;
  const { path, reason } = explainIssue(parsed.error.issues[0]!, actions);
  throw bad(`actions${path.length > 0 ? `.${path.join(".")}` : ""}: ${reason}`);
}

/** A record in the format. `place` is how it is called in a message. */
function checkRecord<T>(kind: RecordKind, value: unknown, actions: Actions, place: string): T {
  const of = RECORD_KINDS[kind];
  if (fits(of.fields, value, actions)) return value as T;
  const { field, reason } = explainRecord(of, value, actions);
  throw bad(`${place}${field ? `.${field}` : ""}: ${reason}`, `docs/formats.md has the format of a ${of.noun}.`);
}

export function checkPrecedents(precedents: readonly Precedent[] | undefined, actions: Actions): Precedent[] {
  if (precedents === undefined) return [];
  if (!Array.isArray(precedents)) throw bad(`precedents: got ${shown(precedents)}, expected a list`);
  return precedents.map((one, i) => checkRecord<Precedent>("precedents", one, actions, `precedents[${i}]`));
}

export function checkDecision(value: DecisionInput, actions: Actions, place: string): Decision {
  const named = isObject(value) && value.id === undefined ? { ...value, id: idOf(value) } : value;
  return checkRecord<Decision>("decisions", named, actions, place);
}

/** The same for the same decision on the same content, in every process. */
function idOf({ community, content, decision }: DecisionInput): string {
  const text = JSON.stringify([community, content, decision]);
  return `d-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

/** A number in a range, or an error that names it. */
export function checkNumber(name: string, value: unknown, least: number, most = Number.POSITIVE_INFINITY): void {
  if (typeof value === "number" && value >= least && value <= most) return;
  const range = most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`;
  throw bad(`${name}: got ${shown(value)}, expected a number ${range}`);
}

/** A mistake in an argument. */
export function bad(message: string, remedy?: string): InputError {
  return new InputError("bad_argument", message, remedy);
}

/** `close` was called: nothing more is audited. */
export function closed(): InputError {
  return new InputError("closed", "defensible: it was closed", "Make another one.");
}
