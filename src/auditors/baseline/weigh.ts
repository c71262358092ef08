import type { Bearing, Clause } from "./clause.js";
import type { ContentView } from "./content-view.js";
import { clearEvidence, type Evidence, type RuleEvidence } from "./evidence.js";
import type { MainSubject, PreparedFrame } from "./prepare-frame.js";
import type { RuleReading } from "./read-rule.js";
import type { WordScores } from "./word-scores.js";

/** Weight of shared words at which half of the certainty they can give is reached. */
const HALF_CERTAIN = 1.6;
/** What a word-for-word example of an exception or a procedure gives. One of a prohibition counts as words: it may be quoted for its own sake. */
const QUOTED_PROCEDURE = 0.8;
const QUOTED_EXCEPTION = 0.55;
/** Words convince less than checked properties, exceptions in words less than exceptions by property. */
const WORD_CHARGE = 0.8;
const WORD_EXEMPTION = 0.7;
/** What moderators may do is no charge: a property that a clause of discretion names counts for less than half. */
const DISCRETION_AUTHORITY = 0.4;
const INDIRECT_AUTHORITY = 0.5;
/** Below this a post is hardly of the sort a demand concerns; above, certainty grows to 1 within {@link TRIGGER_RANGE}. */
const TRIGGER_START = 0.35;
const TRIGGER_RANGE = 0.45;
/** Certainty where the content shows all that a demand's subject names. */
const COVERED = 0.9;

/** Weighs a piece of content against every rule of the frame, and compares it with the precedents. Good until the next is weighed. */
export function weigh(prepared: PreparedFrame, view: ContentView): Evidence {
  const { scores, evidence: rules } = prepared;
  scores.fill(view);
  // Long texts share words with any rule by chance.
  const chance = 1 + 0.3 * Math.log(Math.max(1, view.words.count / 15));
  let topCharge = -1;
  let topNet = -1;
  let topProven = -1;
  let topProcedure = -1;
  for (let i = 0; i < rules.length; i++) {
    const evidence = rules[i]!;
    weighRule(evidence, prepared, prepared.rules[i]!, view, scores, chance);
    if (topCharge < 0 || evidence.charge > rules[topCharge]!.charge) topCharge = i;
    if (topNet < 0 || evidence.net > rules[topNet]!.net) topNet = i;
    if (topProven < 0 || evidence.proven > rules[topProven]!.proven) topProven = i;
    if (topProcedure < 0 || evidence.procedure > rules[topProcedure]!.procedure) topProcedure = i;
  }
  return {
    rules,
    conflict: conflictOf(rules),
    topCharge,
    topNet,
    topProven,
    topProcedure,
    similarities: prepared.precedents.compare(scores.distinct),
  };
}

/** How strongly a rule is broken by the very thing that another rule demands. */
function conflictOf(rules: readonly RuleEvidence[]): number {
  let most = 0;
  for (const broken of rules) {
    const property = broken.breachCheck?.property;
    if (property === undefined || broken.net <= most) continue;
    const demanded = rules.some(
      ({ met, metCheck, trigger: concerned }) => met > 0.2 && concerned > 0.4 && metCheck?.demands?.includes(property),
    );
    if (demanded) most = broken.net;
  }
  return most;
}

function certain(weight: number): number {
  return weight / (weight + HALF_CERTAIN);
}

function weighRule(
  e: RuleEvidence,
  prepared: PreparedFrame,
  reading: RuleReading,
  view: ContentView,
  scores: WordScores,
  chance: number,
): void {
  clearEvidence(e, reading.procedureClause);
  e.trigger = trigger(prepared, reading, e.rule, view, scores);
  if (reading.isProcedure) e.procedure = e.trigger;
  const concern = Math.min(1, Math.max(0, (e.trigger - TRIGGER_START) / TRIGGER_RANGE));
  const { clauses } = reading;
  const first = clauses[0]!.index;
  let total = 0;
  let best = 0;
  for (let i = 0; i < clauses.length; i++) {
    const score = scores.clauses[first + i]!;
    if (score > 0) {
      total += score;
      if (score > best) best = score;
      const quoted = scores.quotes[first + i]!;
      hearWords(e, reading, clauses[i]!, certain(score), chance);
      if (quoted > 0) hearQuote(e, clauses[i]!, quoted);
    }
    if ((prepared.needs[first + i]! & view.facts) !== 0) {
      bearing.clause = certain(score);
      bearing.rule = prepared.isConditional[first + i]
        ? Math.min(concern, 1.5 * certain(scores.conditions[first + i]!))
        : concern;
      runChecks(e, clauses[i]!, view);
    }
  }
  e.relevance = certain(best * 0.7 + total * 0.3);
  conclude(e, reading, view, chance);
}

/** Filled before each check. */
const bearing: Bearing = { clause: 0.5, rule: 0.5 };

function trigger(
  prepared: PreparedFrame,
  reading: RuleReading,
  rule: number,
  view: ContentView,
  scores: WordScores,
): number {
  const { conditionTags } = reading;
  if (conditionTags.some((tag) => view.tags.includes(tag) || view.contextTags.includes(tag))) return 1;
  const byWords = prepared.isUniversal[rule]
    ? 1
    : Math.max(certain(scores.subjects[rule]!), COVERED * coverage(prepared.mainSubjects[rule]!, scores));
  return conditionTags.length > 0 ? byWords * 0.4 : byWords;
}

/** Share of the words of a demand's subject that the content shows by its form: "a photo post" is a post with a photo. */
function coverage({ words, weights, total }: MainSubject, scores: WordScores): number {
  if (words.length === 0 || !scores.showsAny) return 0;
  let shown = 0;
  for (let i = 0; i < words.length; i++) if (scores.isShown(words[i]!)) shown += weights[i]!;
  return shown / total;
}

function hearWords(e: RuleEvidence, reading: RuleReading, clause: Clause, words: number, chance: number): void {
  if (clause.voice === "for") {
    e.wordsFor += words;
    const exemption = (WORD_EXEMPTION * words) / chance;
    if (exemption > e.exemption) {
      e.exemption = exemption;
      e.exemptionClause = clause.index;
    }
  } else if (clause.voice === "elsewhere") {
    if (!reading.isProcedure && words > e.procedure) {
      e.procedure = words;
      e.procedureClause = clause.index;
    }
  } else if (clause.voice === "demanding") e.wordsAgainst += words;
  else if (clause.voice === "against") {
    e.wordsAgainst += words;
    if (words > e.forbidden && !reading.isProcedure) {
      e.forbidden = words;
      e.forbiddenClause = clause.index;
    }
  }
}

function hearQuote(e: RuleEvidence, clause: Clause, quoted: number): void {
  if (clause.voice === "for") {
    if (quoted * QUOTED_EXCEPTION > e.exemption) {
      e.exemption = quoted * QUOTED_EXCEPTION;
      e.exemptionClause = clause.index;
    }
  } else if (clause.voice === "elsewhere") {
    e.procedure = Math.max(e.procedure, quoted * QUOTED_PROCEDURE);
    e.procedureClause = clause.index;
  }
}

function runChecks(e: RuleEvidence, clause: Clause, view: ContentView): void {
  const authority = clause.role === "discretion" || clause.role === "vague" ? DISCRETION_AUTHORITY : 1;
  for (const check of clause.checks) {
    if (check.needs !== undefined && (check.needs & view.facts) === 0) continue;
    const judged = check.judge(view, bearing) * authority;
    const isDoubtful = judged > 0 && check.indirect === true && clause.role !== "procedure";
    const value = isDoubtful ? judged * INDIRECT_AUTHORITY : judged;
    if (check.borderline !== undefined) e.borderline = Math.max(e.borderline, check.borderline(view));
    if (value === 0) continue;
    if (clause.role === "procedure") {
      if (value > e.procedure) {
        e.procedure = value;
        e.procedureClause = clause.index;
      }
    } else if (value > 0) {
      if (value > e.breach) {
        e.breach = value;
        e.breachClause = clause.index;
        e.breachCheck = check;
      }
    } else if (clause.role === "exemption") {
      if (-value > e.exemption) {
        e.exemption = -value;
        e.exemptionClause = clause.index;
      }
    } else if (-value > e.met) {
      e.met = -value;
      e.metClause = clause.index;
      e.metCheck = check;
    }
  }
}

function conclude(e: RuleEvidence, reading: RuleReading, view: ContentView, chance: number): void {
  const spared = sparedBy(reading, view);
  if (spared > 0) {
    e.breach *= 1 - spared;
    e.forbidden *= 1 - spared;
    e.procedure *= 1 - spared;
  }
  // As far as the rule leaves this content out, or makes an exception for it, meeting its words speaks for the content.
  const excepted = e.wordsAgainst * (1 - (1 - spared) * (1 - e.exemption));
  e.wordsAgainst -= excepted;
  e.wordsFor += excepted;
  e.charge = Math.max(e.breach, (WORD_CHARGE * e.forbidden) / chance);
  e.net = e.charge * (1 - e.exemption);
  e.proven = e.breach * (1 - e.exemption);
  e.procedure *= 1 - e.exemption;
}

/** Content of unknown kind may be a comment. */
const MAYBE_COMMENT = 0.3;

function sparedBy({ audience }: RuleReading, { kind }: ContentView): number {
  if (kind === "post") return audience.sparesPosts;
  return kind === "comment" ? audience.sparesComments : audience.sparesComments * MAYBE_COMMENT;
}
