import { printable } from "../../text/printable.js";
import type { Block } from "./document.js";

/** What must be kept in mind, one remark a paragraph: the end of every page of an experiment. */
export function noteBlocks(warnings: readonly string[]): Block[] {
  return warnings.map((text) => ({ kind: "text", text: `Note: ${printable(text, 400)}.` }));
}
