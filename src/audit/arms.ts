import { createHash, randomInt } from "node:crypto";
import type { Auditor, Capabilities } from "../auditors/auditor.js";
import type { Prompt, TokenCounter } from "../auditors/output-format.js";
import { InputError } from "../core/errors.js";
import { ACTION_ARM, FLIP_ARM, STATED_ARM } from "../core/names.js";
import { type Actions, nearestActions, oppositeAction } from "../core/records/actions.js";
import type { MissingMode, ReadHashes, SignalMode, Template } from "../core/records/audit.js";
import type { AuditCase, CaseFrame } from "../core/records/case.js";
import type { Content, Precedent } from "../core/records/decision.js";
import type { RuleSet, Tier } from "../core/records/rule-set.js";
import type { Weights } from "../measures/signals/weights.js";
import type { Scrub } from "../text/scrub/scrub.js";

export interface Prompts {
  prompter: (auditCase: AuditCase) => Prompt;
  counter: TokenCounter;
}

/** Version of the instructions that an auditor is given with a template; `none` for one that reads no text. */
export async function promptVersionFor(auditor: Auditor, template: Template, actions: Actions): Promise<string> {
  if (auditor.readsPrompt === null) return auditor.given?.promptVersion ?? "none";
  return (await import("./prompt/audit-prompt.js")).promptVersion(template, actions);
}

interface Needs {
  auditor: Auditor;
  template: Template;
  scrub: Scrub | null;
  actions: Actions;
}

/** What turns cases into prompts that fit the auditor; null: it reads cases. Tokenizers are loaded only here. */
export async function preparePrompts({ auditor, template, scrub, actions }: Needs): Promise<Prompts | null> {
  if (auditor.readsPrompt === null) return null;
  const { createPrompter } = await import("./prompt/audit-prompt.js");
  const { createTokenCounter } = await import("./prompt/token-counter.js");
  const { tokenizer, contextTokens, outputTokens } = auditor.readsPrompt;
  const counter = await createTokenCounter(tokenizer);
  const prompter = createPrompter({ template, counter, budget: contextTokens - outputTokens, scrub, actions });
  return { prompter, counter };
}

interface Wishes {
  auditor: Auditor;
  signal: SignalMode;
  temperature: number;
  samples: number;
  maxCost: number | null;
  batch: boolean;
}

/** Refuses what the auditor cannot give, and names what it can: a signal mode is never exchanged silently. */
export function checkAbilities(
  { auditor, signal, temperature, maxCost, batch }: Wishes,
  probed: Capabilities | null,
): void {
  const able = auditor.signals.filter((mode) => mode !== "logprobs" || probed === null || probed.logprobs);
  if (!able.includes(signal)) {
    const why = probed?.notes.length ? ` ${probed.notes.join(" ")}` : "";
    throw new InputError(
      "unsupported_signal",
      `signal: ${auditor.name} cannot give "${signal}".${why}`,
      `It can give: ${able.map((mode) => `\`signal\` ${mode}`).join(", ")}. \`defensible doctor\` shows what a model gives.`,
    );
  }
  if (signal === "sampling" && temperature === 0) {
    throw new InputError(
      "no_variation",
      "temperature: at 0 every draw is the same, and frequencies say nothing",
      "Set `temperature` above 0, for instance 0.7 or 1.",
    );
  }
  if (batch && !auditor.batch) {
    throw new InputError(
      "no_batch",
      `batch: ${auditor.name} has no batch service that can be used here`,
      "openai:… and gemini:… have one. Leave out `batch`.",
    );
  }
  checkPrice(auditor, maxCost);
}

/** A limit in money needs a price. */
export function checkPrice(auditor: Auditor, maxCost: number | null): void {
  if (maxCost !== null && auditor.price === null) {
    throw new InputError(
      "unknown_price",
      `cost: the price of ${auditor.name} is not known, so a limit cannot be kept`,
      "Give its price in defensible.yaml under `prices`, or leave out `maxCost` and audit fewer decisions.",
    );
  }
}

const ABOUT_PROBABILITIES = /logprob|probabilit|entrop/i;

/** Notes of a probe. Those about probabilities matter only to those who use them. */
export function probeNotes(capabilities: Capabilities | null, signal: SignalMode): string[] {
  const notes = capabilities?.notes ?? [];
  return signal === "logprobs" ? notes : notes.filter((note) => !ABOUT_PROBABILITIES.test(note));
}

/**
 * One condition under which the decisions of a run are audited: what differs from the run's settings. `name` is the audit's `arm`;
 * "" is the run itself, unchanged.
 */
export interface Arm {
  name: string;
  tier?: Tier;
  template?: Template;
  temperature?: number;
  /** Only the rules of this scope are shown. */
  scope?: "platform" | "community";
  /** false: no precedents are shown. */
  precedents?: boolean;
  /** The other action is audited instead of the one that was taken. */
  opposite?: boolean;
  /** This action is audited instead, of decisions to which it is one of so many nearest alternatives. */
  alternative?: { action: string; nearest: number };
  /** Only the rules are shown that the decision's stated reason names, with the precedents that rest on them. */
  stated?: boolean;
  /** Arms with the same one draw the same random numbers, so that what differs between them is the condition and not luck. Default: the name. */
  draws?: string;
  /** Other rules or precedents than the workspace's; `id` is a hash of them. */
  book?: { id: string; rules?: readonly RuleSet[]; precedents?: readonly Precedent[] };
}

/** The run itself, unchanged. */
export const PLAIN_ARM: Arm = { name: "" };

/** The arm that audits the opposite action. */
export const OPPOSITE_ARM: Arm = { name: FLIP_ARM, opposite: true };

/** The arm that audits stated reasons. It draws as the run does: what differs is the rules. */
export const STATED_REASON_ARM: Arm = { name: STATED_ARM, stated: true, draws: PLAIN_ARM.name };

/**
 * The flip control of an ordinary run: decisions whose opposite action is audited too, to see whether the auditor notices that a decision
 * was inverted. Drawn by the run's seed among all decisions of the run, so that it is a random sample of them.
 */
export type Flips = (decisionId: string) => boolean;

/** The arm that audits one action in the place of whatever was decided. It draws as the run does: what differs is the action. */
export function actionArm(action: string, nearest: number): Arm {
  return { name: `${ACTION_ARM}${action}`, alternative: { action, nearest }, draws: PLAIN_ARM.name };
}

/** The action that is audited under an arm. */
export function auditedAction({ opposite, alternative }: Arm, actions: Actions, decided: string): string {
  return alternative?.action ?? (opposite ? oppositeAction(actions, decided) : decided);
}

/** Whether an arm asks about a decision at all: of alternatives, only the nearest are audited. */
export function asksAbout({ alternative }: Arm, actions: Actions | undefined, decided: string): boolean {
  return !alternative || nearestActions(actions!, decided, alternative.nearest).includes(alternative.action);
}

export function tierArm(tier: Tier): Arm {
  return { name: `tier=${tier}`, tier, draws: PLAIN_ARM.name };
}

export function temperatureArm(temperature: number): Arm {
  return { name: `t=${temperature}`, temperature };
}

export function scopeArm(scope: "platform" | "community"): Arm {
  return { name: `scope=${scope}`, scope, draws: PLAIN_ARM.name };
}

/** Hashes what an auditor reads. */
export interface ReadHasher {
  content: (content: Content) => string;
  /** Of rules and precedents; kept for each frame. */
  frame: (frame: CaseFrame) => Omit<ReadHashes, "content">;
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** `hashText(JSON.stringify(items))`, without a text of them all, which may be longer than any text can be. */
export function hashList(items: readonly unknown[]): string {
  const hash = createHash("sha256").update("[");
  for (const [i, item] of items.entries()) hash.update(i === 0 ? "" : ",").update(JSON.stringify(item));
  return hash.update("]").digest("hex").slice(0, 16);
}

/**
 * `<UTC yyyymmddThhmmssZ>-<4 hex>`. The hex digits begin with the millisecond, so that of two made in one second the later one sorts last:
 * the newest is the last of the names.
 */
export function newRunId(now: Date): string {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "");
  const order = now.getUTCMilliseconds() * 65 + randomInt(65);
  return `${stamp}-${order.toString(16).padStart(4, "0")}`;
}

/** Hash of everything that decides what a run will contain. */
export function fingerprint(parts: Readonly<Record<string, unknown>>): string {
  const ordered = Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1));
  return hashText(JSON.stringify(ordered));
}

/** What every audit of a run has in common. */
export interface RunSettings {
  runId: string;
  /** Version of the instructions the model was given; `none` for an auditor that reads no text. */
  promptVersion: string;
  template: Template;
  tier: Tier;
  temperature: number;
  /** Of an arm that sets its temperature: separates its questions from those of other arms with the same prompt. */
  variant?: string;
  signal: SignalMode;
  /** What a label outside the listed candidates counts as; default `floor`. */
  missing?: MissingMode;
  /** Draws of one audit in signal mode `sampling`. */
  samples: number;
  replicates: number;
  /** Also audit what the human decided, where it differs. */
  humans: boolean;
  seed: number;
  weights: Weights;
}
