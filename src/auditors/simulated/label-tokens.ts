import type { Alternative, Token } from "../../core/records/generation.js";
import { PRECEDENT_WEIGHTS } from "../../core/records/trace.js";
import { CANDIDATES } from "../../simulation/auditor/token-entropies.js";

/** The field's labels, and words that read as none of them to fill the list of candidates. */
interface Labels {
  labels: readonly string[];
  /** What is written where the value is to be no label. */
  foreign: string;
  fillers: readonly Alternative[];
}

/** Fillers begin below the least probability that a label is given (1e-7), so that the list is in order. */
const FIRST_FILLER = 1e-8;
const FILLER_RATIO = 0.7;

const OTHER_WORDS = [
  ...["Strong", "Partial", "Unclear", "Some", "Very", "Quite", "Direct", "Binding", "Weak", "Absent"],
  ...["Robust", "Slight", "Variable", "Broad", "Exact", "Given", "Close", "Doubtful"],
];
const OTHER_DIGITS = ["0", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F", "G", "I", "J", "K", "P"];

export const LEVEL_LABELS = labelsOf(["1", "2", "3"], "?", OTHER_DIGITS);
export const INVERSE_LABELS = labelsOf(["No", "Yes"], "Perhaps", OTHER_WORDS);
export const WEIGHT_LABELS = labelsOf(PRECEDENT_WEIGHTS, "Considerable", OTHER_WORDS);

function labelsOf(labels: readonly string[], foreign: string, words: readonly string[]): Labels {
  const fillers = words
    .slice(0, CANDIDATES - labels.length)
    .map((text, i) => ({ text, logprob: Math.log(FIRST_FILLER) + i * Math.log(FILLER_RATIO) }));
  return { labels, foreign, fillers };
}

/** A label's token: the one written, and the distribution it was drawn from. */
export function labelToken({ labels, fillers }: Labels, probs: readonly number[], chosen: number): Token {
  const top: Alternative[] = [];
  for (let i = 0; i < labels.length; i++) top.push({ text: labels[i]!, logprob: Math.log(probs[i]!) });
  const { text, logprob } = top[chosen]!;
  top.sort((a, b) => b.logprob - a.logprob);
  for (let i = 0; i < fillers.length; i++) top.push(fillers[i]!);
  return { text, logprob, top };
}

/** A token where no label is among the candidates. */
export function foreignToken({ foreign, fillers }: Labels): Token {
  return { text: foreign, logprob: -0.1, top: [{ text: foreign, logprob: -0.1 }, ...fillers] };
}
