import { type PlacedRule, partsOf, type RulePart } from "./finding.js";
import { sentences, topicStems } from "./sentences.js";

/** What a sentence of a rule does to something: forbid it or allow it. */
export interface Clause {
  forbids: boolean;
  /** Holds under a condition: it is about something narrower than its words. */
  conditional: boolean;
  part: RulePart;
  text: string;
  /** What it is about. */
  topic: Set<string>;
}

const FORBIDS_FIRST = /^(?:no|do not|don['’]t|never|avoid|please (?:do not|don['’]t))\s+(?<what>.+)$/iu;
const FORBIDS_LAST =
  /^(?<what>.+?)\s+(?:is|are|will be|gets?|may)\s+(?:always |strictly |also )?(?:not (?:be )?(?:allowed|permitted|welcome|accepted|posted|shared)|never (?:allowed|permitted|welcome)|forbidden|prohibited|banned|removed|deleted)\b/iu;
const ALLOWS_FIRST =
  /^(?:allowed|permitted|welcome|you may|you can|you are free to|feel free to|members may|posts may|comments may)(?: is| are)?(?:\s*:)?\s+(?<what>(?!not\b).+)$/iu;
const ALLOWS_LAST =
  /^(?<what>.+?)\s+(?:is|are)\s+(?:always |also |all )?(?:allowed|permitted|welcome|fine|encouraged|accepted|ok|okay)\b/iu;

export const CONDITIONAL =
  /\b(?:if|when|unless|except|only|provided|as long as|until|where|while|without|after|before|outside|instead|but|however|other than|more than|fewer than|less than|at least|at most|up to)\b/iu;

/** The sentences of a rule that forbid or allow something. */
export function clausesOf(placed: PlacedRule): Clause[] {
  return partsOf(placed.rule).flatMap(({ part, text }) =>
    sentences(text).flatMap((sentence) => {
      const forbidden = FORBIDS_FIRST.exec(sentence) ?? FORBIDS_LAST.exec(sentence);
      const allowed = forbidden ? null : (ALLOWS_FIRST.exec(sentence) ?? ALLOWS_LAST.exec(sentence));
      const what = (forbidden ?? allowed)?.groups?.what;
      if (!what) return [];
      const topic = topicStems(what);
      const conditional = CONDITIONAL.test(sentence);
      return topic.size === 0 ? [] : [{ forbids: forbidden !== null, conditional, part, text: sentence, topic }];
    }),
  );
}

/** Clauses without a condition: only these can be held against each other word for word. */
export function outright(clauses: readonly Clause[]): Clause[] {
  return clauses.filter(({ conditional }) => !conditional);
}
