import { auditSchema, citationSchema } from "../../core/records/audit.js";
import { decisionSchema } from "../../core/records/decision.js";
import { partialTraceSchema } from "../../core/records/trace.js";
import { doubleOf, foldCharacter } from "../../text/injection/characters.js";

/** Keys that are read, and what was found out about others. */
interface KnownKeys {
  names: ReadonlySet<string>;
  folded: ReadonlySet<string>;
  /** By unknown key: whether it looks like a known one. Emptied when it grows, since keys are whatever is sent. */
  others: Map<string, boolean>;
}

const REMEMBERED = 1000;

const DECISION = knownKeys([...Object.keys(decisionSchema.shape), "audit"], ["appeals"]);
const CONTENT = knownKeys(["title", "body", "kind", "language", "context", "url", "media"]);
const AUDIT = knownKeys(Object.keys(auditSchema.shape));
const CITATION = knownKeys(Object.keys(citationSchema.shape));
const TRACE = knownKeys(Object.keys(partialTraceSchema.shape));

/**
 * Whether a decision or its audit has a key that differs from a known one only in case, punctuation or letters that look alike (`Appeal`, a Cyrillic `а`), or hides
 * members under `__proto__`. Such a key is not read, and was meant to be.
 */
export function hasLookAlikeKeys(decision: object, audit: object | null): boolean {
  const { content } = decision as { content?: unknown };
  if (hasAny(decision, DECISION) || hasAny(content, CONTENT)) return true;
  if (audit === null) return false;
  const { citation, inverse_citation, trace } = audit as Record<string, unknown>;
  return (
    hasAny(audit, AUDIT) || hasAny(citation, CITATION) || hasAny(inverse_citation, CITATION) || hasAny(trace, TRACE)
  );
}

function hasAny(value: unknown, known: KnownKeys): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (!known.names.has(key) && looksKnown(key, known)) return true;
  return false;
}

function looksKnown(key: string, { folded, others }: KnownKeys): boolean {
  let looks = others.get(key);
  if (looks === undefined) {
    looks = folded.has(fold(key));
    if (others.size >= REMEMBERED) others.clear();
    others.set(key, looks);
  }
  return looks;
}

/** @param meant other spellings of a name, which are not read */
function knownKeys(names: readonly string[], meant: readonly string[] = []): KnownKeys {
  return { names: new Set(names), folded: new Set([...names, ...meant, "__proto__"].map(fold)), others: new Map() };
}

/** Compatible characters are one, so are letters that look alike, and only letters and digits count. */
function fold(key: string): string {
  return [...key]
    .map((character) => foldCharacter(character.codePointAt(0)!))
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/\P{ASCII}/gu, (letter) => doubleOf(letter) ?? letter);
}
