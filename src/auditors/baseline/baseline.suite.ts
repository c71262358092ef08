import { type Template, type Trace, traceSchema } from "../../core/records/audit.js";
import type { CaseFrame, CasePrecedent, CaseRule, Generation, Token } from "../../core/records/case.js";
import { type Content, contentParts } from "../../core/records/decision.js";
import { generateTrace } from "./baseline-auditor.js";

export interface RuleDraft {
  title: string;
  text?: string;
  kind?: string | null;
  scope?: CaseRule["scope"];
}

/** A frame of community rules R1, R2, … with the text of a title and what follows it. */
export function frameOf(rules: readonly RuleDraft[], precedents: readonly Partial<CasePrecedent>[] = []): CaseFrame {
  return {
    community: "pottery",
    rulesetVersion: "1+1",
    tier: "wiki",
    rules: rules.map(
      ({ title, text, kind = null, scope = "community" }, i): CaseRule => ({
        scope,
        id: `R${i + 1}`,
        title,
        text: text ? `${title}\n${text}` : title,
        kind,
      }),
    ),
    precedents: precedents.map(
      (precedent, i): CasePrecedent => ({
        id: `pottery-p${i + 1}`,
        text: "",
        decision: "remove",
        ruleId: null,
        rationale: null,
        ...precedent,
      }),
    ),
    actions: { positive: "remove", negative: "approve" },
  };
}

export interface Asked {
  template?: Template;
  temperature?: number;
  seed?: string;
}

export function generate(frame: CaseFrame, content: Content, decision: string, asked: Asked = {}): Generation {
  const { template = "paper", temperature = 0, seed = "seed" } = asked;
  const auditCase = { frame, content: contentParts(content), decision, template };
  return generateTrace(auditCase, temperature, seed);
}

/** The trace, read back from its JSON. */
export function trace(frame: CaseFrame, content: Content, decision: string, asked: Asked = {}): Trace {
  return traceSchema.parse(JSON.parse(generate(frame, content, decision, asked).text));
}

/** p(level) at the token where the level stands: one probability a level. */
export function levelProbs(generation: Generation): [number, number, number] {
  const token = labelToken(generation, ["1", "2", "3"]);
  const prob = (label: string) => Math.exp(token.top.find(({ text }) => text === label)!.logprob);
  return [prob("1"), prob("2"), prob("3")];
}

/** The last token whose alternatives are exactly these labels. */
export function labelToken(generation: Generation, labels: readonly string[]): Token {
  const found = generation.tokens!.findLast(
    ({ top }) => top.length === labels.length && top.every(({ text }) => labels.includes(text)),
  );
  if (!found) throw new Error(`no token with the alternatives ${labels.join(", ")}`);
  return found;
}
