import { createHash } from "node:crypto";

/**
 * The code on both fence lines around the content: the first 16 hex digits of SHA-256 over all that belongs to this decision. The same
 * case has the same code, so that the same question has the same text and can be answered from a cache. An author cannot write it into his
 * own content: the content would have to hold its own hash. If it stands somewhere all the same, the next number is hashed in.
 */
export function fenceNonce(parts: readonly string[], isTaken: (nonce: string) => boolean): string {
  for (let count = 0; ; count++) {
    const nonce = hashParts([String(count), ...parts]).slice(0, 16);
    if (!isTaken(nonce)) return nonce;
  }
}

/** SHA-256 in hex. Each part is preceded by its length: no two lists of parts are the same text. */
export function hashParts(parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest("hex");
}
