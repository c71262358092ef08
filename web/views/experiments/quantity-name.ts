import { sign } from "../../../src/present/words/signs.js";
import { nameText } from "../../../src/present/words/word-table.js";

/** Those of one scope are counted by what a trace cites. */
const BY_CITATION: readonly string[] = ["ambiguity_platform", "ambiguity_community"];

export function quantityName(quantity: string): string {
  return `${nameText(sign(quantity), 40)}${BY_CITATION.includes(quantity) ? ", by citation" : ""}`;
}
