import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Decision } from "../../../core/records/decision.js";
import { LineLog, readLines } from "../../../io/read-lines.js";
import { Quotes } from "../../../text/quotes.js";
import type { RunStore } from "../../ports.js";
import { exceptDecision, notesOf, stringsIn, wordsOf } from "../../records/erased.js";
import { CONFIG_FILE } from "../config-file.js";
import { sqlString, withDuckDB } from "../duckdb.js";
import { readRecords } from "../records.js";
import { loadRuleSets } from "../rule-files.js";
import type { Workspace } from "../workspace.js";
import { rowOf } from "./rewrite.js";

/** Largest file that fits into one JavaScript string. */
const LARGEST = 400 * 2 ** 20;
/** Gzip in base64, as in pages and raw answers. */
const PACKED = /H4sI[A-Za-z0-9+/]{20,}={0,2}/g;

/** Number of characters searched at a time, and the overlap of two parts. */
const PART = 2 ** 20;
const SHARED = 2 ** 12;

/** Whether a file quotes, or names a decision and contains words of it; compressed parts are searched too. null: the file is too large to search. */
export async function quotedIn(path: string, quotes: Quotes): Promise<boolean | null> {
  if (statSync(path).size > LARGEST) return null;
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 4).toString("latin1") === "PAR1") return quotedInParquet(path, quotes);
  const text = (isPacked(bytes) ? unpacked(bytes) : bytes).toString("utf8");
  const search = new Search(quotes);
  if (search.in(text)) return true;
  for (const [packed] of text.matchAll(PACKED)) {
    if (search.in(unpacked(Buffer.from(packed, "base64")).toString("utf8"))) return true;
  }
  return false;
}

/** How the page of a certificate names its decision. */
const PAGE_OF = />Decision <bdi>([^<]*)<\/bdi>/;

/** Searches the parts of one file. Common words count only in a record of the decision: a line that names it, or its certificate. */
class Search {
  private isNamed = false;
  private isMentioned = false;

  constructor(private readonly quotes: Quotes) {}

  /** Whether the file quotes, by the parts searched so far. */
  in(text: string): boolean {
    for (let from = 0; from < text.length; from += PART) {
      const part = text.slice(from, from + PART + SHARED);
      if (this.quotes.in(part) || this.quotes.heldIn(part)) return true;
      const isNamed = this.quotes.namedIn(part);
      this.isNamed ||= isNamed;
      this.isMentioned ||= this.quotes.mentionedIn(part, "not_common");
      if ((this.isMentioned && this.isNamed) || (isNamed && part.split("\n").some((line) => this.isRecord(line))))
        return true;
    }
    return this.isNamed && this.isCertificate(text);
  }

  private isRecord(line: string): boolean {
    return this.quotes.mentionedIn(line, "any") && this.quotes.namedIn(line);
  }

  private isCertificate(text: string): boolean {
    const { id } = (rowOf(text)?.decision ?? {}) as { id?: unknown };
    return this.quotes.isRecord({ id: id ?? PAGE_OF.exec(text)?.[1], text });
  }
}

export const isPacked = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST });
  } catch {
    return Buffer.alloc(0);
  }
}

function quotedInParquet(path: string, quotes: Quotes): Promise<boolean> {
  return withDuckDB(async (db) => {
    const rows = `SELECT to_json(a)::VARCHAR AS json FROM read_parquet(${sqlString(path)}, hive_partitioning = false) AS a`;
    const search = new Search(quotes);
    for await (const batch of db.stream<{ json: string }>(rows))
      if (search.in(batch.map(({ json }) => json).join("\n"))) return true;
    return false;
  }).catch(() => false);
}

/** Every file under a folder. */
export function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A file that a command wrote. */
interface Output {
  /** Relative to the root of the workspace if it is inside. */
  path: string;
  sha256: string;
  at: string;
  command: string;
}

/** Records files that a command wrote, so that an erasure finds them wherever they are. For folders: every file in them. */
export async function noteOutputs(
  workspace: Pick<Workspace, "root" | "paths">,
  files: readonly string[],
  { at, command }: Pick<Output, "at" | "command">,
): Promise<void> {
  // A nested workspace has its own erasure.
  const there = files.filter((file) => existsSync(file) && !existsSync(join(file, CONFIG_FILE)));
  const lines = there
    .flatMap((file) => (statSync(file).isDirectory() ? filesUnder(file) : [file]))
    .filter((path) => statSync(path).isFile())
    .map((path) => {
      const inside = relative(workspace.root, resolve(path));
      const name = inside.startsWith("..") || isAbsolute(inside) ? resolve(path) : inside;
      return JSON.stringify({ path: name, sha256: hashOf(path), at, command } satisfies Output);
    });
  if (lines.length === 0) return;
  const log = new LineLog(workspace.paths.outputs);
  try {
    log.append(lines);
  } finally {
    await log.close();
  }
}

/** Existing files that commands wrote. `same`: unchanged since. */
export function outputsOf({ root, paths }: Pick<Workspace, "root" | "paths">): { path: string; same: boolean }[] {
  if (!existsSync(paths.outputs)) return [];
  const hashes = new Map<string, Set<string>>();
  for (const line of readFileSync(paths.outputs, "utf8").split("\n")) {
    const row = rowOf(line) as Output | null;
    if (!row) continue;
    const path = resolve(root, row.path);
    hashes.set(path, (hashes.get(path) ?? new Set()).add(row.sha256));
  }
  return [...hashes]
    .filter(([path]) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map(([path, known]) => ({ path, same: known.has(hashOf(path)) }));
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Most decisions named for long quotations in other records. */
const NAMED = 5;

/**
 * The texts by which decisions are recognised, excluding those that also occur elsewhere. Also returns, by place, the other decisions that quote
 * them at length in their authors' texts or in audits; these quotations stay.
 */
export async function quotesOf(workspace: Workspace, runs: RunStore, ids: ReadonlySet<string>) {
  const quotes = new Quotes();
  const quoting = new Map<string, string[]>();
  const decisions = async (visit: (decision: Decision) => void) => {
    for await (const records of readRecords(workspace, "decisions", { repeated: "give" }))
      for (const record of records as Decision[]) visit(record);
  };
  const traces = async (visit: (id: string, reasoning: string, run: string) => void) => {
    for (const { run_id } of await runs.list())
      for await (const audits of runs.audits(run_id))
        for (const { decision_id, trace } of audits)
          if (trace?.logic_chain) visit(decision_id, trace.logic_chain, run_id);
  };
  await decisions((one) => ids.has(one.id) && quotes.add(one.id, wordsOf(one)));
  await traces((id, reasoning) => ids.has(id) && quotes.add(id, { own: [], around: [reasoning] }));
  // Other files, such as the imported file, may contain the notes of labels and outcomes.
  for (const kind of ["labels", "outcomes"] as const) {
    const path = workspace.paths[kind];
    if (!existsSync(path)) continue;
    for await (const lines of readLines(path)) {
      for (const row of lines.map(({ text }) => rowOf(text))) {
        const id = String(row?.decision_id);
        if (row && ids.has(id)) quotes.add(id, { own: [], around: notesOf(kind, row) });
      }
    }
  }
  if (quotes.isEmpty) return { quotes, quoting };
  await decisions((one) => !ids.has(one.id) && exceptDecision(quotes, one));
  // Rules are excluded because people quote them.
  for (const { set } of loadRuleSets(workspace)) for (const text of stringsIn(set)) quotes.except(text);
  await traces((id, reasoning) => !ids.has(id) && quotes.except(reasoning, "around"));
  const note = (place: string, id: string) => {
    const others = quoting.get(place) ?? [];
    if (others.length < NAMED && !others.includes(id)) quoting.set(place, [...others, id]);
  };
  await decisions((one) => {
    if (!ids.has(one.id) && quotes.leftIn(quotes.without(one, "", "long"))) note("decisions, content of", one.id);
  });
  await traces((id, reasoning, run) => {
    if (!ids.has(id) && (quotes.in(reasoning, "long") || quotes.leftIn(reasoning))) note(`runs/${run}, audits of`, id);
  });
  return { quotes, quoting };
}
