import { createHash } from "node:crypto";
import type { Auditor } from "../../auditors/auditor.js";
import type { ModelSettings } from "../../auditors/create-auditor.js";
import { TARGET_KINDS } from "../../core/calibration.js";
import { type Config, configSchema, gateConfigSchema } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import { type Actions, MODERATION_ACTIONS } from "../../core/records/actions.js";
import { MISSING_MODES, NEW_TEMPLATE, SIGNAL_MODES, TEMPLATES } from "../../core/records/audit.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import { actionsSchema } from "../../core/records/manifest.js";
import { type RuleSet, ruleSetSchema, setForEach, TIERS } from "../../core/records/rule-set.js";
import { isObject } from "../../core/text-checks.js";
import { CALIBRATION_METHODS } from "../../measures/calibration/fit/methods.js";
import { GATE_LOOKS } from "../../measures/gate/adjustment.js";
import { explainIssue, explainRecord, fits, shown } from "../../store/records/fits.js";
import { ruleSetIdentity, ruleSetName } from "../../store/records/parse-rule-set.js";
import { RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import type { AuditChoices } from "../audit/new-manifest.js";
import type { CalibrationWords } from "../calibrate/build-calibration.js";
import type { GateWords, Notice } from "../notices.js";
import type { MarkdownRules } from "./rules-from-markdown.js";

/** A rule set, the result of `rulesFromMarkdown`, or a list of either. */
export type GivenRules = RuleSet | MarkdownRules | readonly (RuleSet | MarkdownRules)[];

interface CommonOptions extends AuditChoices {
  /** Settings of the model's server: `baseUrl`, `dialect`, `timeout` (seconds), `context` (tokens). Keys come from the environment. */
  model?: ModelSettings;
  /** Seed of the auditor's draws. Default: the workspace's, or 1. */
  seed?: number;
  /** Called with each notice for the user, as a sentence. Default: notices are dropped. */
  onNotice?: (sentence: string) => void;
}

/** Everything is in memory; nothing is written to disk. */
export interface MemoryOptions extends CommonOptions {
  /** Such as `baseline` or `openai:gpt-4.1-mini`, or your own auditor object. */
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
  /** Route without effect: everything goes to review, and `would_route` says where it would have gone. */
  shadow?: boolean;
}

export type DefensibleOptions = MemoryOptions | WorkspaceOptions;

/** A decision to audit. Without an id, one is made of its community, content and action. */
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

/** Settings of a new workspace, used if there is no workspace. */
export function defaultConfig(actions: Actions): Config {
  return configSchema.parse({ version: 1, actions, template: NEW_TEMPLATE });
}

/** A list of audits has no history, so its gate has no window. */
export const libraryGateSchema = gateConfigSchema.omit({ window_days: true, since: true });

/** What a value must be, in words and as a check. */
interface Kind {
  expected: string;
  fits: (value: unknown) => boolean;
}

const text: Kind = { expected: "text", fits: (value) => typeof value === "string" && value !== "" };
const flag: Kind = { expected: "true or false", fits: (value) => typeof value === "boolean" };
const list: Kind = { expected: "a list", fits: Array.isArray };
const anObject: Kind = { expected: "an object", fits: isObject };
/** Checked where it is used. */
const anything: Kind = { expected: "a value", fits: () => true };
const aFunction: Kind = { expected: "a function", fits: (value) => typeof value === "function" };
const anAuditor: Kind = {
  expected: "a name, or an auditor",
  fits: (value) =>
    text.fits(value) ||
    (isObject(value) && text.fits(value.name) && list.fits(value.signals) && aFunction.fits(value.ask)),
};

const oneOf = (...values: readonly string[]): Kind => ({
  expected: values.join(", "),
  fits: (value) => (values as readonly unknown[]).includes(value),
});

function number(least: number, most = Number.POSITIVE_INFINITY, what = "a number"): Kind {
  const range = most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`;
  return {
    expected: `${what} ${range}`,
    fits: (value) => typeof value === "number" && value >= least && value <= most,
  };
}

function whole(least: number, most?: number): Kind {
  const { expected, fits } = number(least, most, "a whole number");
  return { expected, fits: (value) => Number.isSafeInteger(value) && fits(value) };
}

/** The keys of each options object, with the kind of each value. */
const OPTIONS = {
  defensible: {
    workspace: text,
    auditor: anAuditor,
    rules: anything,
    precedents: list,
    actions: anything,
    shadow: flag,
    model: anObject,
    seed: whole(0),
    onNotice: aFunction,
    template: oneOf(...TEMPLATES),
    tier: oneOf(...TIERS),
    temperature: number(0, 2),
    signal: oneOf(...SIGNAL_MODES),
    missing: oneOf(...MISSING_MODES),
    samples: whole(2, 1000),
  },
  model: { baseUrl: text, dialect: text, timeout: number(0.1, 3600), context: whole(512) },
  auditAll: { concurrency: whole(1, 1024), maxCost: number(0), statedReasons: flag },
  // The other keys are those of `gate` in `defensible.yaml`.
  gate: {
    ...Object.fromEntries(Object.keys(libraryGateSchema.shape).map((key) => [key, anything])),
    holdout: number(0.01, 0.99),
    look: oneOf(...GATE_LOOKS),
  },
  calibrate: {
    method: oneOf("auto", "paper", ...CALIBRATION_METHODS),
    component: oneOf("h_w", "h_kappa"),
    target: oneOf("auto", ...TARGET_KINDS),
    holdout: number(0.01, 0.9),
    seed: whole(0),
    draws: whole(20, 100_000),
    name: text,
  },
  rulesFromMarkdown: { community: text, version: text },
} satisfies Record<string, Record<string, Kind>>;

const OF_MEMORY = ["rules", "precedents", "actions"];

/** Checks that options are an object with the keys and kinds in `OPTIONS`. Undefined values are ignored. */
export function checkKeys(place: keyof typeof OPTIONS, options: unknown): void {
  const kinds: Readonly<Record<string, Kind>> = OPTIONS[place];
  if (!isObject(options)) throw bad(`${place}: got ${shown(options)}, expected options`, optionsAre(kinds));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const unknown = given.map(([name]) => name).filter((name) => !Object.hasOwn(kinds, name));
  if (unknown.length > 0) throw bad(`${place}: unknown option ${unknown.join(", ")}`, optionsAre(kinds));
  for (const [name, value] of given) {
    const { expected, fits } = kinds[name]!;
    const path = place === "defensible" ? name : `${place}.${name}`;
    if (!fits(value)) throw bad(`${path}: got ${shown(value)}, expected ${expected}`);
  }
}

const optionsAre = (kinds: object) => `Options are ${Object.keys(kinds).join(", ")}.`;

export function checkOptions(options: DefensibleOptions): void {
  checkKeys("defensible", options);
  if (options.model !== undefined) checkKeys("model", options.model);
  const names = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : name));
  const inMemory = names.filter((name) => OF_MEMORY.includes(name));
  if (options.workspace !== undefined && inMemory.length > 0) {
    throw bad(
      `defensible: got workspace and ${inMemory.join(", ")}, expected one or the other`,
      "A workspace has its own rules, precedents and actions.",
    );
  }
  if (options.workspace !== undefined) return;
  const missing = (["auditor", "rules"] as const).filter((name) => options[name] === undefined);
  if (missing.length > 0) {
    throw bad(`defensible: ${missing.join(" and ")} missing`, "Pass { auditor, rules } or { workspace }.");
  }
  if (names.includes("shadow")) {
    throw bad("shadow: needs a workspace", "In memory there is no gate: everything goes to review.");
  }
}

/** Wording of the library's messages. */
export interface LibraryWords {
  notice(notice: Notice): string;
  gate: Pick<GateWords, "note">;
  calibration: CalibrationWords;
}

/** The rule sets of an option, each validated. */
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
  return isObject(value) && "set" in value && Array.isArray(value.unread);
}

export function checkActions(actions: Actions | undefined): Actions {
  if (actions === undefined) return MODERATION_ACTIONS;
  const parsed = actionsSchema.safeParse(actions);
  if (parsed.success) return parsed.data;
  const { path, reason } = explainIssue(parsed.error.issues[0]!, actions);
  throw bad(`actions${path.length > 0 ? `.${path.join(".")}` : ""}: ${reason}`);
}

/** A record in the format. `place` names it in messages. */
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

/** The same id for the same decision on the same content, in every process. */
function idOf({ community, content, decision }: DecisionInput): string {
  const text = JSON.stringify([community, content, decision]);
  return `d-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

/** Error for an invalid argument. */
export function bad(message: string, remedy?: string): InputError {
  return new InputError("bad_argument", message, remedy);
}

/** Error after `close` was called. */
export function closed(): InputError {
  return new InputError("closed", "defensible: it was closed", "Make another one.");
}
