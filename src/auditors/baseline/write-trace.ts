import { isRestricting } from "../../core/records/actions.js";
import { LEVEL3_REASONS, PRECEDENT_WEIGHTS } from "../../core/records/audit.js";
import type { Alternative, AuditCase, CaseFrame, Token } from "../../core/records/case.js";
import { whole } from "../../text/words.js";
import { PASSAGES, passage } from "../output-format.js";
import type { PreparedFrame } from "./baseline-auditor.js";
import {
  type Candidate,
  type Conclusion,
  harmless,
  jsonText,
  LEAST_EXCUSE,
  type Nearest,
  shortened,
} from "./citations.js";
import type { ContentView } from "./content-view.js";
import type { Clause, RuleBook } from "./read-rules.js";
import { levelProbs, precedentWeights, type Verdict, yesGivenLevel } from "./verdict.js";
import { charge, type RuleEvidence } from "./weigh.js";

const LONGEST_QUOTED = 160;
const LONGEST_FINDING = 160;
const MOST_WORDS = 3;
/** Log-odds above which precedents are mentioned. */
const LEAST_PRECEDENTS = 0.4;

const CONCLUSIONS: Readonly<Record<Conclusion, string>> = {
  broken: " On balance the rule is broken.",
  kept: " On balance no rule is broken.",
  open: " The rule can be read either way here.",
  elsewhere: " The rule asks for another action than either decision.",
};
const LEVELS = [
  "follows from the rules.",
  "can be argued from the rules, and so can its opposite.",
  "does not follow from the rules.",
] as const;

/** What a logic chain argues from. */
interface Argument {
  frame: CaseFrame;
  prepared: PreparedFrame;
  view: ContentView;
  cited: Candidate;
  conclusion: Conclusion;
  /** Log-odds from the precedents. */
  precedents: number;
  decision: string;
  /** The level that was drawn, counted from 0: 0, 1 or 2. */
  level: number;
}

/**
 * Three to six sentences, as JSON text: the rule or precedent cited, what in the content meets it, what speaks against that, and
 * what follows. Words of the content appear only through `harmless`.
 */
function logicChain(argument: Argument): string {
  const { frame, prepared, view, cited, conclusion, precedents, decision, level } = argument;
  const { clause, precedent, evidence } = cited;
  let chain = "There is no rule to consider.";
  if (clause) {
    const { scope, id } = prepared.book.rules[clause.rule]!.rule;
    const found = harmless(finding(prepared.book, view, cited, conclusion), LONGEST_FINDING);
    chain = `${scope === "platform" ? "Platform" : "Community"} rule ${jsonText(id)} says ${quote(clause)}. The content ${found}.`;
  } else if (precedent)
    chain = jsonText(`Precedent ${precedent.id} was decided "${precedent.decision}". The content is similar to it.`);
  if (view.skipped > 0) {
    chain += ` ${whole(view.skipped)} characters were skipped because they seem to address the auditor.`;
  }
  if (view.beyond > 0) chain += ` It is too long: its last ${whole(view.beyond)} characters were not read.`;
  const excuse = evidence?.excuse;
  if (conclusion === "broken" && excuse?.clause && excuse.strength > LEAST_EXCUSE && excuse.clause !== clause)
    chain += ` The same rule also says ${quote(excuse.clause)}.`;
  if (Math.abs(precedents) >= LEAST_PRECEDENTS) {
    const action = precedents > 0 ? frame.actions.positive : frame.actions.negative;
    chain += jsonText(` Precedents with the decision "${action}" resemble the content more than the others.`);
  }
  if (clause || precedent) chain += CONCLUSIONS[conclusion];
  return `${chain} So the decision \\"${jsonText(decision)}\\" ${LEVELS[level]}`;
}

function quote({ text }: Clause): string {
  return `\\"${jsonText(shortened(text, LONGEST_QUOTED).replaceAll('"', "'"))}\\"`;
}

/** What in the content meets the cited clause, as the end of a sentence that begins with "The content". */
function finding(book: RuleBook, view: ContentView, { evidence, clause }: Candidate, conclusion: Conclusion): string {
  const found = conclusion === "kept" ? evidence!.excuse : evidence!.breach;
  if (found.check && found.clause === clause) return found.check.tell(view);
  const words = sharedWords(book, view, clause!);
  if (words.length > 0) return `shares the ${words.length === 1 ? "word" : "words"} ${words.join(", ")} with it`;
  return conclusion === "broken"
    ? "has no word of it, but resembles what it covers"
    : "has nothing that matches this rule";
}

/** The stems with the most weight that the content shares with a clause, in quotation marks. */
function sharedWords({ byWord }: RuleBook, { words }: ContentView, { index }: Clause): string[] {
  const shared: { word: string; weight: number }[] = [];
  for (const word of words.keys()) {
    const entry = byWord.get(word)?.find(({ clause }) => clause === index);
    if (entry) shared.push({ word, weight: entry.weight });
  }
  shared.sort((a, b) => b.weight - a.weight);
  return shared.slice(0, MOST_WORDS).map(({ word }) => `'${word.replace(/^#/, "").replaceAll("_", " ")}'`);
}

const INVERSE_LABELS = ["No", "Yes"] as const;
const LEVEL_LABELS = ["1", "2", "3"] as const;

/** What a trace is written from. */
interface Judged {
  prepared: PreparedFrame;
  view: ContentView;
  rules: readonly RuleEvidence[];
  verdict: Verdict;
  /** Log-odds from the precedents, and the nearest precedent. */
  precedents: number;
  nearest: Nearest;
}

/**
 * Writes the trace in the paper's order. The level is drawn first, from its marginal distribution, then the other fields given
 * the level. The level's token has that marginal and the inverse's token the marginal of the inverse, whatever was drawn. Level,
 * inverse check and precedent weight take the first three random numbers, so that arms with the same seed share them.
 */
export function writeTrace(
  judged: Judged,
  { frame, decision, template }: AuditCase,
  temperature: number,
  random: Random,
): Token[] {
  const { prepared, view, rules, verdict, precedents, nearest } = judged;
  const { citations } = prepared;
  const restricts = isRestricting(frame.actions, decision);
  const levels = levelProbs(verdict);
  const level = draw(levels, temperature, random());
  const yes = yesGivenLevel(verdict);
  const inverse = draw([1 - yes[level]!, yes[level]!], temperature, random());
  const anyYes = levels.reduce((sum, prob, i) => sum + prob * yes[i]!, 0);
  const weightDraw = random();
  const conclusion = conclude(level, inverse, restricts);
  const candidates = citations.candidates(rules, conclusion, nearest, !restricts && level < 2);
  const { cited, tokens: citation } = drawCitation(candidates, temperature, random);
  const weights = precedentWeights(nearest.similarity, cited.precedent !== null);

  const tokens: Token[] = [
    PASSAGES.OPEN,
    passage(logicChain({ frame, prepared, view, cited, conclusion, precedents, decision, level })),
    PASSAGES.CITATION,
    ...citation,
    PASSAGES.WEIGHT,
    label(PRECEDENT_WEIGHTS, weights, draw(weights, temperature, weightDraw)),
    PASSAGES.INVERSE,
    label(INVERSE_LABELS, [1 - anyYes, anyYes], inverse),
  ];
  if (template !== "extended") tokens.push(PASSAGES.LEVEL_AFTER_TEXT);
  else if (inverse === 0) tokens.push(PASSAGES.NO_INVERSE_CITATION, PASSAGES.LEVEL_AFTER_NULL);
  else {
    const [opposite] = citations.candidates(rules, restricts ? "kept" : "broken", nearest, restricts);
    tokens.push(PASSAGES.INVERSE_CITATION, passage(spelled(opposite!.tokens)), PASSAGES.LEVEL_AFTER_TEXT);
  }
  tokens.push(label(LEVEL_LABELS, levels, level));
  if (template === "extended" && level === 2)
    tokens.push(PASSAGES.REASONS[reasonFor(rules, restricts, conclusion, cited)]!);
  tokens.push(PASSAGES.CLOSE);
  return tokens;
}

export function spelled(tokens: readonly Token[]): string {
  let text = "";
  for (const token of tokens) text += token.text;
  return text;
}

/** What the level says about the rules: if an approval does not follow, a rule is broken. */
function conclude(level: number, inverse: number, restricts: boolean): Conclusion {
  if (level === 1) return "open";
  if (level === 2 && inverse === 0) return "elsewhere";
  return (level === 0) === restricts ? "broken" : "kept";
}

const COMPLIES = LEVEL3_REASONS.indexOf("complies_with_cited_rule");
const CONCEPT_ABSENT = LEVEL3_REASONS.indexOf("concept_absent");
const NO_RULE = LEVEL3_REASONS.indexOf("no_rule");
/** Below this no rule concerns the content. */
const LEAST_CHARGE = 0.15;

/** Why nothing supports the decision. An approval of what a rule forbids, and a case that needs a third action, have no rule behind them. */
function reasonFor(
  rules: readonly RuleEvidence[],
  restricts: boolean,
  conclusion: Conclusion,
  cited: Candidate,
): number {
  if (!restricts || conclusion === "elsewhere") return NO_RULE;
  if (cited.evidence && cited.evidence.excuse.strength > LEAST_EXCUSE) return COMPLIES;
  return rules.every((rule) => charge(rule) < LEAST_CHARGE) ? CONCEPT_ABSENT : NO_RULE;
}

/** Returns the next random number of a trace; null at T = 0, where the most likely option is taken. */
type Random = () => number | null;

/**
 * Index drawn with probability proportional to p^(1/T), like the sampling temperature of a language model. Without a random
 * number: the most likely one. Powers are taken of p divided by the largest p, so that a low temperature does not underflow.
 */
export function draw(probs: readonly number[], temperature: number, random: number | null): number {
  const most = Math.max(...probs);
  const best = probs.indexOf(most);
  if (random === null || temperature <= 0) return best;
  const shares = probs.map((prob) => (prob / most) ** (1 / temperature));
  let left = random * shares.reduce((sum, share) => sum + share, 0);
  const drawn = shares.findIndex((share) => {
    left -= share;
    return left < 0;
  });
  return drawn < 0 ? best : drawn;
}

/**
 * Draws a citation token by token, as a language model would. Candidates with the same beginning share a path; at each branch, the alternatives have
 * the conditional distribution of the next token given those before. Once only one continuation is left, its prepared tokens are used.
 *
 * Citations are prefix-free as long as ids differ. If one is a prefix of another, the shorter one loses its probability where the longer goes on.
 */
export function drawCitation(
  candidates: readonly Candidate[],
  temperature: number,
  random: Random,
): { cited: Candidate; tokens: Token[] } {
  const tokens: Token[] = [];
  let alive = candidates;
  for (let at = 0; ; at++) {
    const [cited] = alive as [Candidate];
    const next = cited.tokens[at];
    if (alive.every((candidate) => candidate.tokens[at]?.text === next?.text)) {
      if (next === undefined) return { cited, tokens };
      tokens.push(next);
      continue;
    }
    const top = nextTokens(alive, at);
    const probs = top.map(({ logprob }) => Math.exp(logprob));
    const { text, logprob } = top[draw(probs, temperature, random())]!;
    tokens.push({ text, logprob, top });
    alive = alive.filter((candidate) => candidate.tokens[at]?.text === text);
  }
}

/** The alternatives at a position, best first. */
function nextTokens(alive: readonly Candidate[], at: number): Alternative[] {
  const probs = new Map<string, number>();
  let total = 0;
  for (const { tokens, prob } of alive) {
    const text = tokens[at]?.text;
    if (text === undefined) continue;
    total += prob;
    probs.set(text, (probs.get(text) ?? 0) + prob);
  }
  return bestFirst(Array.from(probs, ([text, prob]) => ({ text, logprob: Math.min(0, Math.log(prob / total)) })));
}

/** Below this a label's logprob would not be finite, or would read as a provider's mark for "unknown". */
const LEAST_PROB = 1e-6;

/** A label of a small closed set, with the distribution it was drawn from. */
function label(labels: readonly string[], probs: readonly number[], chosen: number): Token {
  const top = labels.map((text, i) => ({ text, logprob: Math.log(Math.max(LEAST_PROB, probs[i]!)) }));
  const { text, logprob } = top[chosen]!;
  return { text, logprob, top: bestFirst(top) };
}

function bestFirst(top: Alternative[]): Alternative[] {
  return top.sort((a, b) => b.logprob - a.logprob);
}
