import type { Alternative, Token } from "../../domain/generation.js";
import { pieces } from "./pieces.js";

const NO_ALTERNATIVES: readonly Alternative[] = Object.freeze([]);
/** Below this a label's logprob would be no finite number, or read as a provider's mark for "unknown". */
const LEAST_PROB = 1e-6;

/** Text of the trace cut into tokens that carry no probabilities of their own, for use in many traces. */
export function plainTokens(text: string): readonly Token[] {
  return pieces(text).map(plainToken);
}

function plainToken(text: string): Token {
  return { text, logprob: 0, top: NO_ALTERNATIVES };
}

/** Collects tokens; the text is what they spell. */
export class TraceWriter {
  readonly tokens: Token[] = [];

  /** Prepared tokens. */
  add(prepared: readonly Token[]): void {
    for (let i = 0; i < prepared.length; i++) this.tokens.push(prepared[i]!);
  }

  /** Text that belongs to this trace alone. It must be fit to stand in a JSON string. */
  say(text: string): void {
    for (const piece of pieces(text)) this.tokens.push(plainToken(piece));
  }

  /** A label of a small closed set, with the distribution it was drawn from. */
  choose(labels: readonly string[], probs: readonly number[], chosen: number): void {
    const top: Alternative[] = [];
    for (let i = 0; i < labels.length; i++)
      top.push({ text: labels[i]!, logprob: Math.log(Math.max(LEAST_PROB, probs[i]!)) });
    const { text, logprob } = top[chosen]!;
    top.sort((a, b) => b.logprob - a.logprob);
    this.tokens.push({ text, logprob, top });
  }

  text(): string {
    let text = "";
    for (let i = 0; i < this.tokens.length; i++) text += this.tokens[i]!.text;
    return text;
  }
}
