import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { extname } from "node:path";
import { isJson } from "../../core/text-checks.js";
import { FileProblem, fileProblem } from "../../io/files.js";
import { isHtml } from "../../text/guidelines/read-guidelines.js";
import { serviceOf } from "../../text/guidelines/services.js";
import { isObject } from "../records/fits.js";
import { sniffDelimiter } from "./csv-table.js";
import { MAX_BYTES } from "./yaml-text.js";

export type FileFormat =
  | { format: "parquet" | "jsonl" | "json-array" | "json-record" | "ruleset" }
  | { format: "csv"; delimiter: string };

const HEAD_BYTES = 1 << 16;

/** What a file holds: decided by its content first, and by its name only where the content leaves it open. */
export function sniffFile(path: string): FileFormat {
  const { size, head } = readHead(path);
  if (size === 0)
    throw new FileProblem("empty_file", `${path}: the file is empty`, "Check that it was written completely.");
  if (head.subarray(0, 4).toString("latin1") === "PAR1") return { format: "parquet" };
  refuseBinary(path, head);
  const text = head.toString("utf8").replace(/^\uFEFF/, "");
  const first = text.trimStart()[0];
  if (first === undefined && size <= HEAD_BYTES) {
    throw new FileProblem(
      "empty_file",
      `${path}: the file holds nothing but blank space`,
      "Check that it was written completely.",
    );
  }
  const extension = extname(path).toLowerCase();
  if (/^\.(?:ya?ml|md|markdown|mdown|x?html?)$/.test(extension)) return { format: "ruleset" };
  if (extension === ".csv" || extension === ".tsv") return { format: "csv", delimiter: sniffDelimiter(text) };
  if (extension === ".txt" && isBracketedPage(text, path) && isPage(text, path)) return { format: "ruleset" };
  if (first === "[") return { format: isRuleList(path, size, text) ? "ruleset" : "json-array" };
  if (first === "{") return { format: size > MAX_BYTES ? largeFormat(text) : objectFormat(path, extension) };
  if (extension === ".jsonl" || extension === ".ndjson" || extension === ".json") return { format: "jsonl" };
  if (/^(?:scope|version|community|rules)\s*:/m.test(text) || isPage(text, path)) return { format: "ruleset" };
  return { format: "csv", delimiter: sniffDelimiter(text) };
}

function readHead(path: string): { size: number; head: Buffer } {
  try {
    const stat = statSync(path);
    if (stat.isDirectory())
      throw new FileProblem("is_folder", `${path}: is a folder, not a file`, "Name the files in it.");
    const head = Buffer.alloc(Math.min(HEAD_BYTES, stat.size));
    const file = openSync(path, "r");
    try {
      return { size: stat.size, head: head.subarray(0, readSync(file, head, 0, head.length, 0)) };
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw fileProblem(cause, path);
  }
}

const MAGICS: [string, string, string][] = [
  ["\x1f\x8b", "is compressed (gzip)", "Unpack it first: gunzip FILE"],
  ["\x28\xb5\x2f\xfd", "is compressed (zstd)", "Unpack it first: unzstd FILE"],
  [
    "PK\x03\x04",
    "is a zip archive or an Excel workbook",
    "Unpack it, or save a sheet as CSV (UTF-8), a document as text or HTML.",
  ],
  ["\xff\xfe", "is UTF-16 text", "Save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW"],
  ["\xfe\xff", "is UTF-16 text", "Save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW"],
  ["%PDF", "is a PDF document", "Export data as CSV or JSONL, and rules as text or HTML."],
  ["SQLite format 3", "is an SQLite database", "Export the table as CSV or JSONL."],
];

function refuseBinary(path: string, head: Buffer): void {
  const start = head.subarray(0, 16).toString("latin1");
  for (const [magic, what, remedy] of MAGICS) {
    if (start.startsWith(magic)) throw new FileProblem("not_text", `${path}: ${what}`, remedy);
  }
  let nul = 0;
  let control = 0;
  for (const byte of head) {
    if (byte === 0) nul++;
    else if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) control++;
  }
  // A stray NUL in a post is someone's text. Many of them, or bytes that are no text either, are not.
  const share = (nul + control) / head.length;
  if (nul > head.length / 10 || (share > 0.02 && !isUtf8(withoutTornEnd(head)))) {
    throw new FileProblem(
      "not_text",
      `${path}: is a binary file, not text`,
      "Give decisions as JSONL, CSV or Parquet, rules as YAML.",
    );
  }
}

/** The head may end inside a character. */
function withoutTornEnd(head: Buffer): Buffer {
  let end = head.length;
  while (end > 0 && end > head.length - 4 && (head[end - 1]! & 0xc0) === 0x80) end--;
  return head.subarray(0, Math.max(0, end - 1));
}

/** A file that starts with `{` and is larger than any one object may be: a rule set is refused where it is read. */
function largeFormat(head: string): "ruleset" | "jsonl" {
  const [line] = head.trimStart().split("\n", 1);
  return /"rules"\s*:\s*\[/.test(head) && !isJson(line!) ? "ruleset" : "jsonl";
}

/** A file that starts with `{`: one object, or one a line. */
function objectFormat(path: string, extension: string): "ruleset" | "json-record" | "jsonl" {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  try {
    const value: unknown = JSON.parse(text);
    if (isRuleSet(value) || serviceOf(value) !== null) return "ruleset";
    return text.trim().includes("\n") ? "json-record" : "jsonl";
  } catch {
    const [line] = text.trimStart().split("\n", 1);
    if (isJson(line!) && isRuleSet(JSON.parse(line!))) return "ruleset";
    // Neither whole nor line by line: a rule set with a slip in it is reported where the slip is.
    const whole = !isJson(line!) && extension === ".json" && /"rules"\s*:/.test(text) && /"scope"\s*:/.test(text);
    return whole ? "ruleset" : "jsonl";
  }
}

function isRuleSet(value: unknown): boolean {
  return isObject(value) && "scope" in value && "rules" in value;
}

/** Lists of rules are short. */
const LARGEST_LIST = 1 << 20;

/** Whether a list in JSON holds rule sets, or the rules of a service, and no records. */
function isRuleList(path: string, size: number, head: string): boolean {
  if (size > LARGEST_LIST || !/"(?:scope|text|short_name|shortName)"\s*:/.test(head)) return false;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
    return Array.isArray(value) && value.length > 0 && (value.every(isRuleSet) || serviceOf(value) !== null);
  } catch {
    return false;
  }
}

/** Lines that begin a rule, in a text whose other lines have no columns. */
const RULE_LINE =
  /^(?:\s{0,3}#{1,6}\s+\S|\s{0,3}(?:\*\*)?(?:rule\s*#?)?\s*\d{1,3}[.):]\s+\S|(?:rule|forum|community)\b[^,;]{0,60}:|={3,}\s*$|-{3,}\s*$)/i;

/** Whether a text begins with a bracket, but is named as a page and begins like no object: `[Home](index.md)`, `[TOC]`, `{{< toc >}}`. */
export function isBracketedPage(text: string, path: string): boolean {
  if (!/\.(?:md|markdown|mdown|mkd|txt)$/i.test(path) || !/^\uFEFF?\s*[[{]/.test(text)) return false;
  const isObjectLike = /^\uFEFF?\s*(?:\[\s*)?\{\s*(?:["'][^"'\n]*["']\s*:|(?:scope|community|version|rules)\s*:)/.test(
    text,
  );
  return !isObjectLike && !isJson(text.replace(/^\uFEFF/, ""));
}

/** Whether a text without a telling name is a page of rules, and not a table. */
function isPage(text: string, path: string): boolean {
  if (isHtml(text, path)) return true;
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 200);
  const delimiter = sniffDelimiter(text);
  const columns = lines.map((line) => line.split(delimiter).length);
  const isTable = columns[0]! > 1 && columns.filter((count) => count === columns[0]).length > lines.length / 2;
  return !isTable && lines.some((line) => RULE_LINE.test(line));
}
