import type { ReportPage } from "../../measures/report-page.js";
import { formatNumber } from "./numbers.js";
import { valueAt } from "./pointer.js";
import type { Sentence } from "./sentence.js";

/** The sentence as plain text. A number that the page does not have is a dash, as on the page. */
export function sentenceText(page: ReportPage, parts: Sentence): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if ("term" in part) return part.text;
      const value = valueAt(page, part.at);
      return typeof value === "number" ? formatNumber(value, part.as) : "–";
    })
    .join("");
}
