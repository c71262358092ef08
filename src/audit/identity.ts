import { createHash, randomInt } from "node:crypto";
import type { ReadHashes } from "../core/records/audit.js";
import type { CaseFrame } from "../core/records/case.js";
import type { Content } from "../core/records/decision.js";

/** Hashes what an auditor reads. */
export interface ReadHasher {
  content: (content: Content) => string;
  /** Of rules and precedents; kept for each frame. */
  frame: (frame: CaseFrame) => Omit<ReadHashes, "content">;
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** `hashText(JSON.stringify(items))`, without a text of them all, which may be longer than any text can be. */
export function hashList(items: readonly unknown[]): string {
  const hash = createHash("sha256").update("[");
  for (const [i, item] of items.entries()) hash.update(i === 0 ? "" : ",").update(JSON.stringify(item));
  return hash.update("]").digest("hex").slice(0, 16);
}

/**
 * `<UTC yyyymmddThhmmssZ>-<4 hex>`. The hex digits begin with the millisecond, so that of two made in one second the later one sorts last:
 * the newest is the last of the names.
 */
export function newRunId(now: Date): string {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "");
  const order = now.getUTCMilliseconds() * 65 + randomInt(65);
  return `${stamp}-${order.toString(16).padStart(4, "0")}`;
}

/** Hash of everything that decides what a run will contain. */
export function fingerprint(parts: Readonly<Record<string, unknown>>): string {
  const ordered = Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1));
  return hashText(JSON.stringify(ordered));
}
