import { createHmac, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { InputError } from "../errors.js";
import { fileError } from "../ledger/files.js";
import type { Workspace } from "./workspace.js";

const KEY_BYTES = 32;

/** A key for one report, which nobody keeps: its hashes fit those of no other. */
export function newRedactionKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/**
 * The key under which a workspace's texts are hashed in redacted reports; made when it is first needed, readable by its owner alone. With one
 * key the same text has the same hash in every report, so that reports can be laid side by side. It is never part of a report.
 */
export function redactionKey(workspace: Pick<Workspace, "paths">): Buffer {
  const file = workspace.paths.redactionKey;
  if (!existsSync(file)) writeKey(file);
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw fileError(cause, file);
  }
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, "hex");
  throw new InputError(
    "bad_redaction_key",
    `${file}: is not a key of redacted reports; expected 64 hexadecimal digits`,
    "Restore it, or delete it: a new one is made then, and hashes of earlier reports fit no longer.",
  );
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

/** Written aside and linked into place: of two that make it at once, the first one's stays, and nobody reads half a key. */
function writeKey(file: string): void {
  const aside = `${file}.${process.pid}.${randomBytes(3).toString("hex")}.tmp`;
  try {
    writeFileSync(aside, `${newRedactionKey().toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    linkSync(aside, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw fileError(cause, file);
  } finally {
    rmSync(aside, { force: true });
  }
}
