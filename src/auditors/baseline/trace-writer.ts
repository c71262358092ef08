import type { Alternative, Token } from "../../core/records/generation.js";
import { type Passage, passage } from "../trace-passages.js";

/** Below this a label's logprob would be no finite number, or read as a provider's mark for "unknown". */
const LEAST_PROB = 1e-6;

/** Collects tokens, and the text they spell. */
export class TraceWriter {
  readonly tokens: Token[] = [];
  text = "";

  /** A prepared passage. */
  add(prepared: Passage): void {
    this.tokens.push(prepared);
    this.text += prepared.text;
  }

  /** Everything another writer has written. */
  append(other: TraceWriter): void {
    for (let i = 0; i < other.tokens.length; i++) this.tokens.push(other.tokens[i]!);
    this.text += other.text;
  }

  /** Text that belongs to this trace alone. It must be fit to stand in a JSON string. */
  say(text: string): void {
    this.add(passage(text));
  }

  /** A label of a small closed set, with the distribution it was drawn from. */
  choose(labels: readonly string[], probs: readonly number[], chosen: number): void {
    const top: Alternative[] = [];
    for (let i = 0; i < labels.length; i++)
      top.push({ text: labels[i]!, logprob: Math.log(Math.max(LEAST_PROB, probs[i]!)) });
    const { text, logprob } = top[chosen]!;
    this.tokens.push({ text, logprob, top: bestFirst(top) });
    this.text += text;
  }
}

/** Sorts the few alternatives of a position in place, likeliest first. For lists this short, the engine's sort costs more in copies than in comparing. */
export function bestFirst(top: Alternative[]): Alternative[] {
  for (let i = 1; i < top.length; i++) {
    const alternative = top[i]!;
    let at = i;
    while (at > 0 && top[at - 1]!.logprob < alternative.logprob) {
      top[at] = top[at - 1]!;
      at--;
    }
    top[at] = alternative;
  }
  return top;
}
