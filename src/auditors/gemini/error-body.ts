import { blotSecrets } from "../http/blot-secrets.js";
import { list, record, text } from "./loose.js";

/** What Google says in an error, in plain values. */
export interface ErrorBody {
  words: string;
  /** `google.rpc` details: RetryInfo, QuotaFailure, ErrorInfo … */
  details: readonly unknown[];
}

const MAX_DEPTH = 5;
const MAX_SCANNED = 100_000;
const MAX_WORDS = 500;

/**
 * The SDK puts the body's JSON into the message of its error. A body that was not called JSON by its headers is wrapped once more,
 * a stream's is an array, and some begin with words ("got status: 429 …"): so it is unpacked until no JSON is left inside.
 */
export function readErrorBody(message: string, depth = 0): ErrorBody {
  const start = message.search(/[[{]/);
  if (start >= 0 && depth < MAX_DEPTH) {
    const parsed = parse(message.slice(start));
    const body = record(Array.isArray(parsed) ? parsed[0] : parsed);
    const error = typeof body.error === "object" ? record(body.error) : body;
    const inner = text(error.message) ?? text(body.error);
    if (inner !== null) {
      const deeper = readErrorBody(inner, depth + 1);
      return deeper.details.length > 0 ? deeper : { words: deeper.words, details: list(error.details) };
    }
  }
  return { words: message, details: [] };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const KEY_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bAIza[\w-]{10,}/g, "[key]"],
  [/\bAQ\.[\w-]{10,}/g, "[key]"],
  [/\bya29\.[\w.-]+/g, "[token]"],
  [/\b(Bearer\s+)[^\s"',]+/gi, "$1[token]"],
  [/([?&](?:key|access_token)=)[^&\s"']+/gi, "$1[key]"],
];

/** Words fit to be shown and kept: no keys, one printable line, at most 500 characters. */
export function safeWords(words: string, secrets: readonly string[]): string {
  let safe = blotSecrets(words.slice(0, MAX_SCANNED), secrets, { shortest: 4, mark: "[key]" });
  for (const [form, replacement] of KEY_FORMS) safe = safe.replace(form, replacement);
  safe = safe
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return safe.length <= MAX_WORDS ? safe : `${safe.slice(0, MAX_WORDS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
