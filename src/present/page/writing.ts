import type { Citation } from "../../core/records/audit.js";
import type { PageText } from "../../measures/report-page.js";
import type { HashedSort } from "../../store/files/secret-key.js";

/** How what people and models wrote comes onto a page: as it is, or redacted. */
export interface Writing {
  redacted: boolean;
  /** Content, reasons, notes. `most`: characters shown; `sort`: what it is. */
  text(whole: string, most: number, sort: HashedSort): PageText;
  /** What an auditor cited in a decision of a community: it may be the words of a rule, and may be those of the content. */
  cited(whole: string, most: number, citation: Citation | null, community: string): PageText;
  /** The tokens of a citation. */
  tokens(tokens: [string, number][], citation: Citation | null, community: string): [string | null, number][];
  /** What went wrong, in words that may quote an answer. */
  message(whole: string, most: number): string;
  /** What sort of content it is, and its language. */
  kind(kind: string): string | null;
  language(name: string): string | null;
  /** When something was decided, in whatever words. */
  date(text: string): string | null;
  /** Which rules applied, `<platform>+<community>`, or the version of one rule set. */
  version(version: string): string;
  /** Why an audit failed, as a code. */
  code(code: string): string;
  /** The id of a rule that somebody named. */
  ruleId(id: string, community: string): string | null;
  /** The id of a rule that an auditor cites. */
  citedRule(id: string, community: string): string;
  /** Name or id of a person. */
  person(id: string): string;
  /** Name of a model or of another program that decides. */
  model(id: string): string;
}

/** Everything as it was written, as far as there is room. */
export const shownWriting: Writing = {
  redacted: false,
  text: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  cited: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  tokens: (tokens) => tokens,
  message: cutText,
  kind: (kind) => kind,
  language: (name) => name,
  date: (text) => text,
  version: (version) => version,
  code: (code) => code,
  ruleId: (id) => id,
  citedRule: (id) => id,
  person: (id) => id,
  model: (id) => id,
};

/** The beginning of a text, cut between two characters and not inside one. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 1);
  const end = before >= 0xd800 && before <= 0xdbff ? most - 1 : most;
  // By way of a buffer: a slice would keep the whole text in memory.
  return Buffer.from(text.slice(0, Math.max(0, end)), "utf16le").toString("utf16le");
}
