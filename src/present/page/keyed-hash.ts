import { createHmac } from "node:crypto";

/**
 * What a hash is of. Each sort is hashed apart from the others: an author of content could otherwise write the name of a moderator, and know
 * the moderator again by the hash.
 */
export const HASHED_SORTS = [
  "content",
  "rationale",
  "appeal",
  "note",
  "reasoning",
  "citation",
  "person",
  "rule",
  "language",
  "kind",
  "tag",
  "filter",
  "version",
  "source",
  "reason",
  "name",
] as const;
export type HashedSort = (typeof HASHED_SORTS)[number];

/** By which a text of some sort is known again. */
export type KeyedHash = (text: string, sort: HashedSort) => string;

/**
 * 16 hexadecimal digits by which a text is known again among those of its sort. With a secret key (HMAC-SHA-256), because a plain hash of a short
 * text is found by trying: a reader of the report could hash every likely comment, name or number and compare.
 */
export function keyedHash(key: Buffer): KeyedHash {
  // No sort holds a NUL, so that no two pairs of sort and text are one.
  return (text, sort) => createHmac("sha256", key).update(`${sort}\0${text}`, "utf8").digest("hex").slice(0, 16);
}

/** A value that a person may have made up: the same one is known again. */
export function redactedName(name: string, hashOf: KeyedHash, sort: HashedSort): string {
  return `redacted ${hashOf(name, sort).slice(0, 8)}`;
}
