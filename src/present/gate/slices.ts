import type { GateReport } from "../../measures/gate/gate-report.js";
import { SLICE_MEASURES } from "../../measures/gate/slices.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { intervalText, pCell, plural, rateText } from "../words/numbers.js";
import { count } from "./verdict.js";

/** Rates by language, tag or any other property, with a warning where automation falls harder on one value. */
export function slicesSection({ slices, mode }: GateReport, rows: number): Block[] {
  if (!slices) return [];
  const blocks: Block[] = [{ kind: "heading", text: "Slices" }];
  for (const slice of new Set(slices.rows.map((row) => row.slice))) {
    const members = slices.rows.filter((row) => row.slice === slice);
    const shown = members.slice(0, rows);
    blocks.push(
      table(
        [printable(slice, 30), ">n", ">DI", "95 % interval", ">automated", ">automated L3"],
        shown.map((row) => [
          printable(row.value, 40),
          count(row.n),
          rateText(row.di),
          intervalText(row.di.estimate === null ? undefined : row.di),
          rateText(row.automation_rate),
          rateText(row.automated_indefensible_rate),
        ]),
      ),
    );
    if (shown.some((row) => row.tests.indefensible.p !== null)) {
      blocks.push(
        table(
          ["adjusted p", ">indefensible", ">automated", ">both"],
          shown.map((row) => [
            printable(row.value, 40),
            ...SLICE_MEASURES.map((measure) => pCell(row.tests[measure].adjusted_p)),
          ]),
        ),
      );
    }
    if (members.length > shown.length) {
      blocks.push({ kind: "text", text: `${plural(members.length - shown.length, "value")} more in the JSON.` });
    }
  }
  for (const warning of new Set(slices.warnings.slice(0, rows).map(({ text }) => text))) {
    blocks.push({ kind: "text", text: `Warning: ${printable(warning, 300)}` });
  }
  const found =
    slices.warnings.length > 0
      ? `${plural(slices.warnings.length, "difference is", "differences are")} more than chance would give`
      : "No difference is more than chance would give";
  blocks.push({
    kind: "text",
    text: `Automated: in communities that pass in mode ${mode}; automated L3: automated and indefensible, of all decisions of the value. Each value is compared with all others of its property on three measures; of two values both comparisons are the same one and count once. p is adjusted for these ${plural(slices.tests, "test")} (Holm): the smaller, the less a difference looks like chance. ${found} at ${+(100 * slices.alpha).toPrecision(3)} %. ${slices.note}`,
  });
  return blocks;
}
