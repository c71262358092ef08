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

/** Version of the instructions an auditor gets with a template; `none` if it reads no text. */
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

/** Creates what turns cases into prompts that fit the auditor; null: the auditor reads cases. Tokenizers are loaded only here. */
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

/** Rejects settings the auditor cannot meet and names those it can: a signal mode is never replaced silently. */
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

/** A cost limit requires a known price. */
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

/** Notes of a probe. Those about probabilities are kept only if the run uses probabilities. */
export function probeNotes(capabilities: Capabilities | null, signal: SignalMode): string[] {
  const notes = capabilities?.notes ?? [];
  return signal === "logprobs" ? notes : notes.filter((note) => !ABOUT_PROBABILITIES.test(note));
}

/** One condition under which decisions are audited: what differs from the run's settings. `name` is the audit's `arm`; "" is the run, unchanged. */
export interface Arm {
  name: string;
  tier?: Tier;
  template?: Template;
  temperature?: number;
  /** Only the rules of this scope are shown. */
  scope?: "platform" | "community";
  /** false: no precedents are shown. */
  precedents?: boolean;
  /** Audits the opposite of the action that was taken. */
  opposite?: boolean;
  /** Audits this action instead, for decisions where it is among the `nearest` nearest alternatives. */
  alternative?: { action: string; nearest: number };
  /** Shows only the rules named in the decision's stated reason, with the precedents that rest on them. */
  stated?: boolean;
  /** Arms with the same value draw the same random numbers, so that they differ by the condition and not by luck. Default: the name. */
  draws?: string;
  /** Other rules or precedents than the workspace's; `id` is their hash. */
  book?: { id: string; rules?: readonly RuleSet[]; precedents?: readonly Precedent[] };
}

/** The run itself, unchanged. */
export const PLAIN_ARM: Arm = { name: "" };

export const OPPOSITE_ARM: Arm = { name: FLIP_ARM, opposite: true };

/** The arm that audits stated reasons. It uses the run's random draws, so that only the rules differ. */
export const STATED_REASON_ARM: Arm = { name: STATED_ARM, stated: true, draws: PLAIN_ARM.name };

/**
 * The flip control of an ordinary run: decisions whose opposite action is audited too, to test whether the auditor notices an
 * inverted decision. Drawn by the run's seed from all its decisions, so that they are a random sample.
 */
export type Flips = (decisionId: string) => boolean;

/** The arm that audits one action, whatever was decided. It uses the run's random draws, so that only the action differs. */
export function actionArm(action: string, nearest: number): Arm {
  return { name: `${ACTION_ARM}${action}`, alternative: { action, nearest }, draws: PLAIN_ARM.name };
}

export function auditedAction({ opposite, alternative }: Arm, actions: Actions, decided: string): string {
  return alternative?.action ?? (opposite ? oppositeAction(actions, decided) : decided);
}

/** Whether an arm audits a decision at all: an alternative is audited only where it is among the nearest. */
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
  /** Hashes rules and precedents; kept for each frame. */
  frame: (frame: CaseFrame) => Omit<ReadHashes, "content">;
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** `hashText(JSON.stringify(items))` without building the whole text, which may exceed the longest possible string. */
export function hashList(items: readonly unknown[]): string {
  const hash = createHash("sha256").update("[");
  for (const [i, item] of items.entries()) hash.update(i === 0 ? "" : ",").update(JSON.stringify(item));
  return hash.update("]").digest("hex").slice(0, 16);
}

/**
 * `<UTC yyyymmddThhmmssZ>-<4 hex>`. The hex digits begin with the millisecond, so that of two ids made in the same second the
 * later one sorts last: the newest run has the last name.
 */
export function newRunId(now: Date): string {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "");
  const order = now.getUTCMilliseconds() * 65 + randomInt(65);
  return `${stamp}-${order.toString(16).padStart(4, "0")}`;
}

/** Hash of everything that determines the content of a run. */
export function fingerprint(parts: Readonly<Record<string, unknown>>): string {
  const ordered = Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1));
  return hashText(JSON.stringify(ordered));
}

/** Settings shared by all audits of a run. */
export interface RunSettings {
  runId: string;
  /** Version of the model's instructions; `none` for an auditor that reads no text. */
  promptVersion: string;
  template: Template;
  tier: Tier;
  temperature: number;
  /** For an arm that sets its temperature: separates its questions from those of other arms with the same prompt. */
  variant?: string;
  signal: SignalMode;
  /** What a label outside the listed candidates counts as; default `floor`. */
  missing?: MissingMode;
  /** Draws per audit in signal mode `sampling`. */
  samples: number;
  replicates: number;
  /** Also audit the human's decision where it differs. */
  humans: boolean;
  seed: number;
  weights: Weights;
}
