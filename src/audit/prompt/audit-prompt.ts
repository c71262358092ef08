import { type OutputFormat, type Prompt, type TokenCounter, TRACE_FORMATS } from "../../auditors/output-format.js";
import { type Actions, actionNames, MODERATION_ACTIONS } from "../../core/records/actions.js";
import type { Template } from "../../core/records/audit.js";
import type { AuditCase, CaseFrame } from "../../core/records/case.js";
import type { ContentParts } from "../../core/records/decision.js";
import type { Scrub } from "../../text/scrub/scrub.js";
import { createComposer } from "./compose.js";
import { encodeText } from "./encode.js";
import {
  aboutSeveral,
  alternativesLine,
  decisionChoice,
  decisionInstructions,
  formatForSeveral,
  guidedInstructions,
  paperInstructions,
} from "./instructions.js";
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
  /** Default: two of them. With more, the question is another one. */
  actions?: Actions;
}

/** Instructions of the auditor. */
export function auditInstructions(template: Template, actions: Actions = MODERATION_ACTIONS): string {
  const text = template === "guided" ? guidedInstructions() : paperInstructions(template);
  return actions.all ? aboutSeveral(text) : text;
}

const SEVERAL = new Map<Template, OutputFormat>();

/** The answer's fields. One object for each template, however often it is asked for. */
function traceFormat(template: Template, actions: Actions): OutputFormat {
  if (!actions.all) return TRACE_FORMATS[template];
  const format = SEVERAL.get(template) ?? formatForSeveral(TRACE_FORMATS[template]);
  SEVERAL.set(template, format);
  return format;
}

/** Version of the prompt of a template, as it is stored in each audit. It does not depend on the names of the actions, but on whether there are more than two. */
export function promptVersion(template: Template, actions: Actions = MODERATION_ACTIONS): string {
  return versionOf(
    template,
    NUMBER[template],
    auditInstructions(template, actions),
    traceFormat(template, actions),
    RENDERINGS[template],
  );
}

/**
 * Turns cases into prompts. `system` is the same for a run and `shared` for all cases of a frame (the object itself: it is prepared once); the content
 * comes last, between two fence lines whose code no author can foresee.
 */
export function createPrompter(options: PrompterOptions): (auditCase: AuditCase) => Prompt {
  const { template, actions } = options;
  const format = traceFormat(template, actions ?? MODERATION_ACTIONS);
  const compose = createComposer({
    ...options,
    system: auditInstructions(template, actions),
    version: promptVersion(template, actions),
    rendering: RENDERINGS[template],
  });
  const fields = format.fields.map((field) => field.name).join(", ");
  return ({ frame, content, decision }) => {
    const audited = encodeText(decision);
    return compose({
      frame,
      content,
      format,
      opening: `The decision to audit: ${audited}. ${alternativesLine(frame.actions, decision)}`,
      closing: `Audit now: can the decision ${audited} be derived from the rules and precedents? Answer with the JSON object only (${fields}).`,
    });
  };
}

/** Raised by hand when the instructions change on purpose; a test holds it together with their hash. */
const DECISION_NUMBER = 1;
const RENDERING: Rendering = 1;

/** What a decider writes: its reason first, so that the decision is made in sight of it. */
export function decisionFormat(actions: Actions): OutputFormat {
  return {
    name: "decision",
    fields: [
      { name: "rationale", kind: "text", about: "the reason, from the rules to the decision, in at most 60 words" },
      { name: "cited_rule", kind: "text_or_null", about: "id of the rule it rests on, as given, or null if none does" },
      { name: "decision", kind: "choice", values: actionNames(actions), about: "the decision" },
    ],
  };
}

/** Version of the decider's prompt, apart from the names of two actions. */
export function decisionPromptVersion(actions: Actions = MODERATION_ACTIONS): string {
  const format = decisionFormat(actions.all ? actions : MODERATION_ACTIONS);
  return versionOf("decision", DECISION_NUMBER, deciderInstructions(format, actions), format, RENDERING);
}

function deciderInstructions(format: OutputFormat, { all }: Actions): string {
  const text = decisionInstructions(format);
  return all ? aboutSeveral(text) : text;
}

export interface DecisionPrompterOptions {
  counter: TokenCounter;
  /** Tokens that the whole prompt may have. */
  budget: number;
  /** What is hidden from the model; null: nothing. */
  scrub: Scrub | null;
}

/** Turns contents into prompts for a model that decides: the paper's M_c. */
export function createDecisionPrompter(
  options: DecisionPrompterOptions,
): (input: { frame: CaseFrame; content: ContentParts }) => Prompt {
  const composers = new Map<string, ReturnType<typeof createComposer>>();
  return ({ frame, content }) => {
    const format = decisionFormat(frame.actions);
    const names = actionNames(frame.actions);
    const choice = decisionChoice(names);
    const key = JSON.stringify(names);
    let compose = composers.get(key);
    if (!compose) {
      compose = createComposer({
        ...options,
        system: deciderInstructions(format, frame.actions),
        version: decisionPromptVersion(frame.actions),
        rendering: RENDERING,
      });
      composers.set(key, compose);
    }
    return compose({
      frame,
      content,
      format,
      opening: `Decide about the following content: ${choice}.`,
      closing: `Decide now by the rules and precedents: ${choice}? Answer with the JSON object only (rationale, cited_rule, decision).`,
    });
  };
}
