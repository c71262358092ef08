import type { Citation } from "../../domain/audit.js";
import type { PageText } from "../../figures/report-page.js";
import { cutText } from "./cut-text.js";

/** How what people and models wrote comes onto a page: as it is, or redacted. */
export interface Writing {
  redacted: boolean;
  /** Content, reasons, notes. `most`: characters shown. */
  text(whole: string, most: number): PageText;
  /** What an auditor cited in a decision of a community: it may be the words of a rule, and may be those of the content. */
  cited(whole: string, most: number, citation: Citation | null, community: string): PageText;
  /** The tokens of a citation. */
  tokens(tokens: [string, number][], citation: Citation | null, community: string): [string | null, number][];
  /** What went wrong, in words that may quote an answer. */
  message(whole: string, most: number): string;
  /** A word about the content, such as its kind or language, or the id of a rule that somebody named. */
  word(word: string): string | null;
  ruleId(id: string, community: string): string | null;
  /** The id of a rule that an auditor cites. */
  citedRule(id: string, community: string): string;
  /** Name or id of a person. */
  person(id: string): string;
}

/** Everything as it was written, as far as there is room. */
export const shownWriting: Writing = {
  redacted: false,
  text: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  cited: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  tokens: (tokens) => tokens,
  message: cutText,
  word: (word) => word,
  ruleId: (id) => id,
  citedRule: (id) => id,
  person: (id) => id,
};
