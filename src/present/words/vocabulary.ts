import type { Report } from "../../core/results/report.js";
import type { ReportPage } from "../../measures/report-page.js";
import { isWide, visibleString, wellFormed } from "../../text/printable.js";

const LETTERS = "nearotisuldcm";

/** Letters that say nothing, in the shape of a text: words and lines are as long, so that a page does not move when the text is revealed. */
export function standIn(text: string): string {
  let place = 0;
  return wellFormed(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\S/gu, (character) => {
      if (/[\p{M}\p{Cf}\p{Cc}]/u.test(character)) return "";
      place += 1;
      if (isWide(character)) return "口";
      return LETTERS[(place * 7) % LETTERS.length]!;
    });
}

/** Whether a report is about one cohort. Calibration, active gate and experiments are about whole runs: it lacks them, whatever the workspace has. */
export function isOfCohort({ run }: Pick<Report, "run">): boolean {
  return run.cohort !== undefined;
}

/** The day (UTC) whose audits a run of the live service has; null: another run. */
export function liveDay({ selection }: Report["run"]): string | null {
  return typeof selection?.live === "string" ? selection.live : null;
}

/** Why such a report lacks something, so that what exists is not made again. */
export function leftOutText(what: string): string {
  return `${what} left out in a report on one cohort, since they are about whole runs; a report without --cohort shows what there is.`;
}

type TimeUnit = NonNullable<ReportPage["timeline"]>["unit"];

/**
 * A stretch of time by the day it begins with, as short as it can be told apart.
 * @example periodName("quarter", "2025-04-01") // => "2025 Q2"
 */
export function periodName(unit: TimeUnit, start: string): string {
  const [year = start, month = ""] = start.split("-");
  if (unit === "year") return year;
  if (unit === "month") return `${year}-${month}`;
  return unit === "quarter" ? `${year} Q${Math.ceil(Number(month) / 3)}` : start;
}

/** A closed vocabulary's word for people: a short name for tables, and a sentence for whoever meets it first. */
export interface Words {
  name: string;
  meaning: string;
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A table of `data/words.json`, whose lines are `name: meaning`. */
export function wordTable<Key extends string>(lines: Readonly<Record<Key, string>>): Readonly<Record<Key, Words>> {
  const words = Object.entries<string>(lines).map(([key, line]) => {
    const end = line.indexOf(": ");
    return [key, { name: line.slice(0, end), meaning: line.slice(end + 2) }];
  });
  return Object.fromEntries(words);
}

/** The words of a name, also of one that a file of another tool may hold. */
export function wordsOf<Key extends string | number>(table: Readonly<Record<Key, Words>>, key: string | number): Words {
  if (Object.hasOwn(table, key)) return table[key as Key];
  return { name: plain(String(key), 60), meaning: "" };
}

/** The same in a table of names alone. */
export function wordOr<Key extends string>(table: Readonly<Record<Key, string>>, name: string, maxLength = 40): string {
  return Object.hasOwn(table, name) ? table[name as Key] : plain(name, maxLength);
}

/** A name that no table has, made harmless: `made_up` -> "made up". */
function plain(name: string, maxLength: number): string {
  return nameText(name.replaceAll("_", " "), maxLength);
}

/**
 * A name that people gave, or a line that they wrote, as pages and figures show it: on one line, with what cannot be seen shown by its number
 * ("film[U+200B]club"), so that two names that differ look different and none looks like nothing, and cut where it is long.
 */
export function nameText(name: string, maxLength = 200): string {
  // Of a name of a million characters only the beginning is looked at.
  const beginning = name.slice(0, 4 * maxLength);
  const text = visibleString(beginning)
    .replace(/[\n\t]+/g, " ")
    .replace(/^ +| +$|^\s+$/g, numbered);
  if (text.length <= maxLength && beginning.length === name.length) return text;
  // Not in the middle of a character or of the number of one, nor of a word where one ends near.
  const cut = wellFormed(text.slice(0, Math.min(maxLength - 1, text.length)));
  const whole = cut.replace(/\ufffd$|\[(?:U(?:\+[0-9A-F]*)?)?$/, "");
  const wordEnd = whole.lastIndexOf(" ");
  return `${wordEnd > 0.7 * whole.length ? whole.slice(0, wordEnd) : whole}…`;
}

function numbered(spaces: string): string {
  return [...spaces].map((one) => `[U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`).join("");
}
