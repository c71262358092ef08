import { useMemo } from "react";
import type { AttackResult } from "../../../src/experiments/attack/result.js";
import { ESCAPE_GROUPINGS, kindWords } from "../../../src/present/words/experiments/attack-words.js";
import { pCell, unbroken } from "../../../src/present/words/numbers.js";
import { pointerPart } from "../../../src/present/words/sentence.js";
import { wordOr } from "../../../src/present/words/word-table.js";
import { printable } from "../../../src/text/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { type Column, DataTable } from "../../parts/tables/data-table.tsx";

interface Row {
  by: string;
  group: string;
  escaped: number | null;
  n: number;
  at: string;
  p: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: "by", name: "By", value: ({ by }) => by },
  { key: "group", name: "Group", value: ({ group }) => group },
  {
    key: "escaped",
    name: "Escaped",
    value: ({ escaped }) => escaped,
    cell: ({ at, escaped }) => (escaped === null ? "–" : <Est at={at} />),
    align: "right",
  },
  { key: "p", name: "p of the grouping, corrected", value: ({ p }) => p, align: "right" },
];

/** Attacks on the input that no layer noticed, by what they have in common. */
export function EscapeTable({ result, at }: Kept<AttackResult>) {
  const { escapes } = result;
  const rows = useMemo(
    () =>
      Object.entries(escapes.by).flatMap(([name, { groups, adjusted_p }]) =>
        groups.map(
          ({ group, escaped }, i): Row => ({
            by: wordOr(ESCAPE_GROUPINGS, name, 30),
            group: printable(name === "kind" ? kindWords(group) : group.replaceAll("_", " "), 80),
            escaped: escaped.estimate,
            n: escaped.n,
            at: `${at}/escapes/by/${pointerPart(name)}/groups/${i}/escaped`,
            p: unbroken(pCell(adjusted_p)),
          }),
        ),
      ),
    [escapes, at],
  );
  if (escapes.all.estimate === null) return null;
  return (
    <>
      <p>
        <EstInText at={`${at}/escapes/all`} counts /> of the attacks on the input escape every layer.
      </p>
      <DataTable
        id="escapes-by"
        caption="Attacks on the input that no layer flagged"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.at}
        first={12}
      />
      <p className="small muted">
        p: whether shares as unequal as these arise by chance; corrected after Holm for the number of groupings.
        Groupings overlap: kinds of attack need different rules, so that a difference between kinds of rule may be one
        between kinds of attack.
      </p>
    </>
  );
}
