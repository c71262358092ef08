import type { Check } from "./clause.js";
import type { ContentView } from "./content-view.js";
import type { PreparedFrame } from "./prepare-frame.js";
import { NEGATED, QUOTED } from "./scan-words.js";

/** What the content and one rule have to do with each other. All numbers 0 … 1. */
export interface RuleEvidence {
  rule: number;
  relevance: number;
  /** The content is of the sort the rule's demand or procedure concerns. */
  trigger: number;
  /** Words of the content meet what the rule forbids. */
  forbidden: number;
  /** A checked property breaks the rule. */
  breach: number;
  /** A checked property meets what the rule demands. */
  met: number;
  /** The content falls under an exception or permission: by its words, and by a checked property. */
  exemptWords: number;
  exempt: number;
  /** The content is what the rule sends elsewhere. */
  procedure: number;
  /** The rule leaves this kind of content (comment, post) out. */
  spared: number;
  breachCheck: { check: Check; clause: number } | null;
  metCheck: { check: Check; clause: number } | null;
  forbiddenClause: number;
  exemptClause: number;
  procedureClause: number;
}

export interface Evidence {
  rules: RuleEvidence[];
  clauseScores: Float64Array;
  similarities: Float64Array;
  hedges: number;
}

const SATURATION = 1.6;
const NEGATED_DAMPING = 0.4;
const QUOTED_DAMPING = 0.5;

export function weigh(prepared: PreparedFrame, view: ContentView): Evidence {
  const triggers = new Float64Array(prepared.rules.length);
  const clauseScores = scoreClauses(prepared, view, triggers);
  const rules = prepared.rules.map((_, index) => weighRule(prepared, view, clauseScores, triggers, index));
  return { rules, clauseScores, similarities: prepared.precedents.compare(view.words), hedges: countHedges(view) };
}

function saturate(score: number): number {
  return score / (score + SATURATION);
}

function weighRule(
  prepared: PreparedFrame,
  view: ContentView,
  scores: Float64Array,
  triggers: Float64Array,
  index: number,
): RuleEvidence {
  const reading = prepared.rules[index]!;
  const e: RuleEvidence = {
    rule: index,
    relevance: 0,
    trigger: 0,
    forbidden: 0,
    breach: 0,
    met: 0,
    exemptWords: 0,
    exempt: 0,
    procedure: 0,
    spared: 0,
    breachCheck: null,
    metCheck: null,
    forbiddenClause: -1,
    exemptClause: -1,
    procedureClause: -1,
  };
  let total = 0;
  let best = 0;
  for (const clause of reading.clauses) {
    const score = scores[clause.index]!;
    total += score;
    if (score > best) best = score;
  }
  e.relevance = saturate(best * 0.7 + total * 0.3);
  e.trigger = prepared.universal[index] ? 1 : saturate(triggers[index]!);
  if (reading.isProcedure) {
    e.procedure = e.trigger;
  }
  for (const clause of reading.clauses) {
    const words = saturate(scores[clause.index]!);
    const bearing = { clause: words, rule: Math.min(1, Math.max(0, (e.trigger - 0.3) / 0.5)) };
    switch (clause.role) {
      case "prohibition":
      case "insufficient":
      case "definition":
        if (words > e.forbidden && !reading.isProcedure) {
          e.forbidden = words;
          e.forbiddenClause = clause.index;
        }
        break;
      case "exemption":
        if (words > e.exemptWords) {
          e.exemptWords = words;
          e.exemptClause = clause.index;
        }
        break;
      case "procedure":
        if (e.procedureClause < 0) e.procedureClause = clause.index;
        break;
    }
    for (const check of clause.checks) {
      const value = check.judge(view, bearing);
      if (value === 0) continue;
      if (clause.role === "procedure") {
        if (value > e.procedure) {
          e.procedure = value;
          e.procedureClause = clause.index;
        }
      } else if (value > e.breach) {
        e.breach = value;
        e.breachCheck = { check, clause: clause.index };
      } else if (value < 0 && clause.role === "exemption" && -value > e.exempt) {
        e.exempt = -value;
        e.exemptClause = clause.index;
      } else if (value < 0 && -value > e.met) {
        e.met = -value;
        e.metCheck = { check, clause: clause.index };
      }
    }
  }
  const spared = view.kind === "comment" ? reading.sparesComments : view.kind === "post" ? reading.sparesPosts : 0;
  if (spared > 0) {
    e.spared = spared;
    e.breach *= 1 - spared;
    e.forbidden *= 1 - spared;
    e.procedure *= 1 - spared;
  }
  return e;
}

function scoreClauses(prepared: PreparedFrame, view: ContentView, triggers: Float64Array): Float64Array {
  const { wordPostings, conceptPostings, vocabulary } = prepared;
  const scores = new Float64Array(prepared.clauseCount);
  const { words } = view;
  const wordWeight = new Map<number, number>();
  const conceptWeight = new Map<number, number>();
  const raise = (concept: number, to: number): void => {
    if (to > (conceptWeight.get(concept) ?? 0)) conceptWeight.set(concept, to);
  };
  for (let i = 0; i < words.count; i++) {
    const id = words.ids[i]!;
    if (id < 0) continue;
    const flags = words.flags[i]!;
    const damping = (flags & NEGATED ? NEGATED_DAMPING : 1) * (flags & QUOTED ? QUOTED_DAMPING : 1);
    if (damping > (wordWeight.get(id) ?? 0)) wordWeight.set(id, damping);
    for (const concept of vocabulary.conceptsOf(id))
      raise(concept, damping * (PROPERTY.has(vocabulary.concepts[concept]!) ? 0.3 : 1));
    const phrases = vocabulary.phrases.get(id);
    if (phrases)
      for (const phrase of phrases) {
        let k = 1;
        while (k < phrase.ids.length && words.ids[i + k] === phrase.ids[k]) k++;
        if (k < phrase.ids.length) continue;
        if (phrase.concept >= 0) raise(phrase.concept, damping);
        else scores[phrase.clause]! += phrase.weight * damping;
      }
  }
  for (const name of shownProperties(view)) raise(vocabulary.concepts.indexOf(name), 1);
  for (const [id, damping] of wordWeight) {
    add(scores, wordPostings[id], damping);
    add(triggers, prepared.subjectWords[id], damping);
  }
  for (const [id, damping] of conceptWeight) {
    add(scores, conceptPostings[id], damping);
    add(triggers, prepared.subjectConcepts[id], damping);
  }
  return scores;
}
const PROPERTY = new Set(["link", "phone", "email", "address", "shouting", "media", "question"]);

function add(scores: Float64Array, list: readonly number[] | undefined, damping: number): void {
  if (list) for (let i = 0; i < list.length; i += 2) scores[list[i]!]! += list[i + 1]! * damping;
}

function shownProperties(view: ContentView): string[] {
  const shown: string[] = [];
  if (view.links.count > view.links.images) shown.push("link");
  if (view.hasMedia) shown.push("media");
  if (view.title.questionMarks + view.body.questionMarks > 0) shown.push("question");
  if (view.contacts.phone) shown.push("phone");
  if (view.contacts.email) shown.push("email");
  if (view.contacts.address) shown.push("address");
  if (view.title.capitalsRun > 2 || view.body.capitalsRun > 3) shown.push("shouting");
  if (view.amounts.some((a) => a.unit === "money")) shown.push("money");
  if (
    view.amounts.some(
      (a) => a.unit === "percent" || (a.unit === null && a.value >= 1000 && !(a.value >= 1850 && a.value <= 2100)),
    )
  )
    shown.push("figure");
  if (view.body.listItems >= 3) shown.push("list");
  if (/\b\d{1,2}(?:[.,]\d)? ?(?:\/|out of) ?(?:10|5|100)\b|⭐/.test(view.text)) shown.push("score");
  return shown;
}

const HEDGES = new Set(
  "around about roughly maybe perhaps probably might nearly almost somewhat kind sort supposedly apparently whether unsure guess suppose possibly arguably quizás quizá tal casi".split(
    " ",
  ),
);
function countHedges(view: ContentView): number {
  let n = 0;
  for (const w of view.words.texts) if (HEDGES.has(w)) n++;
  return n;
}
