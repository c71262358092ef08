import type { Auditor, Capabilities } from "../auditors/auditor.js";
import type { Prompt, TokenCounter } from "../auditors/output-format.js";
import { InputError } from "../core/errors.js";
import type { Actions } from "../core/records/actions.js";
import type { SignalMode, Template } from "../core/records/audit.js";
import type { AuditCase } from "../core/records/case.js";
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
