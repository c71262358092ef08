import { type Passage, passage } from "../trace-passages.js";
import { chargeClause } from "./citation-candidates.js";
import type { ContentView } from "./content-view.js";
import type { Evidence, RuleEvidence } from "./evidence.js";
import { harmless } from "./harmless.js";
import { lexemes } from "./lexemes.js";
import type { PreparedFrame } from "./prepare-frame.js";
import type { TraceWriter } from "./trace-writer.js";

const NO_RULES = passage("There is no rule to consider.");
const FOUND_NOTHING = passage(" No word and no property of the content meets it");
const FULL_STOP = passage(".");
const CONTENT = passage(" The content");
const STRENGTH = passage(" The case that a rule is broken has strength");
const OPEN_QUESTION = passage(" of 1, and the rules leave much of it open.");
const SETTLED_QUESTION = passage(" of 1.");
const PROCEDURE = passage(" The case that this rule asks for a third action has strength");
const CONCLUSIONS = {
  follows: passage(" So the decision follows."),
  open: passage(" So either decision can be argued."),
  fails: passage(" So the decision does not follow."),
};

/**
 * Two to five sentences: the rule that was considered, what of the content meets it, the case for and against, and what follows. Words of the
 * content appear only through `harmless`.
 */
export function writeLogicChain(
  writer: TraceWriter,
  prepared: PreparedFrame,
  view: ContentView,
  evidence: Evidence,
  conclusion: keyof typeof CONCLUSIONS,
): void {
  const subject = mostTelling(evidence);
  if (subject === null) writer.add(NO_RULES);
  else {
    const elsewhere = subject.procedure > Math.max(subject.charge, LEAST_PROCEDURE) && subject.procedureClause >= 0;
    const clause = elsewhere ? subject.procedureClause : chargeClause(prepared, subject);
    writer.add(prepared.sentences.consideration(clause));
    writeFindings(writer, whatMeets(prepared, view, subject, clause), view.unread);
    writer.add(elsewhere ? PROCEDURE : STRENGTH);
    writer.add(strength(elsewhere ? subject.procedure : subject.net));
    writer.add(prepared.openness > 0.5 ? OPEN_QUESTION : SETTLED_QUESTION);
    writeObjection(writer, prepared, view, subject);
  }
  writer.add(CONCLUSIONS[conclusion]);
}

function writeFindings(writer: TraceWriter, found: string | null, unread: number): void {
  if (found === null) writer.add(FOUND_NOTHING);
  else {
    writer.add(CONTENT);
    writer.say(` ${harmless(found, LONGEST_FINDING)}`);
  }
  if (unread > 0) writer.say(`; ${unread} characters of it were not read.`);
  else writer.add(FULL_STOP);
}

const STRENGTHS = new Map<string, Passage>();

/** A strength with two digits: there are not many. */
function strength(value: number): Passage {
  const digits = value.toFixed(2);
  const known = STRENGTHS.get(digits) ?? passage(` ${digits}`);
  STRENGTHS.set(digits, known);
  return known;
}

const LONGEST_FINDING = 160;
/** An objection below this strength is not worth a sentence. */
const LEAST_OBJECTION = 0.15;

function writeObjection(writer: TraceWriter, prepared: PreparedFrame, view: ContentView, e: RuleEvidence): void {
  if (e.exemption > LEAST_OBJECTION && e.exemptionClause >= 0) {
    writer.add(prepared.sentences.objection(e.exemptionClause));
    writer.say(` (strength ${e.exemption.toFixed(2)}).`);
  } else if (e.metCheck !== null && e.met > LEAST_OBJECTION) {
    writer.say(` On the other side the content ${harmless(e.metCheck.tell(view), LONGEST_FINDING)}.`);
  }
}

/** Below this a procedure is no more than a few shared words. */
const LEAST_PROCEDURE = 0.35;

/** The rule with the strongest charge or procedure; the most relevant where neither says anything. */
function mostTelling(evidence: Evidence): RuleEvidence | null {
  const { rules, topCharge, topProcedure } = evidence;
  if (topCharge < 0) return null;
  const charge = rules[topCharge]!;
  const procedure = rules[topProcedure]!;
  if (procedure.procedure > Math.max(charge.charge, LEAST_PROCEDURE)) return procedure;
  if (charge.charge > 0) return charge;
  return rules.reduce((best, rule) => (rule.relevance > best.relevance ? rule : best));
}

/** What of the content meets the clause, as the end of a sentence that begins "The content". */
function whatMeets(prepared: PreparedFrame, view: ContentView, e: RuleEvidence, clause: number): string | null {
  if (e.breachCheck !== null && e.breachClause === clause) return e.breachCheck.tell(view);
  const words = sharedWords(
    prepared,
    view,
    prepared.rules[e.rule]!.clauses[0]!.index,
    prepared.rules[e.rule]!.clauses.length,
  );
  return words.length === 0 ? null : `says ${words.map((word) => `'${word}'`).join(", ")}`;
}

const MOST_WORDS = 3;

/** The weightiest words of the content that a rule also has, or has under another name. Its clauses stand in a row. */
function sharedWords({ scores }: PreparedFrame, { words }: ContentView, first: number, count: number): string[] {
  const found: { lexeme: number; weight: number }[] = [];
  for (let i = 0; i < words.count && i < 400; i++) {
    const id = words.ids[i]!;
    if (id < 0) continue;
    const lexeme = words.lexemes[i]!;
    const weight = scores.sharedWeight(id, first, count);
    if (weight > 0.2 && !found.some((other) => other.lexeme === lexeme)) found.push({ lexeme, weight });
  }
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_WORDS)
    .map(({ lexeme }) => lexemes.text(lexeme));
}
