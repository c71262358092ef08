import { isRestricting } from "../../core/records/actions.js";
import type { CaseFrame, CasePrecedent, Token } from "../../core/records/case.js";
import { BUCKETS, COMPARED_LENGTH, countGrams } from "../../text/ranking.js";
import type { Clause, RuleBook } from "./read-rules.js";
import { charge, onScale, proven, type RuleEvidence, type Scale, scaleOf } from "./weigh.js";

/** Control characters, quotation marks, backslashes, braces, characters that change the direction of text, and lone surrogates. */
const HARMFUL =
  /[\u0000-\u001f\u007f-\u009f"“”„«»\\{}\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const MAYBE_HARMFUL = /[^ !#-[\]-z|~]/;
const REPLACEMENTS: Readonly<Record<string, string>> = { "\\": "/", "{": "(", "}": ")" };

/** Makes foreign text safe inside a JSON string: nothing in it can end the string, look like a key or reverse the line. Cut at `length`. */
export function harmless(text: string, length = 80): string {
  const short = text.length > length ? `${text.slice(0, length - 3)}...` : text;
  return MAYBE_HARMFUL.test(short) ? short.replace(HARMFUL, replacement) : short;
}

function replacement(character: string): string {
  if (/["“”„«»]/.test(character)) return "'";
  if (/[\u0000-\u0020\u2028\u2029]/.test(character)) return " ";
  return REPLACEMENTS[character] ?? (character.isWellFormed() ? "" : "\ufffd");
}

/** A rule's text for use inside a JSON string: escaped, with lone surrogates replaced. */
export function jsonText(text: string): string {
  return JSON.stringify(text.toWellFormed()).slice(1, -1);
}

/** A word or number with the space before it, an escape, or a single character. */
const PIECE = / ?(?:[a-zA-Z0-9\u00c0-\u1fff]+|\\u....|\\.|[^ ])| /gu;

/** Splits a piece of JSON text into tokens by `PIECE`. Joined, they are the text again; surrogate pairs are never split. */
export function pieces(text: string): string[] {
  return text.match(PIECE) ?? [];
}

/** Something the trace may cite and argue from, with its probability. */
export interface Candidate {
  /** The citation as it will appear in the trace. Each token has probability 1; the list is shared by every trace that cites it. */
  tokens: readonly Token[];
  prob: number;
  /** The rule and clause it names; null for a precedent, or where there is no rule. */
  evidence: RuleEvidence | null;
  clause: Clause | null;
  precedent: CasePrecedent | null;
}

/** What a trace concludes, which decides what it can cite. */
export type Conclusion = "broken" | "kept" | "open" | "elsewhere";

const LONGEST_CITED = 80;
const NO_RULE = "No rule prohibits this; nearest: ";
/** Candidates beyond this number are noise. */
const MOST_CANDIDATES = 8;
/** How strongly the better candidate is preferred. */
const SHARPNESS = 4;
/** A precedent less similar than this is not cited. */
const LEAST_SIMILARITY = 0.25;
/** Below this an exception does not fit the content, and a procedure is only a few shared words. */
export const LEAST_EXCUSE = 0.25;

/** What the traces of a frame may cite. */
export class Citations {
  /** By clause: the citation that names it, and the same after "No rule prohibits this". Split once, since many decisions cite the same clause. */
  private readonly ofClauses = new Map<Clause, { named: readonly Token[]; silent: readonly Token[] }>();

  constructor(
    private readonly frame: CaseFrame,
    private readonly book: RuleBook,
  ) {}

  /**
   * What may be cited for a conclusion, most likely first: the rule that is broken, the one that allows the content or comes nearest, the one that
   * leaves it open, or a similar precedent. `allowsSilence`: the citation may say that no rule prohibits the content.
   */
  candidates(
    rules: readonly RuleEvidence[],
    conclusion: Conclusion,
    nearest: Nearest,
    allowsSilence: boolean,
  ): Candidate[] {
    const found: { score: number; evidence: RuleEvidence | null }[] = [];
    for (const evidence of rules) found.push({ score: scoreFor(evidence, conclusion), evidence });
    const precedent = this.frame.precedents[nearest.place];
    const decided = precedent && isRestricting(this.frame.actions, precedent.decision) ? "broken" : "kept";
    if (precedent && nearest.similarity >= LEAST_SIMILARITY && conclusion === decided)
      found.push({ score: 2 * nearest.similarity, evidence: null });
    if (found.length === 0) return [NO_CITATION];
    found.sort((a, b) => b.score - a.score);
    const best = found.slice(0, MOST_CANDIDATES);
    const weights = best.map(({ score }) => Math.exp(SHARPNESS * (score - best[0]!.score)));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return best.map(({ evidence }, i) => {
      const prob = weights[i]! / total;
      if (evidence === null)
        return { tokens: certain(`precedent ${precedent!.id}`), prob, evidence, clause: null, precedent: precedent! };
      const clause = clauseFor(evidence, conclusion);
      const isSilent = allowsSilence && conclusion === "kept" && clause !== evidence.excuse.clause;
      const { named, silent } = this.ofClause(clause);
      return { tokens: isSilent ? silent : named, prob, evidence, clause, precedent: null };
    });
  }

  /** `community rule R3 "No links": <the clause>` */
  private ofClause(clause: Clause): { named: readonly Token[]; silent: readonly Token[] } {
    let known = this.ofClauses.get(clause);
    if (known === undefined) {
      const { rule, clauses } = this.book.rules[clause.rule]!;
      const head = `${rule.scope} rule ${rule.id} "${rule.title}"`;
      const text = clause === clauses[0] ? head : `${head}: ${shortened(clause.text, LONGEST_CITED)}`;
      known = { named: certain(text), silent: certain(NO_RULE + text) };
      this.ofClauses.set(clause, known);
    }
    return known;
  }
}

function certain(citation: string): Token[] {
  return pieces(jsonText(citation)).map((text) => ({ text, logprob: 0, top: [{ text, logprob: 0 }] }));
}

const NO_CITATION: Candidate = {
  tokens: certain("No rule bears on this."),
  prob: 1,
  evidence: null,
  clause: null,
  precedent: null,
};

/** The clause on which a conclusion under a rule rests. */
function clauseFor(e: RuleEvidence, conclusion: Conclusion): Clause {
  const { main } = e.reading;
  if (conclusion === "elsewhere") return e.procedure.clause ?? main;
  if (conclusion === "kept") return (e.excuse.strength > LEAST_EXCUSE && e.excuse.clause) || main;
  return (e.breach.strength >= charge(e) && e.breach.clause) || e.words.clause || main;
}

function scoreFor(e: RuleEvidence, conclusion: Conclusion): number {
  const about = e.relevance / 2;
  if (conclusion === "elsewhere") return e.procedure.strength + about / 2;
  if (conclusion === "broken") return 2 * proven(e) + charge(e) * (1 - e.excuse.strength) + about;
  if (conclusion === "kept") return e.excuse.strength + charge(e) / 2 + about;
  return charge(e) / 2 + about + (e.reading.isOpen ? 0.5 * (1 - e.breach.strength) : 0);
}

/** Cuts a clause at a word, so that the rest is verbatim. "..." and not "…": an ASCII trace costs half as much. */
export function shortened(clause: string, longest: number): string {
  if (clause.length <= longest) return clause;
  const cut = clause.lastIndexOf(" ", longest);
  return `${clause.slice(0, cut > 40 ? cut : longest)} ...`;
}

/** Added to the number of precedents, so that a few count less than many. */
const PSEUDO_COUNT = 8;
/** Values before any precedent is seen: the cosine of two unrelated texts, the spread of s, and the slope of a deviation. */
const USUAL_COSINE = 0.05;
const USUAL_DEVIATION = 0.03;
const USUAL_SLOPE = 0.5;
/** Most precedents that are read. */
const MOST_PRECEDENTS = 5000;
/** Most precedents from which the scale of the scores is computed. */
const MOST_SCORED = 300;
/** An n-gram shared by more precedents than this does not help to find the nearest one. */
const MOST_HOLDERS = 64;

/** A text as the buckets of its n-grams and their weights, normalised to length 1. The arrays are reused: valid until the next text is read. */
interface TextVector {
  count: number;
  buckets: Uint16Array;
  weights: Float64Array;
}

const weights = new Float64Array(COMPARED_LENGTH + 2);

/** By bucket: ln((1 + N) / (1 + holders)) + 1, for N precedents. */
export function rarityOf(precedents: readonly CasePrecedent[]): Float64Array {
  const read = precedents.slice(0, MOST_PRECEDENTS);
  const holders = new Float64Array(BUCKETS);
  for (const { text } of read) {
    const { count, buckets } = countGrams(text);
    for (let i = 0; i < count; i++) holders[buckets[i]!]!++;
  }
  // There are far more buckets than distinct numbers of holders.
  const byCount = Float64Array.from({ length: read.length + 1 }, (_, n) => Math.log((1 + read.length) / (1 + n)) + 1);
  for (let bucket = 0; bucket < BUCKETS; bucket++) holders[bucket] = byCount[holders[bucket]!]!;
  return holders;
}

/** (1 + ln times) · rarity for each n-gram of a text, divided by the norm of the whole vector. */
export function vectorOf(text: string, rarity: Float64Array): TextVector {
  const { count, buckets, times } = countGrams(text);
  let square = 0;
  for (let i = 0; i < count; i++) {
    const n = times[buckets[i]!]!;
    const weight = rarity[buckets[i]!]! * (n === 1 ? 1 : 1 + Math.log(n));
    weights[i] = weight;
    square += weight * weight;
  }
  const length = Math.sqrt(square);
  for (let i = 0; i < count; i++) weights[i]! /= length;
  return { count, buckets, weights };
}

/** Index among the precedents, and cosine; -1 if nothing is shared. */
export interface Nearest {
  place: number;
  similarity: number;
}

/**
 * Similarity of a text to the precedents that restricted, minus that to those that did not.
 *
 * Formula: s = x · w / |w| with w = Σ⁺v / (n⁺ + 8) − Σ⁻v / (n⁻ + 8), where x and v are tf-idf vectors of character 4-grams. The score is s on
 * the scale ({@link scaleOf}) of the precedents' own s, each computed without that precedent, times n / (n + 8).
 * Range: any. Undefined when: never; 0 without precedents.
 * Differs from the paper: not in the paper, whose auditor is a language model.
 * @see docs/baseline.md
 */
export class PrecedentIndex {
  /** By bucket: w / |w|. */
  private readonly difference: Float32Array;
  /** By bucket: 1 + index into `holders`, or 0 if no precedent has it. Twice as fast as a `Map`, at the cost of an entry for every bucket. */
  private readonly places = new Uint32Array(BUCKETS);
  /** Precedents that have a bucket, each followed by its weight there, as long as they are few. */
  private readonly holders: number[][] = [];
  private readonly similarities: Float64Array;
  private readonly scale: Scale;
  private readonly trust: number;

  constructor(precedents: readonly CasePrecedent[], restricts: (decision: string) => boolean, rarity: Float64Array) {
    const read = precedents.slice(0, MOST_PRECEDENTS);
    const sides = read.map(({ decision }) => (restricts(decision) ? 1 : 0));
    const restricted = sides.filter((side) => side === 1).length;
    const n = [read.length - restricted, restricted] as const;
    const shares = [n[0] + PSEUDO_COUNT, n[1] + PSEUDO_COUNT] as const;
    const sums = [new Float64Array(BUCKETS), new Float64Array(BUCKETS)] as const;
    for (const [place, { text }] of read.entries()) this.enter(place, vectorOf(text, rarity), sums[sides[place]!]!);
    const w = new Float64Array(BUCKETS);
    let square = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const x = sums[1][bucket]! / shares[1] - sums[0][bucket]! / shares[0];
      w[bucket] = x;
      square += x * x;
    }
    const length = Math.sqrt(square) || 1;
    this.difference = new Float32Array(BUCKETS);
    for (let bucket = 0; bucket < BUCKETS; bucket++) this.difference[bucket] = w[bucket]! / length;
    this.similarities = new Float64Array(read.length);
    this.trust = read.length / (read.length + PSEUDO_COUNT);
    const scores: [number[], number[]] = [[], []];
    const step = Math.max(1, Math.ceil(read.length / MOST_SCORED));
    for (let i = 0; i < read.length; i += step) {
      const side = sides[i]!;
      if (n[side]! < 2) continue;
      const vector = vectorOf(read[i]!.text, rarity);
      const products = [product(vector, sums[0]), product(vector, sums[1])];
      // Without itself, and with the rest of its side scaled up to the size of the whole.
      products[side] = ((products[side]! - 1) * n[side]!) / (n[side]! - 1);
      scores[side]!.push((products[1]! / shares[1] - products[0]! / shares[0]) / length);
    }
    const centre = (USUAL_COSINE * (n[1] / shares[1] - n[0] / shares[0])) / length;
    this.scale = scaleOf(...scores, { centre, deviation: USUAL_DEVIATION, slope: USUAL_SLOPE, count: PSEUDO_COUNT });
  }

  private enter(place: number, { count, buckets, weights }: TextVector, sums: Float64Array): void {
    for (let i = 0; i < count; i++) {
      sums[buckets[i]!]! += weights[i]!;
      const known = this.places[buckets[i]!]!;
      const list = this.holders[known - 1];
      if (list === undefined) this.places[buckets[i]!] = this.holders.push([place, weights[i]!]);
      else if (list.length < 2 * MOST_HOLDERS) list.push(place, weights[i]!);
    }
  }

  /** In log-odds: above 0 if the text resembles precedents that restricted more than those that did not. */
  score(vector: TextVector): number {
    return this.trust * onScale(this.scale, product(vector, this.difference));
  }

  nearest({ count, buckets, weights }: TextVector): Nearest {
    const { holders, places, similarities, difference } = this;
    similarities.fill(0);
    for (let i = 0; i < count; i++) {
      const known = places[buckets[i]!]!;
      if (known === 0 || difference[buckets[i]!] === 0) continue;
      const list = holders[known - 1]!;
      if (list.length === 2 * MOST_HOLDERS) continue;
      for (let k = 0; k < list.length; k += 2) similarities[list[k]!]! += list[k + 1]! * weights[i]!;
    }
    let similarity = 0;
    for (let place = 0; place < similarities.length; place++) {
      if (similarities[place]! > similarity) similarity = similarities[place]!;
    }
    return { place: similarity > 0 ? similarities.indexOf(similarity) : -1, similarity };
  }
}

function product({ count, buckets, weights }: TextVector, values: Float32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[buckets[i]!]! * weights[i]!;
  return sum;
}
