import type { KeyObject } from "node:crypto";
import { hashOf, sha256 } from "./canonical.js";
import {
  type Chain,
  type ChainEntry,
  type ChainHead,
  type ChainSource,
  covered,
  leafOf,
  recordHash,
  restHash,
} from "./chain.js";
import { MerkleTree } from "./merkle.js";
import { type SignatureProblem, signatureProblem } from "./signature.js";
import { ERASURES, readTombstone, type Tombstone } from "./tombstone.js";

export type ChainProblem =
  | RecordProblem
  /** A tombstone without a head, about text that still exists or is missing from a sealed record. */
  | { code: "unknown_erasure"; source: string; n: number; where?: string; tombstone: Tombstone }
  /** The files of the chain itself are inconsistent. */
  | {
      code: "other_root" | "other_previous" | "entries_missing" | "entries_without_head" | "out_of_order";
      head: number;
    }
  | { code: SignatureProblem; head: number }
  /** A head kept elsewhere is not part of the chain. */
  | { code: "head_not_found"; day: string }
  /** There is no chain. */
  | { code: "nothing_sealed" }
  /** The files that `route` follows disagree with the history of the gate. */
  | { code: "gate_not_in_history"; part: GatePart };

/** The active gate, the kill switch, the list of suspensions; `history`: it cannot be read. */
export type GatePart = "gate" | "closure" | "suspensions" | "history";

export interface ChainCheck {
  ok: boolean;
  problems: ChainProblem[];
  entries: number;
  heads: number;
  /** Number of heads without a signature. */
  unsigned: number;
  /** Ids of the keys that signed heads, in order. */
  signed_by: string[];
  /** Records written after the last head. */
  unsealed: number;
  /** Tombstones among them. */
  erasures_unsealed: number;
  /** Records from which something was erased, according to a tombstone. */
  erased: number;
  /** Whether the active gate was compared with the history. Histories of earlier versions do not contain its hash. */
  gate_compared?: boolean;
}

/** Checks records against the chain, and the chain against its heads. `kept`: a head kept elsewhere, which reveals a truncated chain. */
export function verifyChain(
  chain: Chain,
  sources: readonly ChainSource[],
  { trusted = null, kept = null }: { trusted?: KeyObject | null; kept?: ChainHead | null } = {},
): ChainCheck {
  const { entries, heads } = chain;
  const problems = [...headProblems(chain, trusted)];
  if (entries.length + heads.length === 0) problems.push({ code: "nothing_sealed" });
  if (kept && !heads.some((head) => hashOf(head) === hashOf(kept))) {
    problems.push({ code: "head_not_found", day: kept.day });
  }
  const bySource = new Map<string, PlacedEntry[]>();
  for (const [at, entry] of entries.entries()) {
    const list = bySource.get(entry.source);
    if (list) list.push({ ...entry, at });
    else bySource.set(entry.source, [{ ...entry, at }]);
  }
  let unsealed = 0;
  const tombs = new Tombs(chain, sources);
  for (const { source, records, complete } of sources) {
    const own = bySource.get(source) ?? [];
    bySource.delete(source);
    const compared = compareLog(source, own, records, (entry, record) => tombs.problem(entry, record));
    let step = compared.next();
    for (; !step.done; step = compared.next()) problems.push(step.value);
    const left = step.value;
    if (!complete || own.length === 0) unsealed += left;
    else for (let n = records.length - left; n < records.length; n++) problems.push({ code: "added", source, n });
  }
  for (const [source, own] of bySource) {
    for (const { n } of own) problems.push({ code: "removed", source, n });
  }
  const reported = new Set(problems.flatMap((one) => ("source" in one ? placeOf(one) : [])));
  for (const { n, tombstone } of openTombstones(chain, sources, tombs)) {
    if (tombstone.records.some((one) => reported.has(placeOf(one)))) continue;
    problems.push({ code: "unknown_erasure", source: ERASURES, n, tombstone });
  }
  return {
    ...{ ok: problems.length === 0, problems, entries: entries.length, heads: heads.length },
    unsigned: heads.filter(({ signature }) => signature === null).length,
    signed_by: [...new Set(heads.flatMap(({ signature }) => signature?.key_id ?? []))],
    ...{ unsealed, erasures_unsealed: tombs.unsealed.length },
    erased: entries.filter(({ salt }) => salt === null).length,
  };
}

/** Checks the root of every head over the entries that it covers, in one pass. */
function* headProblems({ entries, heads }: Chain, trusted: KeyObject | null): Generator<ChainProblem> {
  let tree = new MerkleTree();
  let day: string | null = null;
  let at = 0;
  const seen = new Map<string, number>();
  for (const { source, n } of entries) {
    if (n !== (seen.get(source) ?? 0)) yield { code: "out_of_order", head: -1 };
    seen.set(source, n + 1);
  }
  for (const [i, head] of heads.entries()) {
    const { signature, ...body } = head;
    if (head.day !== day) tree = new MerkleTree();
    day = head.day;
    while (tree.size < head.size && entries[at]?.day === day) tree.add(leafOf(entries[at++]!));
    if (tree.size !== head.size) yield { code: "entries_missing", head: i };
    else if (tree.root() !== head.root) yield { code: "other_root", head: i };
    const before = i === 0 ? null : hashOf(heads[i - 1]);
    if (before !== head.previous) yield { code: "other_previous", head: i };
    const problem = signatureProblem(body, signature, trusted);
    if (problem) yield { code: problem, head: i };
  }
  if (at < entries.length) yield { code: "entries_without_head", head: heads.length };
}

const placeOf = ({ source, n }: { source: string; n: number }) => JSON.stringify([source, n]);

/** The records listed in tombstones, and the positions of these tombstones in the chain. */
class Tombs {
  private readonly named = new Map<string, { decision: string; hash: string; at: number | null }[]>();
  /** Tombstones not covered by a head. */
  readonly unsealed: { n: number; tombstone: Tombstone }[] = [];
  readonly sealedLater: boolean;

  constructor({ entries, heads }: Chain, sources: readonly ChainSource[]) {
    const places = entries.slice(0, covered(heads)).flatMap(({ source }, at) => (source === ERASURES ? [at] : []));
    const log = sources.find(({ source }) => source === ERASURES);
    this.sealedLater = log?.sealedLater ?? false;
    for (const [n, text] of (log?.records ?? []).entries()) {
      const tombstone = readTombstone(text);
      const at = places[n] ?? null;
      if (tombstone && at === null) this.unsealed.push({ n, tombstone });
      for (const record of tombstone?.records ?? []) {
        const list = this.named.get(placeOf(record)) ?? [];
        this.named.set(placeOf(record), [...list, { decision: tombstone!.decision, hash: record.hash, at }]);
      }
    }
  }

  /**
   * What is wrong with a record that is reduced to its rest; null: nothing. A tombstone must name its decision, and must have been sealed after the
   * record: an earlier one was written before there was anything to erase.
   */
  problem(entry: PlacedEntry, record: string): RecordProblem["code"] | null {
    const decision = sha256(decisionOf(record) ?? "");
    const own = (this.named.get(placeOf(entry)) ?? []).filter(
      (one) => one.decision === decision && one.hash === sha256(record),
    );
    if (own.some((one) => one.at !== null && one.at > entry.at)) return null;
    if (!own.some((one) => one.at === null)) return "erased_without_tombstone";
    return this.sealedLater ? null : "erasure_not_sealed";
  }
}

/** Tombstones without a head that would hide the removal of text from records. Only the erasure that wrote them may seal them. */
function openTombstones(
  { entries }: Chain,
  sources: readonly ChainSource[],
  tombs: Tombs,
): { n: number; tombstone: Tombstone }[] {
  if (tombs.sealedLater || tombs.unsealed.length === 0) return [];
  const logs = new Map(sources.map(({ source, records }) => [source, records]));
  const chained = new Set(entries.map(placeOf));
  return tombs.unsealed.filter(({ tombstone }) =>
    tombstone.records.some((one) => {
      const record = logs.get(one.source)?.[one.n];
      return record !== undefined && (chained.has(placeOf(one)) || sha256(record) !== one.hash);
    }),
  );
}

export interface SealProblems {
  /** The files of the chain are inconsistent, or a new head would confirm entries that no seal wrote. */
  chain: ChainProblem[];
  /** Sealed records have changed. `verify` still detects this after the next head. */
  records: ChainProblem[];
  /** Tombstones that would hide the removal of text from sealed records, and that do not belong to an erasure in progress. */
  erasures: Tombstone[];
}

/** Problems that a new head must not cover up. `erasing`: SHA-256 of the ids of decisions that are being erased. */
export function sealProblems(
  chain: Chain,
  sources: readonly ChainSource[],
  erasing: ReadonlySet<string>,
): SealProblems {
  const { problems } = verifyChain(chain, sources);
  const isOfErasure = ({ code }: ChainProblem) => code === "erasure_not_sealed" || code === "unknown_erasure";
  const own = problems.filter(({ code }) => code !== "nothing_sealed" && code !== "entries_without_head");
  const logs = new Map(sources.map((one) => [one.source, one]));
  // Entries left by a killed process are covered by the next head if they are what this process would write.
  const left = chain.entries.slice(covered(chain.heads)).filter(({ source, n, rest }) => {
    const record = logs.get(source)?.records[n];
    return record === undefined || restHash(logs.get(source)!, record) !== rest;
  });
  const broken = left.length > 0 ? [{ code: "entries_without_head" as const, head: chain.heads.length }] : [];
  const open = openTombstones(chain, sources, new Tombs(chain, sources)).map(({ tombstone }) => tombstone);
  return {
    chain: [...own.filter((one) => !("source" in one)), ...broken],
    records: own.filter((one) => "source" in one && !isOfErasure(one)),
    erasures: open.filter(({ decision }) => !erasing.has(decision)),
  };
}

/** A record that differs from what was sealed. */
interface RecordProblem {
  code: "changed" | "removed" | "added" | "reordered" | "erased_without_tombstone" | "erasure_not_sealed";
  source: string;
  /** Its index in the log, from 0. */
  n: number;
  /** The decision that the record is now about, if it names one. */
  decision?: string;
  /** Where it is stored, for a person to read. */
  where?: string;
}

interface PlacedEntry extends ChainEntry {
  at: number;
}

/** How far a record is searched for if it is not at its position. */
const WINDOW = 1000;

/**
 * Yields the differences between the entries of a log and its records. `erasure` checks a record that is only its `rest`. Returns the number of
 * records after the last entry.
 */
function* compareLog(
  source: string,
  entries: readonly PlacedEntry[],
  records: readonly string[],
  erasure: (entry: PlacedEntry, record: string) => RecordProblem["code"] | null,
): Generator<RecordProblem, number> {
  const isWhole = (record: number, { salt, hash }: ChainEntry) =>
    salt !== null && recordHash(records[record]!, salt) === hash;
  const fits = (record: number, entry: number) => {
    if (record >= records.length || entry >= entries.length) return false;
    const { rest } = entries[entry]!;
    return isWhole(record, entries[entry]!) || (rest !== undefined && sha256(records[record]!) === rest);
  };
  const later = (test: (step: number) => boolean) => {
    for (let step = 1; step <= WINDOW; step++) if (test(step)) return step;
    return 0;
  };
  const problem = (code: RecordProblem["code"], n: number, record?: number): RecordProblem => {
    const decision = record === undefined ? null : decisionOf(records[record]!);
    return { code, source, n, ...(decision !== null && { decision }) };
  };
  /** Entries and records already matched at another position. */
  const movedEntries = new Set<number>();
  const movedRecords = new Set<number>();
  let r = 0;
  let e = 0;
  while (e < entries.length) {
    if (fits(r, e)) {
      const wrong = isWhole(r, entries[e]!) ? null : erasure(entries[e]!, records[r]!);
      if (wrong) yield problem(wrong, e, r);
      r += 1;
      e += 1;
      continue;
    }
    const ended = r >= records.length;
    const entryLater = ended ? 0 : later((step) => fits(r, e + step));
    const recordLater = later((step) => fits(r + step, e));
    const [wasEntry, wasRecord] = [movedEntries.has(e), movedRecords.has(r)];
    if (wasRecord && !wasEntry && recordLater) r += 1;
    else if (wasEntry && !wasRecord && entryLater) yield problem("reordered", e++);
    else if ((recordLater || wasEntry) && (entryLater || wasRecord)) {
      yield problem("reordered", e, r);
      movedEntries.add(e + entryLater);
      movedRecords.add(r + recordLater);
      r += 1;
      e += 1;
    } else if (recordLater) {
      for (; !fits(r, e); r++) if (!movedRecords.has(r)) yield problem("added", r, r);
    } else if (entryLater || wasRecord || wasEntry || ended) {
      const gone = entryLater || (ended ? entries.length - e : 1);
      for (const end = e + gone; e < end; e++) yield problem(movedEntries.has(e) ? "reordered" : "removed", e);
    } else {
      yield problem("changed", e, r);
      r += 1;
      e += 1;
    }
  }
  while (movedRecords.has(r)) r += 1;
  return Math.max(0, records.length - r);
}

/** null: the record names no decision. */
function decisionOf(record: string): string | null {
  try {
    const { decision_id } = JSON.parse(record) as { decision_id?: unknown };
    return typeof decision_id === "string" ? decision_id : null;
  } catch {
    return null;
  }
}
