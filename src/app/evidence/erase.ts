import type { KeyObject } from "node:crypto";
import type { ChainHead } from "../../evidence/chain.js";
import type { Context } from "../../store/context.js";
import type { ErasedPlace } from "../../store/ports.js";
import { Refusal } from "../notices.js";
import { checkBeforeSeal, type SealRefusal, seal } from "./seal.js";

export interface EraseRequest {
  /** Ids of decisions. */
  decisions: readonly string[];
  /** Authors whose decisions are all erased. */
  authors: readonly string[];
  by: string;
  reason: string;
  dryRun: boolean;
  /** Signs the head that covers the tombstones. */
  key: KeyObject | null;
}

export type EraseRefusal =
  | { code: "unknown_decision"; ids: readonly string[] }
  | { code: "unknown_author"; author: string }
  /** The chain is signed, but there is no key to sign the tombstones with. */
  | { code: "no_signing_key" }
  | SealRefusal;

export interface Erased {
  dry_run: boolean;
  decisions: number;
  places: ErasedPlace[];
  /** The head that covers the tombstones; null: the logs are not sealed, or there was nothing new. */
  head: ChainHead | null;
}

/** Erases what people wrote in decisions, wherever the store keeps it. If the logs are sealed, the tombstones are sealed first. */
export async function erase(context: Context, request: EraseRequest): Promise<Erased> {
  const { dryRun, key, by, reason } = request;
  const ids = await decisionsOf(context, request);
  if (dryRun) return { dry_run: true, decisions: ids.length, places: await context.erasure.find(ids), head: null };
  const { entries, heads } = await context.chain.read();
  if (heads.at(-1)?.signature && !key) throw new Refusal<EraseRefusal>({ code: "no_signing_key" });
  const eraser = { at: context.now().toISOString(), by, reason };
  // The tombstones are sealed while the records are intact. Records changed earlier are still found by `verify`.
  const isSealed = entries.length + heads.length > 0;
  const options = { force: true, erasing: ids };
  const sealTombstones = async () => (isSealed ? (await seal(context, key, options)).head : null);
  if (isSealed) await context.chain.withSealLock(() => checkBeforeSeal(context, options));
  await context.erasure.bury(ids, eraser);
  const before = await sealTombstones();
  const places = await context.erasure.erase(ids, eraser);
  const head = (await sealTombstones()) ?? before;
  return { dry_run: false, decisions: ids.length, places, head };
}

async function decisionsOf({ records, erasure }: Context, request: EraseRequest): Promise<string[]> {
  const known = new Set(await erasure.known(request.decisions));
  const unknown = request.decisions.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Refusal<EraseRefusal>({ code: "unknown_decision", ids: unknown });
  const authors = new Map(request.authors.map((author) => [author, 0]));
  if (authors.size > 0) {
    for await (const batch of records.decisions()) {
      for (const { id, author } of batch) {
        if (typeof author !== "string" || !authors.has(author)) continue;
        authors.set(author, authors.get(author)! + 1);
        known.add(id);
      }
    }
  }
  const [without] = [...authors].find(([, count]) => count === 0) ?? [];
  if (without !== undefined) throw new Refusal<EraseRefusal>({ code: "unknown_author", author: without });
  return [...known];
}
