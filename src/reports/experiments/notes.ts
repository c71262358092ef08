import type { Block } from "../document.js";
import { printable } from "../printable.js";

/** What must be kept in mind, one remark a paragraph: the end of every page of an experiment. */
export function noteBlocks(warnings: readonly string[]): Block[] {
  return warnings.map((text) => ({ kind: "text", text: `Note: ${printable(text, 400)}.` }));
}
