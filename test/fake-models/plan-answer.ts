import { drawCandidates } from "./draw-candidates.js";
import { labelCandidates } from "./label-candidates.js";
import { randomFrom } from "./random.js";
import { type ValueSpan, valueSpans } from "./value-spans.js";
import { loadVocabulary, type Vocabulary, type VocabularyName, type VocabularyToken } from "./vocabulary.js";

/** A token that could have stood at a position. `logprob` is raw (T = 1, no mask); null: listed, but without information. */
export interface Candidate {
  token: VocabularyToken;
  logprob: number | null;
  /** Whether a grammar made of the answer's schema lets it through. */
  legal: boolean;
}

export interface PlannedToken {
  token: VocabularyToken;
  /** Best first, the chosen one among them; those without information last. */
  candidates: Candidate[];
  /** Probability beyond the candidates, shared evenly by that many tokens; legal only inside free text. */
  tail: { mass: number; tokens: number };
  /** `free`: inside a text value; `label`: a label begins here; `forced`: keys and delimiters, and the rest of a label. */
  kind: "free" | "label" | "forced";
}

/** What a model would write, with the distribution it drew each token from. Every dialect's answer is made from this. */
export interface Planned {
  text: string;
  tokens: PlannedToken[];
  vocabulary: VocabularyName;
  finish: "stop" | "length" | "refusal" | "filter";
  promptTokens: number;
  cachedTokens: number;
  /** Tokens that were thought and not shown. */
  reasoningTokens: number;
}

export interface PlanOptions {
  vocabulary?: VocabularyName;
  /** The same seed, the same distributions. */
  seed?: string;
  /** Probabilities by surface at the token where a field's value begins; what is missing to 1 goes to other tokens. */
  fields?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** How many other tokens are candidates, from and to. Servers cut the list at 20. */
  alternatives?: readonly [number, number];
  /** The most probability that lies beyond the candidates. */
  tail?: number;
  /** Only candidates that print, each differently, in every dialect. */
  printable?: boolean;
  /** Fields at whose first token more than 20 others are likelier than the chosen one. */
  outside?: readonly string[];
  /** Candidates without information added at each position. */
  sentinels?: number;
  /** The end token is among the candidates: it has no bytes. */
  special?: boolean;
  finish?: Planned["finish"];
  promptTokens?: number;
  cachedTokens?: number;
  reasoningTokens?: number;
}

/** Tokenises an answer and gives each token a whole distribution over its real vocabulary. */
export async function planAnswer(text: string, options: PlanOptions = {}): Promise<Planned> {
  const vocabulary = await loadVocabulary(options.vocabulary ?? "o200k");
  const spans = valueSpans(text);
  const tokens: PlannedToken[] = [];
  let at = 0;
  for (const token of vocabulary.encode(text)) {
    tokens.push(planToken(token, at, tokens.length, spans, vocabulary, options));
    at += token.bytes.length;
  }
  return {
    text,
    tokens,
    vocabulary: vocabulary.name,
    finish: options.finish ?? "stop",
    promptTokens: options.promptTokens ?? 1200,
    cachedTokens: options.cachedTokens ?? 1024,
    reasoningTokens: options.reasoningTokens ?? 0,
  };
}

const LABEL_FIELDS = [
  ...["precedent_weight", "inverse_check", "defensibility_level", "level3_reason"],
  ...["condition_met", "exception_applies", "supports"],
];

function planToken(
  token: VocabularyToken,
  at: number,
  index: number,
  spans: readonly ValueSpan[],
  vocabulary: Vocabulary,
  options: PlanOptions,
): PlannedToken {
  const end = at + token.bytes.length;
  const span = spans.find((candidate) => candidate.start < end && at < candidate.end);
  const isLabel = span !== undefined && LABEL_FIELDS.includes(span.field);
  const kind = isLabel ? (at <= span.start ? "label" : "forced") : span || spans.length === 0 ? "free" : "forced";
  const random = randomFrom(`${options.seed ?? "plan"} ${index} ${at}`);
  const given = kind === "label" ? options.fields?.[span!.field] : undefined;
  const outside = kind === "label" && (options.outside?.includes(span!.field) ?? false);
  const explicit = given ? labelCandidates(token, span!.field, given, vocabulary) : [];
  return { token, kind, ...drawCandidates({ token, kind, explicit, outside, random, vocabulary, options }) };
}

export function isPlanned(value: object): value is Planned {
  return "tokens" in value && "vocabulary" in value;
}

/** The answer as far as so many tokens go; a character that is cut in two is lost, as servers do. */
export function truncate(planned: Planned, maxTokens: number | null): Planned {
  if (maxTokens === null || planned.tokens.length <= maxTokens) return planned;
  const tokens = planned.tokens.slice(0, maxTokens);
  const bytes = Buffer.concat(tokens.map(({ token }) => token.bytes));
  return { ...planned, tokens, text: bytes.toString("utf8").replace(/\ufffd+$/, ""), finish: "length" };
}
