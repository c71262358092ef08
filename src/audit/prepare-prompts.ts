import type { Auditor } from "../auditors/auditor.js";
import type { Prompt, TokenCounter } from "../auditors/output-format.js";
import type { AuditCase } from "../core/records/case.js";
import type { Template } from "../core/records/trace.js";
import type { Scrub } from "../text/scrub/scrub.js";

export interface Prompts {
  prompter: (auditCase: AuditCase) => Prompt;
  counter: TokenCounter;
}

/** Version of the instructions that an auditor is given with a template; `none` for one that reads no text. */
export async function promptVersionFor(auditor: Auditor, template: Template): Promise<string> {
  if (auditor.readsPrompt === null) return auditor.given?.promptVersion ?? "none";
  return (await import("./prompt/index.js")).promptVersion(template);
}

interface Needs {
  auditor: Auditor;
  template: Template;
  scrub: Scrub | null;
}

/** What turns cases into prompts that fit the auditor; null: it reads cases. Tokenizers are loaded only here. */
export async function preparePrompts({ auditor, template, scrub }: Needs): Promise<Prompts | null> {
  if (auditor.readsPrompt === null) return null;
  const { createPrompter, createTokenCounter } = await import("./prompt/index.js");
  const { tokenizer, contextTokens, outputTokens } = auditor.readsPrompt;
  const counter = await createTokenCounter(tokenizer);
  const prompter = createPrompter({ template, counter, budget: contextTokens - outputTokens, scrub });
  return { prompter, counter };
}
