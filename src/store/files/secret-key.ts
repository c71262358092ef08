import { hash, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ReadHasher } from "../../audit/arms.js";
import { InputError } from "../../core/errors.js";
import type { ReadHashes } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import { type Content, contentParts } from "../../core/records/decision.js";
import { fileError } from "../../io/files.js";
import { wellFormed } from "../../text/printable.js";
import type { Workspace } from "./workspace.js";

const KEY_BYTES = 32;

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** A key of a workspace, made when it is first needed, readable by its owner alone. */
function secretKey(file: string, { code, what, lost }: { code: string; what: string; lost: string }): Buffer {
  if (!existsSync(file)) writeKey(file);
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw fileError(cause, file);
  }
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, "hex");
  throw new InputError(
    code,
    `${file}: is not ${what}; expected 64 hexadecimal digits`,
    `Restore it, or delete it: a new one is made then, and ${lost}.`,
  );
}

/** Written aside and linked into place: of two that make it at once, the first one's stays, and half a key is never read. */
function writeKey(file: string): void {
  const aside = `${file}.${process.pid}.${randomBytes(3).toString("hex")}.tmp`;
  try {
    writeFileSync(aside, `${newKey().toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    linkSync(aside, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw fileError(cause, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Keyed by a secret of the workspace's own, in `content.key`: a plain hash of a short post is found by trying. It is another key than that of
 * redacted reports, so that one can be erased without the other. Once it is erased, nothing can be learned from the hashes of audits, and all of
 * them are other than those of the next key.
 */
export function readHasher(workspace: Pick<Workspace, "paths">): ReadHasher {
  const lost = "audits made before fit no content any longer";
  return hasherOf(secretKey(workspace.paths.contentKey, { code: "bad_content_key", what: "a key of audits", lost }));
}

/** Hashes under a key. */
export function hasherOf(key: Buffer): ReadHasher {
  const hashOf = keyed(key.toString("hex"));
  const frames = new WeakMap<CaseFrame, Omit<ReadHashes, "content">>();
  return {
    content: (content) => hashOf("content", contentText(content)),
    frame: (frame) => {
      let known = frames.get(frame);
      if (!known) {
        known = {
          rules: hashOf("rules", JSON.stringify(frame.rules)),
          precedents: hashOf("precedents", JSON.stringify(frame.precedents)),
        };
        frames.set(frame, known);
      }
      return known;
    },
  };
}

const DIGITS = 32;

/** H(key, H(key, text)): twice, as in HMAC, so that a text cannot be lengthened without the key. One call each, three times as fast as an HMAC object. */
function keyed(key: string): (sort: keyof ReadHashes, text: string) => string {
  return (sort, text) => {
    const inner = hash("sha256", `${key}\0${sort}\0${text}`, "hex");
    return hash("sha256", `${key}\0${inner}`, "hex").slice(0, DIGITS);
  };
}

/** Everything of a content that an auditor may see, each part with its length: no text can pretend to be another part. */
function contentText(content: Content): string {
  const { title, body, kind, language, url, context, hasMedia } = contentParts(content);
  const parts = [title, body, kind ?? "", language ?? "", url ?? "", ...context];
  let text = hasMedia ? "media" : "";
  for (let i = 0; i < parts.length; i++) {
    const part = wellFormed(parts[i]!);
    text += `\0${part.length}:${part}`;
  }
  return text;
}

/**
 * The key under which a workspace's texts are hashed in redacted reports. With one key the same text has the same hash in every report, so
 * that reports can be laid side by side. It is never part of a report.
 */
export function redactionKey(workspace: Pick<Workspace, "paths">): Buffer {
  const { redactionKey: file } = workspace.paths;
  const lost = "hashes of earlier reports fit no longer";
  return secretKey(file, { code: "bad_redaction_key", what: "a key of redacted reports", lost });
}
