import type { Generation } from "../../../core/records/generation.js";
import { alignTokens } from "../../../measures/signals/align-tokens.js";
import { isInformative } from "../../../measures/signals/candidates.js";
import { scanObject, unescapeString } from "../../../measures/signals/scan-object.js";
import { utf8Length } from "../../../text/printable.js";

/** What a decider proposes. */
export interface Proposal {
  decision: string;
  rationale: string | null;
  cited_rule: string | null;
  /** Probability of the action at the place where it was written; null: not known. */
  confidence: number | null;
}

/** Reads a decider's answer; null: it names none of the actions. Of several objects the last one that does counts. */
export function readProposal(generation: Generation, actions: readonly string[]): Proposal | null {
  const { text } = generation;
  let found: Proposal | null = null;
  for (let at = text.indexOf("{"); at >= 0; ) {
    const object = scanObject(text, at);
    const fields = new Map(object?.members.filter((member) => member.complete).map((member) => [member.key, member]));
    const value = (name: string) => {
      const member = fields.get(name);
      return member?.kind === "string" ? unescapeString(text.slice(member.start, member.end)) : null;
    };
    const said = value("decision")?.trim().toLowerCase();
    const decision = actions.find((action) => action.toLowerCase() === said);
    if (decision !== undefined) {
      const { start, end } = fields.get("decision")!;
      const confidence = probabilityOf(generation, start, end);
      found = { decision, rationale: value("rationale"), cited_rule: value("cited_rule") || null, confidence };
    }
    at = text.indexOf("{", object === null ? at + 1 : object.end);
  }
  return found;
}

/** Probability of the tokens that hold a value, one after the other. */
function probabilityOf(generation: Generation, start: number, end: number): number | null {
  const { tokens, text, space } = generation;
  if (!tokens || tokens.length === 0 || space !== "raw") return null;
  const alignment = alignTokens(tokens, text, undefined, generation.joined);
  const from = utf8Length(text, 0, start);
  const to = from + utf8Length(text, start, end);
  let logprob = 0;
  for (let i = 0; i < tokens.length; i++) {
    if (alignment.ends[i]! <= from || alignment.starts[i]! >= to) continue;
    if (!isInformative(tokens[i]!.logprob)) return null;
    logprob += tokens[i]!.logprob;
  }
  const probability = Math.exp(logprob);
  return probability >= 0 && probability <= 1 ? probability : null;
}
