import { extname } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Decision } from "../../core/records/decision.js";
import { fileProblem } from "../../io/files.js";
import { fingerprint } from "../../io/limits.js";
import { readLines } from "../../io/read-lines.js";
import { columnPath } from "../formats/csv-table.js";
import { foreignRows } from "../formats/foreign-rows.js";
import { Fault } from "../formats/parse-json.js";
import { sniffFile } from "../formats/sniff-file.js";
import { lookUp } from "./fits.js";
import { RECORD_KINDS, type RecordObject } from "./record-kinds.js";

interface Ranked {
  id: string;
  high: number;
  low: number;
}

/**
 * The `size` ids with the smallest hash of (seed, id): a random sample without replacement that depends on the seed and on which
 * decisions there are, not on their order. Holds no more than twice `size` ids.
 */
export class HashSample {
  private ranked: Ranked[] = [];
  private seen = 0;

  constructor(
    private readonly seed: number,
    private readonly size: number,
  ) {}

  /** How many ids it was given. */
  get population(): number {
    return this.seen;
  }

  add(id: string): void {
    this.seen++;
    const [high, low] = fingerprint(`${this.seed}:${id}`);
    this.ranked.push({ id, high, low });
    if (this.ranked.length >= 2 * this.size + 1024) this.cut();
  }

  /** The chosen ids, smallest hash first. */
  ids(count = this.size): string[] {
    this.cut();
    return this.ranked.slice(0, count).map(({ id }) => id);
  }

  private cut(): void {
    this.ranked.sort((a, b) => a.high - b.high || a.low - b.low || (a.id < b.id ? -1 : 1));
    this.ranked.length = Math.min(this.ranked.length, this.size);
  }
}

/** Someone objected: the human label is another, or an appeal was filed. */
export function isContested(decision: Decision): boolean {
  const disagreed =
    decision.human_label !== null && decision.human_label !== undefined && decision.human_label !== decision.decision;
  return disagreed || (decision.appeal !== null && decision.appeal !== undefined);
}

interface Strata<T> {
  contested: { positive: T; negative: T };
  rest: { positive: T; negative: T };
}

/**
 * How many decisions a balanced cohort takes from each stratum. Half are contested ones (the odd one too), each half is split evenly
 * between the two actions (the odd one to the positive); what a stratum lacks comes from the other action of its half, and what
 * a half lacks from the other half.
 */
export function balancedCounts(available: Strata<number>, size: number): Strata<number> {
  const there = { contested: total(available.contested), rest: total(available.rest) };
  let contested = Math.min(Math.ceil(size / 2), there.contested);
  const rest = Math.min(size - contested, there.rest);
  contested = Math.min(size - rest, there.contested);
  return { contested: split(available.contested, contested), rest: split(available.rest, rest) };
}

function split(
  available: { positive: number; negative: number },
  size: number,
): { positive: number; negative: number } {
  let positive = Math.min(Math.ceil(size / 2), available.positive);
  const negative = Math.min(size - positive, available.negative);
  positive = Math.min(size - negative, available.positive);
  return { positive, negative };
}

function total(counts: { positive: number; negative: number }): number {
  return counts.positive + counts.negative;
}

/** The ids in a file: one a line, or the `id` or `decision_id` of each row of a JSONL, CSV or Parquet file. In order, each once. */
export async function readIds(path: string): Promise<string[]> {
  const sniffed = sniffFile(path);
  const plain = sniffed.format === "csv" && ![".csv", ".tsv"].includes(extname(path).toLowerCase());
  const ids = new Set<string>();
  if (plain || sniffed.format === "ruleset") {
    try {
      for await (const lines of readLines(path)) for (const line of lines) ids.add(line.text.trim());
    } catch (cause) {
      throw fileProblem(cause, path);
    }
    return [...ids];
  }
  const { fields } = RECORD_KINDS.decisions;
  for await (const batch of foreignRows(path, { fields, rename: new Map() }, sniffed)) {
    for (const { line, value } of batch.rows) {
      const id = value instanceof Fault ? undefined : (value.id ?? value.decision_id);
      if (typeof id === "string" || typeof id === "number") ids.add(String(id));
      else {
        const reason = value instanceof Fault ? value.reason : "has neither id nor decision_id";
        throw new InputError("bad_ids", `${path}, line ${line}: ${reason}`, "Give one id a line, or a column id.");
      }
    }
  }
  return [...ids];
}

/**
 * A condition on decisions: `field=value` or `field!=value`, dotted fields reach into parts (`content.language=es`), a list matches by
 * any of its items, `field=*` is "is there" and `field!=*` "is not". A decision without the field differs from every value.
 */
export function parseFilter(expression: string): (decision: Decision) => boolean {
  const match = /^\s*([^=!\s]+)\s*(!?=)(.*)$/s.exec(expression);
  if (!match) {
    throw new InputError(
      "bad_filter",
      `filter: got "${expression}", expected field=value or field!=value`,
      "For example: --filter content.language=es",
    );
  }
  const [, name, operator, right] = match as unknown as [string, string, "=" | "!=", string];
  const path = columnPath(name);
  refuseUnknown(name, path);
  const value = right.trim();
  const wanted = operator === "=";
  if (value === "*") return (decision) => isThere(lookUp(decision as RecordObject, path)) === wanted;
  return (decision) => matches(lookUp(decision as RecordObject, path), value) === wanted;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function matches(value: unknown, wanted: string): boolean {
  if (Array.isArray(value)) return value.some((item) => matches(item, wanted));
  return value !== undefined && value !== null && String(value) === wanted;
}

function refuseUnknown(name: string, path: readonly string[]): void {
  const { fields } = RECORD_KINDS.decisions;
  const field = fields.byName.get(path[0]!);
  if (!field) {
    throw new InputError(
      "unknown_field",
      `filter: decisions have no field "${path[0]}"`,
      `Fields: ${fields.list.map((each) => each.name).join(", ")}.`,
    );
  }
  if (path.length > 1 && !field.fields) {
    throw new InputError("unknown_field", `filter: "${name}": ${field.name} has no parts`, `Use ${field.name}=VALUE.`);
  }
}
