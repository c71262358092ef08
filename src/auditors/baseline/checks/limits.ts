import { parseNumber, unitOf } from "../numbers.js";

/** A bound that a clause sets on a number: `value` is the last that is inside for min and max. */
export interface Limit {
  sense: "min" | "max" | "above" | "below";
  value: number;
  unit: string;
}

const NUMBER = String.raw`(?:[€$£] ?)?(?:\d[\d.,]*\d|\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|hundred|cinco|diez|veinte|treinta|cincuenta|cien)`;
const SENSE = `at least|at most|up to|no more than|not more than|more than|fewer than|less than|exactly|a minimum of|a maximum of|minimum|maximum|over|above|below|under|within|al menos|como m[ií]nimo|como m[aá]ximo|hasta|m[aá]s de|menos de`;
const BEFORE = new RegExp(
  String.raw`\b(${SENSE}) (${NUMBER})(?: and at most (${NUMBER}))? ?((?:%|€|\$|£|[\p{L}-]+)(?: [\p{L}-]+)?)?`,
  "gu",
);
const AFTER = new RegExp(
  String.raw`(?<![\p{L}\d])(${NUMBER}) ((?:[\p{L}%€-]+ )?)(or more|or less|or fewer|or earlier|or older|or later|or above|o m[aá]s|o menos)\b(?: ([\p{L}-]+))?`,
  "gu",
);

/** The numeric bounds a clause sets: "at least 80 words", "up to 40 euros", "five or more films", "1980 or earlier". */
export function findLimits(clause: string): Limit[] {
  const limits: Limit[] = [];
  for (const match of clause.matchAll(BEFORE)) {
    const unit = unitIn(match[2]!, match[4] ?? "", clause, match.index! + match[0].length);
    add(limits, senseOf(match[1]!), match[2]!, unit);
    if (match[3]) add(limits, "max", match[3], unit);
  }
  for (const match of clause.matchAll(AFTER)) {
    const unit = unitIn(match[1]!, `${match[2] ?? ""} ${match[4] ?? ""}`, clause, match.index! + match[0].length);
    add(limits, /more|later|above|más|mas/.test(match[3]!) ? "min" : "max", match[1]!, unit);
  }
  return limits;
}

function add(limits: Limit[], sense: Limit["sense"], digits: string, unit: string | null): void {
  const value = parseNumber(digits.replace(/[€$£] ?/, ""));
  if (value !== null && unit !== null) limits.push({ sense, value, unit });
}

function senseOf(words: string): Limit["sense"] {
  if (/^(?:at least|a minimum|minimum|al menos|como m[ií]nimo)/.test(words)) return "min";
  if (/^(?:more than|over|above|m[aá]s de)/.test(words)) return "above";
  if (/^(?:fewer|less|below|under|menos de)/.test(words)) return "below";
  return "max";
}

function unitIn(digits: string, after: string, clause: string, from: number): string | null {
  if (/[€$£]/.test(digits)) return "money";
  const value = parseNumber(digits);
  for (const word of after.split(" ")) {
    const unit = word === "" ? null : unitOf(word);
    if (unit !== null) return unit;
    if (word === "question" || word === "exclamation")
      return /mark/.test(clause.slice(from - 12, from + 12)) ? "question_mark" : "question";
    if (word === "questions") return "question";
    if (word === "capitals" || word === "capital") return "capital_word";
  }
  if (value !== null && value >= 1800 && value <= 2100) return "calendar_year";
  // "a list of five or more films": in a clause about lists, any other noun is something that is listed.
  return /\b(?:lists?|enumerat\w+|rank\w*|options)\b/.test(clause) && /\p{L}{3,}s\b/u.test(after) ? "item" : null;
}

/** Whether a value lies inside the bound. */
export function satisfies(limit: Limit, value: number): boolean {
  if (limit.sense === "min") return value >= limit.value;
  if (limit.sense === "max") return value <= limit.value;
  return limit.sense === "above" ? value > limit.value : value < limit.value;
}

/** Certainty that a count is on its side of the bound: our count and a moderator's may differ by a word or two. */
export function certainty(limit: Limit, value: number, slack: number): number {
  return Math.abs(value - limit.value) <= slack ? 0.6 : 1;
}
