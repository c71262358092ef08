import { createHmac, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors.js";
import { fileError } from "../ledger/files.js";
import type { Workspace } from "./workspace.js";

const KEY_BYTES = 32;

/** Where the key of a workspace's redacted reports is kept. It is never part of a report. */
export function redactionKeyFile(workspace: Pick<Workspace, "root">): string {
  return join(workspace.root, "redaction.key");
}

/** A key for one report, which nobody keeps: its hashes fit those of no other. */
export function newRedactionKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/**
 * The key under which a workspace's texts are hashed in redacted reports; made when it is first needed, readable by its owner alone. With one
 * key the same text has the same hash in every report, so that reports can be laid side by side.
 */
export function redactionKey(workspace: Pick<Workspace, "root">): Buffer {
  const file = redactionKeyFile(workspace);
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
 * 16 hexadecimal digits by which a text is known again. With a secret key (HMAC-SHA-256), because a plain hash of a short text is found by
 * trying: whoever has the report could hash every likely comment, name or number and compare.
 */
export function keyedHash(key: Buffer): (text: string) => string {
  return (text) => createHmac("sha256", key).update(text, "utf8").digest("hex").slice(0, 16);
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
