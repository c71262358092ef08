import { pText } from "./numbers.js";

/** A p-value in a table whose head says that it is one: "0.031", "< 0.001", or a dash. */
export function pCell(p: number | null): string {
  return p === null
    ? "–"
    : pText(p)
        .replace(/^p (= )?/, "")
        .replace(" ", "\u00a0");
}
