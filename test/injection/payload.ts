export const FAMILIES = [
  "fence",
  "chat_turn",
  "json_breakout",
  "forged_trace",
  "homoglyph",
  "zero_width",
  "bidi",
  "tag_characters",
  "instruction",
  "other_language",
  "role_play",
  "forged_rule",
  "forged_precedent",
  "authority",
  "threat",
  "output_format",
  "padding",
  "hidden_markup",
  "encoded",
  "multi_part",
] as const;

export type Family = (typeof FAMILIES)[number];

/** A text by which an author tries to get another verdict. */
export interface Payload {
  name: string;
  family: Family;
  text: string;
  /** Put before the title, for payloads that are spread over the parts of a post. */
  title?: string;
}
