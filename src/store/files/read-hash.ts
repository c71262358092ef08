import { hash } from "node:crypto";
import type { ReadHasher } from "../../audit/read-hasher.js";
import type { ReadHashes } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import { type Content, contentParts } from "../../core/records/decision.js";
import { wellFormed } from "../../text/printable.js";
import { secretKey } from "./secret-key.js";
import type { Workspace } from "./workspace.js";

/**
 * Keyed by a secret of the workspace's own, in `content.key`: a plain hash of a short post is found by trying. It is another key than that of
 * redacted reports, so that one can be erased without the other. Once it is erased, nothing can be told from the hashes of audits, and all of
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

/** H(key, H(key, text)): twice, as in HMAC, so that nobody can lengthen a text without the key. One call each, three times as fast as an HMAC object. */
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
