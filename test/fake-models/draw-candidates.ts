import { looksLikeLabel } from "./label-candidates.js";
import type { Candidate, PlannedToken, PlanOptions } from "./plan-answer.js";
import type { Vocabulary, VocabularyToken } from "./vocabulary.js";

interface Draw {
  token: VocabularyToken;
  kind: PlannedToken["kind"];
  /** Candidates given by the test, the chosen one among them; empty: all are drawn. */
  explicit: readonly Candidate[];
  outside: boolean;
  random: () => number;
  vocabulary: Vocabulary;
  options: PlanOptions;
}

/** More tokens than this are never listed by a server with a limit of 20. */
const BEYOND_ANY_LIST = 22;
const TAIL_TOKENS = 1000;

/** Completes a position: the chosen token and others of the real vocabulary, whose probabilities sum to 1 with the tail. */
export function drawCandidates(draw: Draw): { candidates: Candidate[]; tail: PlannedToken["tail"] } {
  const { token, explicit, outside, random, options } = draw;
  const [from, to] = options.alternatives ?? [19, 25];
  const known = [token, ...explicit.map((candidate) => candidate.token)];
  const taken: Taken = {
    ids: new Set(known.map(({ id }) => id)),
    prints: new Set(known.map(({ bytes }) => print(bytes))),
  };
  const given = explicit.reduce((sum, candidate) => sum + Math.exp(candidate.logprob!), 0);
  const rest = explicit.length > 0 ? Math.max(0, 1 - given) : 1;
  const tail = rest * (options.tail ?? 0.002) * random();

  let wanted = Math.max(0, from + Math.floor(random() * (to - from + 1)) - Math.max(0, explicit.length - 1));
  if (outside) wanted = Math.max(wanted, BEYOND_ANY_LIST);
  // Nothing is left to give where the test gave all of it.
  if (rest < 1e-12) wanted = 0;
  const others = drawTokens(draw, wanted, taken);
  if (options.special && others.length > 0) others[others.length - 1] = draw.vocabulary.end;

  const weights = others.map((_, i) => Math.exp(-1 - 0.35 * i - 3 * random()));
  const list: { token: VocabularyToken; weight: number }[] = others.map((other, i) => ({
    token: other,
    weight: weights[i]!,
  }));
  if (explicit.length === 0) list.push({ token, weight: chosenWeight(weights, outside, random) });
  const total = list.reduce((sum, { weight }) => sum + weight, 0);
  const legalOthers = draw.kind === "free";
  const candidates: Candidate[] = [
    ...explicit,
    ...list.map(({ token: other, weight }) => ({
      token: other,
      logprob: Math.log(((rest - tail) * weight) / total),
      legal: legalOthers || other === token,
    })),
  ].sort((a, b) => b.logprob! - a.logprob!);
  const unknown = drawTokens(draw, options.sentinels ?? 0, taken);
  candidates.push(...unknown.map((other) => ({ token: other, logprob: null, legal: legalOthers })));
  return { candidates, tail: { mass: candidates.length > 1 ? tail : 0, tokens: TAIL_TOKENS } };
}

/** Mostly the likeliest of all; now and then not; below all others where it is to be outside every list. */
function chosenWeight(weights: readonly number[], outside: boolean, random: () => number): number {
  if (outside) return Math.min(...weights) / 10;
  return random() < 0.9 ? 1 + 3 * random() : 0.2 * random() + 0.01;
}

interface Taken {
  ids: Set<number>;
  prints: Set<string>;
}

function drawTokens({ random, vocabulary, options, kind }: Draw, count: number, taken: Taken): VocabularyToken[] {
  const tokens: VocabularyToken[] = [];
  while (tokens.length < count) {
    const token = vocabulary.token(Math.floor(random() * Math.min(vocabulary.size, 60_000)));
    if (!token || taken.ids.has(token.id)) continue;
    const printed = print(token.bytes);
    if (options.printable && (taken.prints.has(printed) || !/^[\x20-\x7e]+$/.test(printed))) continue;
    if (kind === "label" && looksLikeLabel(token.bytes)) continue;
    taken.ids.add(token.id);
    taken.prints.add(printed);
    tokens.push(token);
  }
  return tokens;
}

const utf8 = new TextDecoder();

function print(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
