import { createHmac, type KeyObject } from "node:crypto";
import { z } from "zod";
import { canonicalJson, hashOf, sha256 } from "./canonical.js";
import { MerkleTree } from "./merkle.js";
import { type SignatureProblem, signatureProblem, signValue } from "./signature.js";
import { ERASURES, readTombstone } from "./tombstone.js";

/**
 * One record of a log in the chain. The tree holds `source`, `n` and `hash`; the salt is next to it, so that a record whose salt is deleted cannot be
 * guessed from its hash.
 */
const chainEntrySchema = z.strictObject({
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  /** The log it is a record of: `routes`, `gate`, `outcomes`, `erasures`, `audits:RUN`. */
  source: z.string(),
  /** Its number in that log, from 0. */
  n: z.number().int().min(0),
  /** null: something of the record was erased, and a tombstone says what it is now. */
  salt: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  /** HMAC-SHA-256 of the record under the salt. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

const chainHeadSchema = z.strictObject({
  day: z.string(),
  at: z.string(),
  /** Entries of the day, and the root of their tree. */
  size: z.number().int().min(1),
  root: z.string(),
  /** SHA-256 of the head before; null: the first. */
  previous: z.string().nullable(),
  signature: z
    .strictObject({
      algorithm: z.literal("ed25519"),
      key_id: z.string(),
      public_key: z.string(),
      value: z.string(),
    })
    .nullable(),
});

export type ChainEntry = z.infer<typeof chainEntrySchema>;
export type ChainHead = z.infer<typeof chainHeadSchema>;

/** The records of one log, in its order, each as one text. `complete`: nothing is ever added to it. */
export interface ChainSource {
  source: string;
  records: readonly string[];
  complete: boolean;
}

export interface Chain {
  entries: readonly ChainEntry[];
  heads: readonly ChainHead[];
}

function recordHash(record: string, salt: string): string {
  return createHmac("sha256", Buffer.from(salt, "hex")).update(record).digest("hex");
}

const leafOf = ({ source, n, hash }: ChainEntry) => canonicalJson({ source, n, hash });

/** What is to be added to the chain: an entry for each new record, and a head over the day. `salt` gives 32 hexadecimal digits. */
export function extendChain(
  { entries, heads }: Chain,
  sources: readonly ChainSource[],
  at: string,
  salt: () => string,
  key: KeyObject | null,
): { entries: ChainEntry[]; head: ChainHead | null } {
  const day = entries[covered(heads)]?.day ?? at.slice(0, 10);
  const known = new Map<string, number>();
  for (const { source } of entries) known.set(source, (known.get(source) ?? 0) + 1);
  const added = sources.flatMap(({ source, records }) => {
    const from = known.get(source) ?? 0;
    return records.slice(from).map((record, i): ChainEntry => {
      const own = salt();
      return { day, source, n: from + i, salt: own, hash: recordHash(record, own) };
    });
  });
  if (added.length === 0) return { entries: [], head: null };
  const tree = new MerkleTree();
  for (const entry of [...entries, ...added]) if (entry.day === day) tree.add(leafOf(entry));
  const last = heads.at(-1);
  const body = { day, at, size: tree.size, root: tree.root(), previous: last ? hashOf(last) : null };
  return { entries: added, head: { ...body, signature: key && signValue(body, key) } };
}

/** Entries under a head. A process that was killed may have left others; the next head covers them. */
function covered(heads: readonly ChainHead[]): number {
  const sizes = new Map(heads.map(({ day, size }) => [day, size]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

export type ChainProblem =
  | { code: "changed" | "removed" | "added" | "reordered"; source: string; n: number }
  /** The files of the chain itself do not fit together. */
  | {
      code: "other_root" | "other_previous" | "entries_missing" | "entries_without_head" | "out_of_order";
      head: number;
    }
  | { code: SignatureProblem; head: number }
  /** A head that was kept elsewhere is not part of the chain. */
  | { code: "head_not_found"; day: string };

export interface ChainCheck {
  ok: boolean;
  problems: ChainProblem[];
  entries: number;
  heads: number;
  /** Heads without a signature. */
  unsigned: number;
  /** Records that were written after the last head. */
  unsealed: number;
  /** Records of which something was erased, as a tombstone says. */
  erased: number;
}

/** Holds records against the chain, and the chain against its heads. `kept`: a head from elsewhere, which finds a tail that was cut off. */
export function verifyChain(
  chain: Chain,
  sources: readonly ChainSource[],
  { trusted = null, kept = null }: { trusted?: KeyObject | null; kept?: ChainHead | null } = {},
): ChainCheck {
  const problems = [...headProblems(chain, trusted)];
  if (kept && !chain.heads.some((head) => hashOf(head) === hashOf(kept))) {
    problems.push({ code: "head_not_found", day: kept.day });
  }
  const bySource = new Map<string, ChainEntry[]>();
  for (const entry of chain.entries) {
    const list = bySource.get(entry.source);
    if (list) list.push(entry);
    else bySource.set(entry.source, [entry]);
  }
  let unsealed = 0;
  const tombs = tombstonesIn(sources);
  for (const { source, records, complete } of sources) {
    const entries = bySource.get(source) ?? [];
    bySource.delete(source);
    const left = compareLog(source, entries, records, tombs, problems);
    if (!complete || entries.length === 0) unsealed += left;
    else for (let n = records.length - left; n < records.length; n++) problems.push({ code: "added", source, n });
  }
  for (const [source, entries] of bySource) {
    for (const { n } of entries) problems.push({ code: "removed", source, n });
  }
  const unsigned = chain.heads.filter(({ signature }) => signature === null).length;
  const erased = chain.entries.filter(({ salt }) => salt === null).length;
  const counts = { entries: chain.entries.length, heads: chain.heads.length, unsigned, unsealed, erased };
  return { ok: problems.length === 0, problems, ...counts };
}

/** Roots of every head over the entries that it covers, in one pass. */
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

/** What records are after an erasure: hashes by log and number. */
type Tombs = ReadonlyMap<string, ReadonlySet<string>>;

const tombKey = (source: string, n: number) => JSON.stringify([source, n]);

function tombstonesIn(sources: readonly ChainSource[]): Tombs {
  const found = new Map<string, Set<string>>();
  for (const text of sources.find(({ source }) => source === ERASURES)?.records ?? []) {
    for (const { source, n, hash } of readTombstone(text)?.records ?? []) {
      const key = tombKey(source, n);
      found.set(key, (found.get(key) ?? new Set()).add(hash));
    }
  }
  return found;
}

/** How far a record is looked for when it is not where it was. */
const WINDOW = 1000;

/** Adds what differs. Returns how many records come after the last entry. */
function compareLog(
  source: string,
  entries: readonly ChainEntry[],
  records: readonly string[],
  tombs: Tombs,
  problems: ChainProblem[],
): number {
  const fits = (record: number, entry: number) => {
    if (record >= records.length || entry >= entries.length) return false;
    const { salt, hash, n } = entries[entry]!;
    if (salt !== null && recordHash(records[record]!, salt) === hash) return true;
    return tombs.get(tombKey(source, n))?.has(sha256(records[record]!)) ?? false;
  };
  const later = (test: (step: number) => boolean) => {
    for (let step = 1; step <= WINDOW; step++) if (test(step)) return step;
    return 0;
  };
  let r = 0;
  let e = 0;
  while (e < entries.length) {
    if (fits(r, e)) {
      r += 1;
      e += 1;
      continue;
    }
    const entryLater = r < records.length ? later((step) => fits(r, e + step)) : 0;
    const recordLater = later((step) => fits(r + step, e));
    if (entryLater && recordLater) {
      problems.push({ code: "reordered", source, n: e });
      r += 1;
      e += 1;
    } else if (recordLater) {
      for (let step = 0; step < recordLater; step++) problems.push({ code: "added", source, n: r + step });
      r += recordLater;
    } else if (entryLater || r >= records.length) {
      const gone = entryLater || entries.length - e;
      for (let step = 0; step < gone; step++) problems.push({ code: "removed", source, n: e + step });
      e += gone;
    } else {
      problems.push({ code: "changed", source, n: e });
      r += 1;
      e += 1;
    }
  }
  return Math.max(0, records.length - r);
}

/** A line of the chain's file; null: it was not written by a seal, or was changed. One spelling each. */
export function readChainLine(line: string): ChainEntry | ChainHead | null {
  try {
    const read: ChainEntry | ChainHead = z.union([chainEntrySchema, chainHeadSchema]).parse(JSON.parse(line));
    return JSON.stringify(read) === line ? read : null;
  } catch {
    return null;
  }
}
