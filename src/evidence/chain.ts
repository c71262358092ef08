import { createHmac, type KeyObject } from "node:crypto";
import { z } from "zod";
import { canonicalJson, hashOf, sha256 } from "./canonical.js";
import { MerkleTree } from "./merkle.js";
import { signValue } from "./signature.js";

/**
 * One record of a log in the chain. The tree contains `source`, `n`, `hash` and `rest`; the salt is stored next to it, so that a record whose salt
 * is deleted cannot be guessed from its hash. `rest` is what an erasure may reduce the record to, fixed when it is sealed: an erasure can remove
 * words but change nothing else.
 */
const chainEntrySchema = z.strictObject({
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  /** The log that contains it: `routes`, `gate`, `outcomes`, `erasures`, `audits:RUN`. */
  source: z.string(),
  /** Its number in that log, from 0. */
  n: z.number().int().min(0),
  /** null: part of the record was erased, and only `rest` still describes it. */
  salt: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  /** HMAC-SHA-256 of the record under the salt. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** SHA-256 of the record after an erasure; absent: an erasure would remove nothing. */
  rest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

const chainHeadSchema = z.strictObject({
  day: z.string(),
  at: z.string(),
  /** Number of entries of the day, and the root of their tree. */
  size: z.number().int().min(1),
  root: z.string(),
  /** SHA-256 of the previous head; null for the first. */
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

/** The records of one log, in order, each as one text. `complete`: nothing will be added to it. */
export interface ChainSource {
  source: string;
  records: readonly string[];
  complete: boolean;
  /** The part of a record that remains after an erasure; absent: all of it. */
  rest?: (record: string) => string;
  /** For the log of erasures: the store erases without the signing key, so its tombstones are sealed later. */
  sealedLater?: boolean;
}

export interface Chain {
  entries: readonly ChainEntry[];
  heads: readonly ChainHead[];
}

export function recordHash(record: string, salt: string): string {
  return createHmac("sha256", Buffer.from(salt, "hex")).update(record).digest("hex");
}

/** undefined: an erasure would remove nothing from the record. */
export function restHash({ rest }: Pick<ChainSource, "rest">, record: string): string | undefined {
  const left = rest?.(record) ?? record;
  return left === record ? undefined : sha256(left);
}

export const leafOf = ({ source, n, hash, rest }: ChainEntry) => canonicalJson({ source, n, hash, rest });

/**
 * The additions to the chain: an entry for each new record, and a head over the day. `salt` returns 32 hexadecimal digits. The day never goes back,
 * even if the clock does, so that a day has only one tree.
 */
export function extendChain(
  { entries, heads }: Chain,
  sources: readonly ChainSource[],
  at: string,
  salt: () => string,
  key: KeyObject | null,
): { entries: ChainEntry[]; head: ChainHead | null } {
  const last = heads.at(-1);
  const today = at.slice(0, 10);
  const day = entries[covered(heads)]?.day ?? (last && last.day > today ? last.day : today);
  const known = new Map<string, number>();
  for (const { source } of entries) known.set(source, (known.get(source) ?? 0) + 1);
  const added = sources.flatMap((one) => {
    const { source, records } = one;
    const from = known.get(source) ?? 0;
    return records.slice(from).map((record, i): ChainEntry => {
      const own = salt();
      const rest = restHash(one, record);
      return { day, source, n: from + i, salt: own, hash: recordHash(record, own), ...(rest && { rest }) };
    });
  });
  if (added.length === 0) return { entries: [], head: null };
  const tree = new MerkleTree();
  for (const entry of [...entries, ...added]) if (entry.day === day) tree.add(leafOf(entry));
  const body = { day, at, size: tree.size, root: tree.root(), previous: last ? hashOf(last) : null };
  return { entries: added, head: { ...body, signature: key && signValue(body, key) } };
}

/** Number of entries covered by heads. A killed process may have left others, which the next head covers. */
export function covered(heads: readonly ChainHead[]): number {
  const sizes = new Map(heads.map(({ day, size }) => [day, size]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Parses a line of the chain's file; null: it was not written by a seal, or was changed. Each value has only one valid spelling. */
export function readChainLine(line: string): ChainEntry | ChainHead | null {
  try {
    const read: ChainEntry | ChainHead = z.union([chainEntrySchema, chainHeadSchema]).parse(JSON.parse(line));
    return JSON.stringify(read) === line ? read : null;
  } catch {
    return null;
  }
}
