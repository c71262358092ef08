import type { MissingMode } from "../../core/records/audit.js";
import type { Generation, Token } from "../../core/records/case.js";
import { utf8Width } from "../../text/printable.js";
import { type Alignment, locateTokens } from "./align-tokens.js";
import {
  candidatesAt,
  categoryCount,
  categoryOf,
  isInformative,
  type LabelField,
  logprobTemperature,
  probability,
  unitShift,
} from "./candidates.js";
import type { FieldSpan } from "./read-trace.js";

export type { MissingMode };

/** If less probability than this is on the labels, the record is flagged `low_mass`. */
export const LOW_LABEL_MASS = 0.5;

export interface LabelDistribution {
  /** Renormalised over the categories, in the order of the field. */
  probs: number[];
  /** Total probability of all categories before renormalising: how much of the distribution was on the labels. */
  mass: number;
  lowMass: boolean;
  /** Whether a category is in none of the listed candidates: its probability is a guess within [0, bound]. */
  censored: boolean;
  /** Listed mass by category; 0 if censored. */
  masses: number[];
  /** The value that `floor` gives a missing category: min(smallest listed probability, bound). */
  floor: number;
  /** Largest possible probability of a missing category: 1 - Σ listed. */
  bound: number;
  /** Candidates' texts by category, as the provider wrote them. */
  surfaces: string[][];
}

export interface LabelOptions {
  missing?: MissingMode;
  /** Text of the token before its value begins, like `":"` in `":"High`. */
  prefix?: string;
  /** Temperature the logprobs are scaled by; 1 for raw. */
  temperature?: number;
  /** Whether the list is the whole vocabulary: an absent label then has zero probability, and nothing is censored. */
  complete?: boolean;
}

/**
 * The distribution over a field's labels at the token where its value begins, from which λ, H[w] and ρ are computed.
 *
 * Formula: p(l) = m(l) / Σ m, with m(l) = Σ exp(logprob) over the candidates (the chosen one included) that read as l.
 * Range: probabilities that sum to 1; `mass` in (0, 1].
 * Undefined when: no candidate reads as a label (null).
 * Differs from the paper: a label outside the candidates gets min(smallest listed p, 1 - Σ listed) instead of 0 (mode `floor`, the default),
 * because 0 makes ρ infinite and λ exactly 0; the first piece of a label counts for it.
 * @see paper §4.2, Appendix A.2 and B
 * @example labelDistribution({ text: "2", logprob: 0, top: [] }, "level").probs // => [0, 1, 0]
 */
export function labelDistribution(
  token: Token,
  field: LabelField,
  options: LabelOptions = {},
): LabelDistribution | null {
  const { missing = "floor", prefix = "", temperature = 1, complete = false } = options;
  const count = categoryCount(field);
  const masses = new Array<number>(count).fill(0);
  const surfaces = Array.from({ length: count }, (): string[] => []);
  const candidates = candidatesAt(token);
  const shift = unitShift(candidates, temperature);
  let listed = 0;
  let smallest = 1;
  let mass = 0;
  for (let i = 0; i < candidates.length; i++) {
    const candidate = candidates[i]!;
    if (!isInformative(candidate.logprob)) continue;
    const p = probability(temperature * candidate.logprob + shift);
    listed += p;
    if (p < smallest) smallest = p;
    const category = categoryOf(candidate.text, field, prefix);
    if (category < 0) continue;
    masses[category]! += p;
    mass += p;
    surfaces[category]!.push(candidate.text);
  }
  if (!(mass > 0)) return null;
  const bound = complete ? 0 : Math.max(0, 1 - listed);
  const floor = Math.min(smallest, bound);
  const censored = !complete && masses.includes(0);
  const probs = fillMissing(masses, missing === "floor" ? floor : 0);
  return { probs, mass: Math.min(1, mass), lowMass: mass < LOW_LABEL_MASS, censored, masses, floor, bound, surfaces };
}

/** Renormalised masses, with `fill` for each category without mass. */
export function fillMissing(masses: readonly number[], fill: number): number[] {
  let total = 0;
  for (const mass of masses) total += mass === 0 ? fill : mass;
  return masses.map((mass) => (mass === 0 ? fill : mass) / total);
}

/** The label distribution at the first token that contains a byte of a field's value; null if there is nothing to read. */
export function readLabel(
  generation: Generation,
  tokens: readonly Token[],
  alignment: Alignment,
  field: LabelField,
  span: FieldSpan | undefined,
  missing: MissingMode,
): LabelDistribution | null {
  const at = span ? locateLabel(alignment, span) : -1;
  if (!span || at < 0) return null;
  const token = tokens[at]!;
  return labelDistribution(token, field, {
    missing,
    prefix: leadingText(token.text, span.start - alignment.starts[at]!),
    temperature: logprobTemperature(generation),
    complete: generation.support === "vocab",
  });
}

/** Index of the token where a label's value begins; -1 if it cannot be determined. */
export function locateLabel(alignment: Alignment, span: FieldSpan): number {
  const range = locateTokens(alignment, span);
  let at = range.first;
  while (at < range.end && alignment.ends[at]! <= alignment.starts[at]!) at++;
  // A token of unknown position, or one that begins inside the word, does not show where the choice was made.
  const unsure = at >= range.end || !range.certain || alignment.loose?.[at] === 1 || alignment.starts[at]! > span.start;
  return unsure ? -1 : at;
}

/** The first `bytes` bytes of a text; "" if they end inside a character, or the text does not match its bytes. */
function leadingText(text: string, bytes: number): string {
  let chars = 0;
  let passed = 0;
  while (passed < bytes && chars < text.length) passed += utf8Width(text, chars++);
  return passed === bytes ? text.slice(0, chars) : "";
}
