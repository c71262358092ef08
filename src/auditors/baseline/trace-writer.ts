import type { Alternative, Token } from "../../domain/generation.js";
import { pieces } from "./pieces.js";

const NO_ALTERNATIVES: readonly Alternative[] = Object.freeze([]);
/** Below this a label's logprob would be no finite number, or read as a provider's mark for "unknown". */
const LEAST_PROB = 1e-6;

/** A passage and the tokens that spell it. */
export interface Passage {
  text: string;
  tokens: readonly Token[];
}

/** A passage cut into tokens that carry no probabilities of their own, for use in many traces. */
export function passage(text: string): Passage {
  return { text, tokens: pieces(text).map(plainToken) };
}

function plainToken(text: string): Token {
  return { text, logprob: 0, top: NO_ALTERNATIVES };
}

/** Collects tokens, and the text they spell. */
export class TraceWriter {
  readonly tokens: Token[] = [];
  text = "";

  /** A prepared passage. */
  add(prepared: Passage): void {
    const { tokens } = prepared;
    for (let i = 0; i < tokens.length; i++) this.tokens.push(tokens[i]!);
    this.text += prepared.text;
  }

  /** Text that belongs to this trace alone. It must be fit to stand in a JSON string. */
  say(text: string): void {
    for (const piece of pieces(text)) this.tokens.push(plainToken(piece));
    this.text += text;
  }

  /** A label of a small closed set, with the distribution it was drawn from. */
  choose(labels: readonly string[], probs: readonly number[], chosen: number): void {
    const top: Alternative[] = [];
    for (let i = 0; i < labels.length; i++)
      top.push({ text: labels[i]!, logprob: Math.log(Math.max(LEAST_PROB, probs[i]!)) });
    const { text, logprob } = top[chosen]!;
    top.sort((a, b) => b.logprob - a.logprob);
    this.tokens.push({ text, logprob, top });
    this.text += text;
  }
}
