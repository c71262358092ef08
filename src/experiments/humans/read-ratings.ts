import type { AuditTable } from "../../analysis/audit-table.js";
import { type AuditedCase, auditedCases } from "../../analysis/labels/judgements.js";
import type { Label } from "../../core/records/label.js";
import type { Ratings } from "../../stats/ranks/raters.js";
import { foreignRows } from "../../store/formats/foreign-rows.js";
import { Fault } from "../../store/formats/parse-json.js";
import { RECORD_KINDS } from "../../store/records/record-kinds.js";
import type { RatingKey } from "./result.js";
import { contentMark } from "./sheet.js";

/** Spellings that name the same rater: `Ana`, ` ana` and `ANA`. */
function raterKey(name: string): string {
  return name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** Maps each rater to their first spelling: two spellings would count as two people, who agree with themselves. */
export class RaterNames {
  private readonly first = new Map<string, string>();

  constructor(known: Iterable<string> = []) {
    for (const name of known) this.spelling(name);
  }

  spelling(name: string): string {
    const key = raterKey(name);
    const known = this.first.get(key);
    if (known !== undefined) return known;
    const plain = name.replace(/\s+/gu, " ").trim();
    this.first.set(key, plain);
    return plain;
  }
}

/** Cases with both a verdict and ratings, and their ratings as two tables. */
export interface RatedCases {
  audits: AuditedCase[];
  raters: string[];
  /** How defensible: 1 robustly, 0.5 plausibly, 0 not. */
  defensibility: Ratings;
  /** 1: the opposite can be derived too. */
  inverse: Ratings;
  ratings: number;
  withoutVerdict: number;
  anonymous: number;
}

/** How defensible a level is, from 0 to 1: ratings are averaged, and levels are ordered by severity. */
export function levelScore(level: number): number {
  return (3 - level) / 2;
}

/** Joins ratings with the verdicts of a run. Labels without a rater are left out: counted as one rater, they would distort the result. */
export async function joinRatings(table: AuditTable, labels: readonly Label[]): Promise<RatedCases> {
  const named = labels.filter(({ rater }) => rater?.trim());
  const names = new RaterNames();
  const nameOf = ({ rater }: Label) => names.spelling(rater!);
  const ids = [...new Set(named.map(({ decision_id }) => decision_id))].sort();
  const audits = ids.length === 0 ? [] : await auditedCases(table, ids);
  const places = new Map(audits.map(({ decision_id }, i) => [decision_id, i]));
  const used = named.filter(({ decision_id }) => places.has(decision_id));
  const raters = [...new Set(used.map(nameOf))].sort();
  const columns = new Map(raters.map((rater, i) => [rater, i]));
  const empty = (): Ratings => ({
    cases: audits.length,
    raters: raters.length,
    values: new Float64Array(audits.length * raters.length).fill(Number.NaN),
  });
  const result = { defensibility: empty(), inverse: empty() };
  let ratings = 0;
  for (const label of used) {
    const { decision_id, level, inverse } = label;
    const cell = places.get(decision_id)! * raters.length + columns.get(nameOf(label))!;
    // A person may have rated a case twice, under two spellings or on two sheets; as everywhere, the last rating counts.
    if (Number.isNaN(result.defensibility.values[cell])) ratings++;
    result.defensibility.values[cell] = levelScore(level);
    result.inverse.values[cell] = typeof inverse === "boolean" ? Number(inverse) : Number.NaN;
  }
  return {
    audits,
    raters,
    ...result,
    ratings,
    withoutVerdict: ids.length - audits.length,
    anonymous: labels.length - named.length,
  };
}

/** The keys that ratings may refer to; each is read when a row asks for it. */
export class RatingKeys {
  private readonly known = new Map<string, RatingKey>();

  /** @param ids ids of the sheets */
  constructor(
    private readonly ids: readonly string[],
    private readonly read: (sheetId: string) => Promise<RatingKey>,
  ) {}

  static of(...keys: readonly RatingKey[]): RatingKeys {
    const byId = new Map(keys.map((key) => [key.sheet_id, key]));
    return new RatingKeys([...byId.keys()], async (id) => byId.get(id)!);
  }

  /** The key of a row, or why it has no key. A row without a sheet id belongs to the only sheet; with several sheets it is ambiguous. */
  async find(sheetId: string): Promise<RatingKey | string> {
    const { ids } = this;
    if (sheetId === "") {
      if (ids.length === 1) return this.load(ids[0]!);
      return `has no sheet_id, and could be of any of ${ids.length} sheets; name it with --sheet (${ids.join(", ")})`;
    }
    if (ids.includes(sheetId)) return this.load(sheetId);
    return `is of sheet ${sheetId}, and the key is of sheet ${ids.join(", ")}`;
  }

  private async load(id: string): Promise<RatingKey> {
    const key = this.known.get(id) ?? (await this.read(id));
    this.known.set(id, key);
    return key;
  }
}

export interface ReadRatings {
  labels: (Label & { sheet_id: string; comment?: string })[];
  /** Rows without a level: cases that the rater skipped. */
  empty: number;
  faults: { file: string; line: number; reason: string }[];
}

interface RatingOptions {
  /** The rater of rows that name none. */
  rater?: string;
  /** Earlier spellings of raters. */
  names?: RaterNames;
}

/**
 * Reads ratings as raters sent them back (the form's file or the filled-in sheet), and maps cases back to decisions. Each row is matched
 * with its own sheet.
 */
export async function readRatings(
  files: readonly string[],
  keys: RatingKeys,
  { rater = "", names = new RaterNames() }: RatingOptions = {},
): Promise<ReadRatings> {
  const casesOf = new Map<RatingKey, Map<string, RatingKey["cases"][number]>>();
  const result: ReadRatings = { labels: [], empty: 0, faults: [] };
  for (const file of files) {
    for await (const { rows } of foreignRows(file, { fields: RECORD_KINDS.labels.fields, rename: new Map() })) {
      for (const { line, value } of rows) {
        const fault = value instanceof Fault ? value.reason : await take(value);
        if (fault !== null) result.faults.push({ file, line, reason: fault });
      }
    }
  }
  return result;

  async function take(row: Record<string, unknown>): Promise<string | null> {
    const text = (name: string) => textOf(row[name]);
    const name = text("case");
    if (name === "") return "has no case; expected the column `case` of the sheet";
    const key = await keys.find(text("sheet_id"));
    if (typeof key === "string") return key;
    const one = caseOf(key, name);
    if (!one) return `case ${name}: the key has none of that name`;
    const other = otherDecision(row, one);
    if (other !== null) return other;
    if (text("level") === "" && text("inverse") === "") {
      result.empty++;
      return null;
    }
    const level = /^(?:L|level )?([123])(?:[.,]0+)?$/i.exec(text("level"))?.[1];
    if (!level) return `level: got "${text("level")}", expected 1, 2 or 3`;
    const inverse = readInverse(text("inverse"));
    if (inverse === undefined) return `inverse: got "${text("inverse")}", expected Yes or No`;
    if (typeof (row.rater ?? "") !== "string") return `rater: got ${JSON.stringify(row.rater)}, expected text`;
    const who = names.spelling(text("rater") || rater);
    if (who === "") return "rater: is empty; name the rater in the sheet, or with --rater";
    result.labels.push({
      decision_id: one.decision_id,
      level: Number(level) as Label["level"],
      inverse,
      rater: who,
      source: "human",
      ...(text("rated_at") ? { rated_at: text("rated_at") } : {}),
      ...designOf(key, one),
      sheet_id: key.sheet_id,
      ...(text("comment") ? { comment: text("comment") } : {}),
    });
    return null;
  }

  function caseOf(key: RatingKey, name: string): RatingKey["cases"][number] | undefined {
    let cases = casesOf.get(key);
    if (!cases) {
      cases = new Map(key.cases.map((one) => [one.case.toLowerCase(), one]));
      casesOf.set(key, cases);
    }
    return cases.get(name.toLowerCase());
  }
}

/** How the case was drawn, as recorded in its label. Keys from before `--random` are of sheets. */
export function designOf(
  { drawn = "sheet", run_id }: RatingKey,
  { stratum, weight }: RatingKey["cases"][number],
): Pick<Label, "drawn" | "inclusion" | "stratum" | "frame"> {
  return {
    drawn,
    inclusion: Math.min(1, 1 / weight),
    ...(drawn === "sheet" ? { stratum } : {}),
    frame: run_id,
  };
}

/** A cell as text: values that look like JSON have been parsed. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).trim();
}

/** Case names repeat across sheets: a row that shows another decision than the key's case is of another sheet. */
function otherDecision(row: Record<string, unknown>, one: RatingKey["cases"][number]): string | null {
  const decision = textOf(row.decision);
  const content = textOf(row.content);
  const remedy = "is the file of another sheet or workspace?";
  if (decision !== "" && one.decision !== undefined && decision.toLowerCase() !== one.decision.toLowerCase())
    return `case ${one.case}: the row says ${decision}, the key's decision is ${one.decision}; ${remedy}`;
  if (content !== "" && one.content_mark !== undefined && contentMark(content) !== one.content_mark)
    return `case ${one.case}: the row's content is not that of the key's decision; ${remedy}`;
  return null;
}

function readInverse(text: string): boolean | null | undefined {
  if (text === "") return null;
  if (/^(?:yes|y|true|1)$/i.test(text)) return true;
  return /^(?:no|n|false|0)$/i.test(text) ? false : undefined;
}
