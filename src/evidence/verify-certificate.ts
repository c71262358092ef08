import type { KeyObject } from "node:crypto";
import { safeJson } from "../text/printable.js";
import { canonicalJson, hashOf } from "./canonical.js";
import {
  type Certificate,
  type CertificateBasis,
  certificateBasisSchema,
  certificateSchema,
  type Derived,
} from "./certificate.js";
import { derive } from "./derive.js";
import { type SignatureProblem, signatureProblem, signValue } from "./signature.js";

/** Creates a certificate. The same basis and key give the same bytes. Unpaired surrogates, which no file can contain, are replaced. */
export function buildCertificate(basis: CertificateBasis, key: KeyObject | null = null): Certificate {
  const parsed = certificateBasisSchema.parse(JSON.parse(safeJson(JSON.stringify(basis))));
  const body = { ...parsed, ...derive(parsed) };
  return certificateSchema.parse({ ...body, sha256: hashOf(body), signature: key && signValue(body, key) });
}

/** The file of a certificate. There is only one valid spelling, so every changed byte is detected. Control characters are escaped, for terminals. */
export function certificateText(certificate: Certificate): string {
  return `${safeJson(JSON.stringify(certificate, null, 2))}\n`;
}

export type CertificateProblem =
  | { code: "not_json" | "other_format" | "not_canonical" | "other_hash" | SignatureProblem; path: string }
  /** A field is missing, unknown or of another type. */
  | { code: "bad_field"; path: string; message: string }
  /** The value does not follow from the records in the certificate. */
  | { code: "other_value"; path: string };

export interface CertificateCheck {
  ok: boolean;
  problems: CertificateProblem[];
  /** null: it could not be read. */
  certificate: Certificate | null;
}

/**
 * Recomputes every hash, quote, span and number of a certificate. For a text, its spelling is checked too. `trusted`: the public key it must be
 * signed with; without it, a signature is checked against the key that it names. No I/O.
 */
export function verifyCertificate(given: unknown, trusted: KeyObject | null = null): CertificateCheck {
  let value = given;
  if (typeof given === "string") {
    try {
      value = JSON.parse(given);
    } catch {
      return { ok: false, problems: [{ code: "not_json", path: "" }], certificate: null };
    }
  }
  if (!hasFormat(value)) return { ok: false, problems: [{ code: "other_format", path: "" }], certificate: null };
  const parsed = certificateSchema.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      ...{ code: "bad_field" as const, path: path.join("."), message },
    }));
    return { ok: false, problems, certificate: null };
  }
  const certificate = parsed.data;
  const { sha256, signature, ...body } = certificate;
  const problems: CertificateProblem[] = [];
  const basis = certificateBasisSchema.strip().parse(body);
  let expected: Derived | null = null;
  try {
    expected = derive(basis);
    if (!body.hashes.parts) delete expected.hashes.parts;
  } catch {
    problems.push({ code: "other_value", path: "numbers" });
  }
  if (expected) compare(expected, body, "", problems);
  if (hashOf(body) !== sha256) problems.push({ code: "other_hash", path: "sha256" });
  const signed = signatureProblem(body, signature, trusted);
  if (signed) problems.push({ code: signed, path: "signature" });
  const isSame =
    typeof given === "string"
      ? given === certificateText(certificate)
      : canonicalJson(value) === canonicalJson(certificate);
  if (!isSame) {
    problems.push({ code: "not_canonical", path: "" });
  }
  return { ok: problems.length === 0, problems, certificate };
}

/** Whether a value is intended as a certificate, of any version. */
function hasFormat(value: unknown): boolean {
  const { format } = (value ?? {}) as { format?: unknown };
  return typeof format === "string" && format.startsWith("defensible/certificate/");
}

/** Last digits of exponentials and logarithms may differ between machines. */
const CLOSE = 1e-9;

/** All expected values must be there, and no others. */
function compare(expected: unknown, found: unknown, path: string, problems: CertificateProblem[]): void {
  if (typeof expected === "number" && typeof found === "number") {
    if (Math.abs(expected - found) > CLOSE * Math.max(1, Math.abs(expected)))
      problems.push({ code: "other_value", path });
  } else if (typeof expected === "object" && expected !== null && typeof found === "object" && found !== null) {
    const [own, other] = [expected as Record<string, unknown>, found as Record<string, unknown>];
    if (Array.isArray(own) && own.length !== (other as unknown as unknown[]).length) {
      problems.push({ code: "other_value", path });
    }
    // At the top level, the members that the rest follows from are there too.
    const keys = path && !Array.isArray(own) ? new Set([...Object.keys(own), ...Object.keys(other)]) : Object.keys(own);
    for (const key of keys) compare(own[key], other[key], path ? `${path}.${key}` : key, problems);
  } else if (canonicalJson(expected) !== canonicalJson(found)) problems.push({ code: "other_value", path });
}
