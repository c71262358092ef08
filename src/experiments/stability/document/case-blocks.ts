import type { Stability, StabilityCase } from "../../../core/results/stability.js";
import { type Block, table } from "../../../present/document/document.js";
import { decimal, plural } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import { temperatureText, words } from "./words.js";

/** The least stable cases at the lowest temperature. */
export function caseBlocks({ cases, temperatures }: Stability, rows: number): Block[] {
  const first = temperatures[0];
  const own = cases.filter(
    ({ arm, run, temperature }) => arm === first?.arm && run === first.run && temperature === first.temperature,
  );
  if (own.length === 0) return [];
  const sorted = [...own].sort(
    (a, b) =>
      (b.boundary_flip_rate ?? 0) - (a.boundary_flip_rate ?? 0) || (a.dominant_share ?? 0) - (b.dominant_share ?? 0),
  );
  const hidden = own.length - Math.min(rows, own.length);
  return [
    { kind: "heading", text: `Least stable cases, ${temperatureText(first!.temperature)}` },
    table(
      ["decision", ">L1/L2/L3", ">sd S", ">sd p", "class", "boundary"],
      sorted
        .slice(0, rows)
        .map((row) => [
          printable(row.decision_id, 22),
          `${row.levels["1"]}/${row.levels["2"]}/${row.levels["3"]}`,
          decimal(row.sd_pds, 3),
          decimal(row.sd_p_defensible, 3),
          stateText(row.class, row.class_between, row.k),
          stateText(row.boundary, row.boundary_between, row.k),
        ]),
    ),
    {
      kind: "text",
      text: `L1/L2/L3: audits by level. sd p: of P(defensible). "a or b": the replicates do not tell which.${hidden > 0 ? ` ${plural(hidden, "case")} more, and the other temperatures, in the JSON.` : ""}`,
    },
  ];
}

/** Two of them must stand in one cell of a table. */
const SHORT: Readonly<Record<string, string>> = {
  stably_defensible: "defensible",
  boundary_unstable: "unstable",
  stably_indefensible: "indefensible",
  mostly_stable: "mostly",
  highly_unstable: "unstable",
};

function stateText(
  state: StabilityCase["class" | "boundary"],
  between: readonly string[] | undefined,
  k: number,
): string {
  if (state !== "undetermined") return words(state);
  if (!between || between.length > 2 || between.length === 0) return k < 30 ? "too few replicates" : "undetermined";
  return between.map((name) => SHORT[name] ?? words(name)).join(" or ");
}
