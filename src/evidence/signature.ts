import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { InputError } from "../core/errors.js";
import { canonicalJson } from "./canonical.js";

/** An Ed25519 signature over the canonical JSON of a value. */
export interface Signature {
  algorithm: "ed25519";
  /** The first 16 hexadecimal digits of the SHA-256 of the public key (DER). */
  key_id: string;
  /** The public key (DER, base64). To trust it, a reader must know it from another source. */
  public_key: string;
  value: string;
}

/** PKCS #8 prefix of the 32 bytes of an Ed25519 seed, and SPKI prefix of those of a public key. */
const SEED_PREFIX = "302e020100300506032b657004220420";
const PUBLIC_PREFIX = "302a300506032b6570032100";

/** A private key as PEM, or as the base64 of its 32-byte seed. */
export function readSigningKey(text: string): KeyObject {
  return readKey(text, "a private Ed25519 key", (given) =>
    createPrivateKey(typeof given === "string" ? given : { ...der(SEED_PREFIX, given), type: "pkcs8" }),
  );
}

/** A public key as PEM, or as base64: 32 bytes, or DER. */
export function readPublicKey(text: string): KeyObject {
  return readKey(text, "a public Ed25519 key", (given) =>
    createPublicKey(typeof given === "string" ? given : { ...der(PUBLIC_PREFIX, given), type: "spki" }),
  );
}

function der(prefix: string, bytes: Buffer): { key: Buffer; format: "der" } {
  return { key: bytes.length === 32 ? Buffer.concat([Buffer.from(prefix, "hex"), bytes]) : bytes, format: "der" };
}

/** The error never contains the text, which may be a secret. */
function readKey(text: string, what: string, read: (given: string | Buffer) => KeyObject): KeyObject {
  try {
    const trimmed = text.trim().replaceAll("\\n", "\n");
    const key = read(trimmed.startsWith("-----") ? trimmed : Buffer.from(trimmed, "base64"));
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Reported below.
  }
  throw new InputError("bad_key", `key: not ${what}`, "Give PEM, or the base64 of its 32 bytes.");
}

function derOf(key: KeyObject): Buffer {
  const own = key.type === "private" ? createPublicKey(key) : key;
  return own.export({ type: "spki", format: "der" });
}

/** Id of a key, the same for its private and its public half. */
function keyId(key: KeyObject): string {
  return createHash("sha256").update(derOf(key)).digest("hex").slice(0, 16);
}

export function signValue(value: unknown, key: KeyObject): Signature {
  return {
    algorithm: "ed25519",
    key_id: keyId(key),
    public_key: derOf(key).toString("base64"),
    value: sign(null, Buffer.from(canonicalJson(value)), key).toString("base64"),
  };
}

export type SignatureProblem = "bad_signature" | "other_key" | "unsigned";

/** null: the signature is valid. `trusted`: the key it must be made with; default: the key inside the signature. */
export function signatureProblem(
  value: unknown,
  signature: Signature | null,
  trusted: KeyObject | null,
): SignatureProblem | null {
  if (signature === null) return trusted === null ? null : "unsigned";
  try {
    const key = createPublicKey({ key: Buffer.from(signature.public_key, "base64"), format: "der", type: "spki" });
    if (derOf(key).toString("base64") !== signature.public_key || keyId(key) !== signature.key_id)
      return "bad_signature";
    const bytes = Buffer.from(signature.value, "base64");
    // Only one spelling of each signature is accepted, because base64 ignores bits after the end.
    if (bytes.toString("base64") !== signature.value) return "bad_signature";
    if (!verify(null, Buffer.from(canonicalJson(value)), key, bytes)) return "bad_signature";
    return trusted !== null && keyId(trusted) !== signature.key_id ? "other_key" : null;
  } catch {
    return "bad_signature";
  }
}
