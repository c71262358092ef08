import { useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { usePage } from "../../data/page-context.ts";
import { DecisionLink } from "../../parts/links.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { type Column, DataTable } from "../../parts/tables/data-table.tsx";
import { Term } from "../../parts/text/term.tsx";
import { DECISION_COLUMNS } from "./columns.tsx";

interface DecisionTableProps {
  id: string;
  caption: string;
  decisions: readonly PageDecision[];
  /** The list that these are part of, as the address of the decisions names it: from one decision the reader can go on to the next. */
  list: Readonly<Record<string, string>>;
  /** Columns after the id, by their keys. */
  columns: readonly string[];
  first?: number;
}

/** Decisions inside another view, without contents: what was decided, what the audit says, and why it is worth a look. */
export function DecisionTable({ id, caption, decisions, list, columns: keys, first = 20 }: DecisionTableProps) {
  const columns = useMemo(
    () => [
      linkColumn(list),
      ...keys.flatMap((key) => [...DECISION_COLUMNS, OVERLAP].filter((column) => column.key === key)),
    ],
    [list, keys],
  );
  return (
    <DataTable id={id} caption={caption} columns={columns} rows={decisions} rowKey={(row) => row.id} first={first} />
  );
}

function linkColumn(list: Readonly<Record<string, string>>): Column<PageDecision> {
  return {
    key: "id",
    name: "Decision",
    value: ({ id }) => id,
    cell: ({ id }) => <DecisionLink id={id} list={list} />,
  };
}

const OVERLAP: Column<PageDecision> = {
  key: "overlap",
  name: "Words found",
  head: <Term symbol="overlap">Words found</Term>,
  value: ({ audit }) => audit.citation?.overlap ?? null,
  cell: (decision) => <Overlap decision={decision} />,
  align: "right",
};

function Overlap({ decision }: { decision: PageDecision }) {
  return <Num at={`/decisions/${usePage().decisions.indexOf(decision)}/audit/citation/overlap`} as="percent" />;
}
