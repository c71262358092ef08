import type { CaseFrame } from "../../core/records/case.js";
import { passage } from "../trace-passages.js";
import { type Candidate, type Conclusion, LEAST_EXCUSE, shortened } from "./citations.js";
import type { ContentView } from "./content-view.js";
import { harmless, jsonText } from "./harmless.js";
import type { Clause, RuleBook } from "./read-rules.js";
import type { TraceWriter } from "./trace-writer.js";

const LONGEST_QUOTED = 160;
const LONGEST_FINDING = 160;
const MOST_WORDS = 3;
/** Log-odds from which precedents are worth a sentence. */
const LEAST_PRECEDENTS = 0.4;

const CONCLUSIONS = {
  broken: passage(" On balance the rule is broken."),
  kept: passage(" On balance no rule is broken."),
  open: passage(" The rule can be read either way here."),
  elsewhere: passage(" The rule asks for another action than either decision."),
};
const LEVELS = [
  " follows from the rules.",
  " can be argued from the rules, and so can its opposite.",
  " does not follow from the rules.",
] as const;

/** What a logic chain argues from. */
export interface Argument {
  frame: CaseFrame;
  book: RuleBook;
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
 * Three to six sentences: the rule or precedent that is cited, what of the content meets it, what speaks against that, and what follows. Words of the
 * content appear only through `harmless`.
 */
export function writeLogicChain(writer: TraceWriter, argument: Argument): void {
  const { frame, book, view, cited, conclusion, precedents, decision, level } = argument;
  if (cited.clause) {
    writer.say(`${name(book, cited.clause)} says \\"${quote(cited.clause)}\\".`);
    writer.say(` The content ${harmless(finding(book, view, cited, conclusion), LONGEST_FINDING)}.`);
  } else if (cited.precedent >= 0) {
    const precedent = frame.precedents[cited.precedent]!;
    writer.say(
      jsonText(`Precedent ${precedent.id} was decided "${precedent.decision}". The content is similar to it.`),
    );
  } else writer.say("There is no rule to consider.");
  if (view.unread > 0) writer.say(` ${view.unread} characters of the content were not read.`);
  const excuse = cited.evidence?.excuse;
  if (conclusion === "broken" && excuse?.clause && excuse.strength > LEAST_EXCUSE && excuse.clause !== cited.clause) {
    writer.say(` The same rule also says \\"${quote(excuse.clause)}\\".`);
  }
  if (Math.abs(precedents) >= LEAST_PRECEDENTS) {
    const action = precedents > 0 ? frame.actions.positive : frame.actions.negative;
    writer.say(jsonText(` Precedents with the decision "${action}" resemble the content more than the others.`));
  }
  if (cited.clause || cited.precedent >= 0) writer.add(CONCLUSIONS[conclusion]);
  writer.say(jsonText(` So the decision "${decision}"${LEVELS[level]}`));
}

function name(book: RuleBook, { rule: place }: Clause): string {
  const { rule } = book.rules[place]!;
  return jsonText(`${rule.scope === "platform" ? "Platform" : "Community"} rule ${rule.id}`);
}

function quote({ text }: Clause): string {
  return jsonText(shortened(text, LONGEST_QUOTED).replaceAll('"', "'"));
}

/** What of the content meets the cited clause, as the end of a sentence that begins with "The content". */
function finding(book: RuleBook, view: ContentView, { evidence, clause }: Candidate, conclusion: Conclusion): string {
  const found = conclusion === "kept" ? evidence!.excuse : evidence!.breach;
  if (found.check && found.clause === clause) return found.check.tell(view);
  const words = sharedWords(book, view, clause!);
  if (words.length === 0)
    return conclusion === "broken"
      ? "has no word of it, but resembles what it covers"
      : "has nothing that it speaks of";
  return `shares ${words.length === 1 ? "the word" : "the words"} ${words.map((word) => `'${word}'`).join(", ")} with it`;
}

/** The weightiest stems of the content that a clause also has. */
function sharedWords({ byWord }: RuleBook, { words }: ContentView, { index }: Clause): string[] {
  const shared: { word: string; weight: number }[] = [];
  for (const word of words.keys()) {
    const entry = byWord.get(word)?.find(({ clause }) => clause === index);
    if (entry) shared.push({ word: word.replace(/^#/, "").replaceAll("_", " "), weight: entry.weight });
  }
  shared.sort((a, b) => b.weight - a.weight);
  return shared.slice(0, MOST_WORDS).map(({ word }) => word);
}
