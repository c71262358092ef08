import type { ContentView } from "./content-view.js";
import { PROPERTY_CONCEPTS } from "./lexicon.js";
import type { PreparedFrame } from "./prepare-frame.js";
import { NEGATED, QUOTED } from "./scan-words.js";
import type { Postings } from "./term-index.js";

/** Buffers of one frame, cleared and used again for each piece of content. */
export class WordScores {
  /** By clause: weight of the words it shares with the content; and whether one of its quoted examples stands there (0 … 1). */
  readonly clauses: Float64Array;
  readonly quotes: Float64Array;
  readonly conditions: Float64Array;
  /** By rule: weight of the words that say whom it concerns. */
  readonly subjects: Float64Array;
  private readonly words: Float64Array;
  private readonly concepts: Float64Array;
  private readonly touched: number[] = [];
  /** Concepts that the content shows by its form. */
  private shown: readonly number[] = [];
  private readonly weakConcepts: Uint8Array;
  private readonly conceptNumbers: ReadonlyMap<string, number>;

  constructor(private readonly frame: Omit<PreparedFrame, "scores" | "citations" | "sentences">) {
    this.clauses = new Float64Array(frame.clauseCount);
    this.quotes = new Float64Array(frame.clauseCount);
    this.conditions = new Float64Array(frame.clauseCount);
    this.subjects = new Float64Array(frame.rules.length);
    const { concepts, size } = frame.vocabulary;
    this.words = new Float64Array(size);
    this.concepts = new Float64Array(concepts.length);
    this.weakConcepts = Uint8Array.from(concepts, (concept) => (PROPERTY_CONCEPTS.has(concept) ? 1 : 0));
    this.conceptNumbers = new Map(concepts.map((concept, index) => [concept, index]));
  }

  /** Fills the buffers for a piece of content. */
  fill(view: ContentView): void {
    this.clauses.fill(0);
    this.quotes.fill(0);
    this.conditions.fill(0);
    this.subjects.fill(0);
    this.concepts.fill(0);
    this.readWords(view);
    this.shown = shownProperties(view).map((property) => this.conceptNumbers.get(property)!);
    for (const concept of this.shown) this.raise(concept, 1);
    const { frame, words, concepts, touched } = this;
    for (const id of touched) {
      this.add(words[id]!, frame.clauses.words[id], frame.subjects.words[id], frame.conditions.words[id]);
      words[id] = 0;
    }
    touched.length = 0;
    for (let id = 0; id < concepts.length; id++) {
      const weight = concepts[id]!;
      if (weight > 0)
        this.add(weight, frame.clauses.concepts[id], frame.subjects.concepts[id], frame.conditions.concepts[id]);
    }
  }

  /** Whether the content shows by its form what a word stands for: a picture, a link, a question, a recipe. */
  isShown(word: number): boolean {
    return (
      this.shown.length > 0 && this.frame.vocabulary.conceptsOf(word).some((concept) => this.shown.includes(concept))
    );
  }

  private readWords({ words }: ContentView): void {
    const { vocabulary } = this.frame;
    for (let i = 0; i < words.count; i++) {
      const id = words.ids[i]!;
      if (id < 0) continue;
      const damping = DAMPING[words.flags[i]! & (NEGATED | QUOTED)]!;
      if (this.words[id] === 0) this.touched.push(id);
      if (damping > this.words[id]!) this.words[id] = damping;
      const concepts = vocabulary.conceptsOf(id);
      for (let k = 0; k < concepts.length; k++) {
        this.raise(concepts[k]!, this.weakConcepts[concepts[k]!] === 1 ? damping * MERE_WORD : damping);
      }
      const phrases = vocabulary.phrasesFrom(id);
      if (phrases !== undefined) {
        for (let k = 0; k < phrases.length; k++) {
          const phrase = phrases[k]!;
          if (!stands(phrase.ids, words.ids, i)) continue;
          if (phrase.concept >= 0) this.raise(phrase.concept, damping);
          else this.quote(phrase.clause, phrase.weight, damping);
        }
      }
    }
  }

  private raise(concept: number, to: number): void {
    if (to > this.concepts[concept]!) this.concepts[concept] = to;
  }

  private quote(clause: number, weight: number, damping: number): void {
    this.clauses[clause]! += weight * damping;
    if (damping > this.quotes[clause]!) this.quotes[clause] = damping;
  }

  private add(weight: number, clauses: Posting, subjects: Posting, conditions: Posting): void {
    addPosting(this.clauses, clauses, weight);
    addPosting(this.subjects, subjects, weight);
    addPosting(this.conditions, conditions, weight);
  }
}

type Posting = Postings[number];

/** By flags: plain, negated ("no link"), quoted, both. */
const DAMPING = [1, 0.4, 0.5, 0.2];
/** The word "link" is not a link. */
const MERE_WORD = 0.3;

function addPosting(scores: Float64Array, posting: Posting, weight: number): void {
  if (posting === undefined) return;
  for (let i = 0; i < posting.length; i += 2) scores[posting[i]!]! += posting[i + 1]! * weight;
}

function stands(phrase: readonly number[], ids: readonly number[], at: number): boolean {
  for (let i = 1; i < phrase.length; i++) if (ids[at + i] !== phrase[i]) return false;
  return true;
}

/** "We walked …": somebody tells what they did. */
const TOLD =
  /\b(?:we|i) (?:walked|hiked|went|started|climbed|did|took|visited|camped|set off|rode|ran|reached|descended)\b/i;
const COOKING_UNITS: ReadonlySet<string> = new Set(["gram", "millilitre", "spoon", "litre", "degree"]);
const PERCENT_OFF = /\d\s?% ?(?:off|discount|cheaper|reduction|de descuento)/i;
const SCORE = /\b\d{1,2}(?:[.,]\d)? ?(?:\/|out of) ?(?:10|5|100)\b|⭐/;

/** Concepts that the content shows by what it is, not by what it says. */
function shownProperties(view: ContentView): readonly string[] {
  const shown: string[] = [];
  if (view.links.count > view.links.images) shown.push("link");
  if (view.hasMedia) shown.push("media");
  if (view.title.questionMarks + view.body.questionMarks > 0) shown.push("question");
  if (view.contacts.phone !== null) shown.push("phone");
  if (view.contacts.email !== null) shown.push("email");
  if (view.contacts.address !== null) shown.push("address");
  if (view.title.capitalsRun > 2 || view.body.capitalsRun > 3) shown.push("shouting");
  if (view.body.listItems >= 3) shown.push("list");
  let measures = 0;
  for (const { unit, value } of view.amounts) {
    if (unit !== null && COOKING_UNITS.has(unit)) measures++;
    if (unit === "money") shown.push("money");
    else if (unit === "percent" || (unit === null && value >= 1000 && !(value >= 1850 && value <= 2100)))
      shown.push("figure");
  }
  if (measures >= 2) shown.push("recipe");
  if (TOLD.test(view.text)) shown.push("report");
  if (view.text.includes("%") && PERCENT_OFF.test(view.text)) shown.push("discount");
  if ((view.amounts.length > 0 || view.body.emoji > 0) && SCORE.test(view.text)) shown.push("score");
  return shown;
}
