import { type Prompt, type TokenCounter, TRACE_FORMATS } from "../../auditors/output-format.js";
import { oppositeAction } from "../../core/records/actions.js";
import type { AuditCase } from "../../core/records/case.js";
import type { Template } from "../../core/records/trace.js";
import type { Scrub } from "../../text/scrub/scrub.js";
import { createComposer } from "./compose.js";
import { encodeText } from "./encode.js";
import { guidedInstructions } from "./guided-instructions.js";
import { paperInstructions } from "./instructions.js";
import { versionOf } from "./prompt-frame.js";
import type { Rendering } from "./token-counter.js";

/** Raised by hand when the instructions change on purpose; a test holds it together with their hash. */
const NUMBER: Readonly<Record<Template, number>> = { paper: 1, guided: 1, extended: 1 };
/** A template keeps its rendering: with another one it would be another question. */
const RENDERINGS: Readonly<Record<Template, Rendering>> = { paper: 1, guided: 2, extended: 1 };

export interface PrompterOptions {
  template: Template;
  counter: TokenCounter;
  /** Tokens that the whole prompt may have. */
  budget: number;
  /** What is hidden from the model; null: nothing. */
  scrub: Scrub | null;
}

/** What the auditor is told. */
export function auditInstructions(template: Template): string {
  return template === "guided" ? guidedInstructions() : paperInstructions(template);
}

/** Version of the prompt of a template, as it is stored in each audit. */
export function promptVersion(template: Template): string {
  return versionOf(
    template,
    NUMBER[template],
    auditInstructions(template),
    TRACE_FORMATS[template],
    RENDERINGS[template],
  );
}

/**
 * Turns cases into prompts. `system` is the same for a run and `shared` for all cases of a frame (the object itself: it is prepared once); the content
 * stands last, between two fence lines whose code no author can foresee.
 */
export function createPrompter(options: PrompterOptions): (auditCase: AuditCase) => Prompt {
  const { template } = options;
  const format = TRACE_FORMATS[template];
  const compose = createComposer({
    ...options,
    system: auditInstructions(template),
    version: promptVersion(template),
    rendering: RENDERINGS[template],
  });
  const fields = format.fields.map((field) => field.name).join(", ");
  return ({ frame, content, decision }) => {
    const audited = encodeText(decision);
    return compose({
      frame,
      content,
      format,
      opening: `The decision to audit: ${audited}. The opposite decision: ${encodeText(oppositeAction(frame.actions, decision))}.`,
      closing: `Audit now: can the decision ${audited} be derived from the rules and precedents? Answer with the JSON object only (${fields}).`,
    });
  };
}
