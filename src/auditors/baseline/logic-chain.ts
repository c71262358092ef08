import type { CaseFrame } from "../../core/records/case.js";
import { type Candidate, type Conclusion, LEAST_EXCUSE, shortened } from "./citations.js";
import type { ContentView } from "./content-view.js";
import { harmless, jsonText } from "./json-text.js";
import type { PreparedFrame } from "./prepare-frame.js";
import type { Clause, RuleBook } from "./read-rules.js";

const LONGEST_QUOTED = 160;
const LONGEST_FINDING = 160;
const MOST_WORDS = 3;
/** Log-odds from which precedents are worth a sentence. */
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
export interface Argument {
  frame: CaseFrame;
  prepared: PreparedFrame;
  view: ContentView;
  cited: Candidate;
  conclusion: Conclusion;
  /** Log-odds that precedents give. */
  precedents: number;
  decision: string;
  /** 0, 1 or 2: the level that was drawn, less one. */
  level: number;
}

/**
 * Three to six sentences, as JSON text: the rule or precedent that is cited, what of the content meets it, what speaks against that, and what follows. Words
 * of the content appear only through `harmless`.
 */
export function logicChain(argument: Argument): string {
  const { frame, prepared, view, cited, conclusion, precedents, decision, level } = argument;
  const { clause, precedent, evidence } = cited;
  let chain = "There is no rule to consider.";
  if (clause) {
    const { scope, id } = prepared.book.rules[clause.rule]!.rule;
    const found = harmless(finding(prepared.book, view, cited, conclusion), LONGEST_FINDING);
    chain = `${scope === "platform" ? "Platform" : "Community"} rule ${jsonText(id)} says ${quote(clause)}. The content ${found}.`;
  } else if (precedent)
    chain = jsonText(`Precedent ${precedent.id} was decided "${precedent.decision}". The content is similar to it.`);
  if (view.unread > 0) chain += ` ${view.unread} characters of the content were not read.`;
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

/** What of the content meets the cited clause, as the end of a sentence that begins with "The content". */
function finding(book: RuleBook, view: ContentView, { evidence, clause }: Candidate, conclusion: Conclusion): string {
  const found = conclusion === "kept" ? evidence!.excuse : evidence!.breach;
  if (found.check && found.clause === clause) return found.check.tell(view);
  const words = sharedWords(book, view, clause!);
  if (words.length > 0) return `shares the ${words.length === 1 ? "word" : "words"} ${words.join(", ")} with it`;
  return conclusion === "broken" ? "has no word of it, but resembles what it covers" : "has nothing that it speaks of";
}

/** The weightiest stems of the content that a clause also has, in quotation marks. */
function sharedWords({ byWord }: RuleBook, { words }: ContentView, { index }: Clause): string[] {
  const shared: { word: string; weight: number }[] = [];
  for (const word of words.keys()) {
    const entry = byWord.get(word)?.find(({ clause }) => clause === index);
    if (entry) shared.push({ word, weight: entry.weight });
  }
  shared.sort((a, b) => b.weight - a.weight);
  return shared.slice(0, MOST_WORDS).map(({ word }) => `'${word.replace(/^#/, "").replaceAll("_", " ")}'`);
}
