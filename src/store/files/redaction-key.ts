import { createHmac } from "node:crypto";
import { secretKey } from "./secret-key.js";
import type { Workspace } from "./workspace.js";

/**
 * The key under which a workspace's texts are hashed in redacted reports. With one key the same text has the same hash in every report, so
 * that reports can be laid side by side. It is never part of a report.
 */
export function redactionKey(workspace: Pick<Workspace, "paths">): Buffer {
  const { redactionKey: file } = workspace.paths;
  const lost = "hashes of earlier reports fit no longer";
  return secretKey(file, { code: "bad_redaction_key", what: "a key of redacted reports", lost });
}

/**
 * What a hash is of. Each sort is hashed apart from the others: whoever may write content could otherwise write the name of a moderator, and know
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
 * text is found by trying: whoever has the report could hash every likely comment, name or number and compare.
 */
export function keyedHash(key: Buffer): KeyedHash {
  // No sort holds a NUL, so that no two pairs of sort and text are one.
  return (text, sort) => createHmac("sha256", key).update(`${sort}\0${text}`, "utf8").digest("hex").slice(0, 16);
}
