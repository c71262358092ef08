import type { Citation } from "../../core/records/audit.js";
import type { PageText } from "../../measures/report-page.js";
import type { HashedSort } from "./pseudonyms.js";

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
  /** A word that may be one of a fixed vocabulary; null where it is another one that must not be shown. */
  code(text: string, sort: "kind" | "date" | "error" | "model"): string | null;
  /** A name by which the same person, language or version is known again. A version is `<platform>+<community>`, or one rule set's. */
  name(text: string, sort: "person" | "language" | "version"): string;
  /** The id of a rule as a person named it. */
  ruleId(id: string, community: string): string | null;
  /** The id of a rule that an auditor cites. */
  citedRule(id: string, community: string): string;
}

const same = (text: string) => text;

/** Everything as it was written, as far as there is room. */
export const shownWriting: Writing = {
  redacted: false,
  text: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  cited: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  tokens: (tokens) => tokens,
  message: cutText,
  code: same,
  name: same,
  ruleId: same,
  citedRule: same,
};

/** The beginning of a text, cut between two characters and not inside one. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 1);
  const end = before >= 0xd800 && before <= 0xdbff ? most - 1 : most;
  // By way of a buffer: a slice would keep the whole text in memory.
  return Buffer.from(text.slice(0, Math.max(0, end)), "utf16le").toString("utf16le");
}
