import { memo, useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { listedSentence } from "../../../src/present/words/decision-list.js";
import { plural } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { useContentShown } from "../../parts/content-shown.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { routeHash } from "../../route/route.ts";
import { DECISION_COLUMNS, ID_WITH_CONTENT } from "./decision-columns.tsx";
import { DecisionFilters } from "./decision-filters.tsx";
import { LIST_ID, useFilteredDecisions } from "./use-decision-list.ts";

interface ListedProps {
  decisions: readonly PageDecision[];
  columns: readonly Column<PageDecision>[];
}

/** Made anew only for other decisions or columns, not while somebody types what to look for. */
const Listed = memo(function Listed({ decisions, columns }: ListedProps) {
  return (
    <DataTable
      id={LIST_ID}
      caption={`${plural(decisions.length, "decision")}, those that need a look most first unless sorted otherwise`}
      columns={columns}
      rows={decisions}
      rowKey={({ id }) => id}
      paged
      empty={
        <Nothing why="No listed decision passes these filters.">
          <p>
            <a href={routeHash("decision")}>Show all listed decisions</a>
          </p>
        </Nothing>
      }
    />
  );
});

/** All listed decisions, by filters that live in the address. */
export function DecisionList() {
  const page = usePage();
  const filtered = useFilteredDecisions();
  const [contentShown] = useContentShown();
  const columns = useMemo(() => {
    return contentShown && !page.redacted ? [ID_WITH_CONTENT, ...DECISION_COLUMNS.slice(1)] : DECISION_COLUMNS;
  }, [contentShown, page.redacted]);
  return (
    <div className="view">
      <h1>Decisions</h1>
      <p className="lead">{listedSentence(page)}</p>
      {page.redacted && (
        <p className="muted">Contents and reasonings are redacted in this report: lengths and hashes stand for them.</p>
      )}
      {page.decisions.length > 0 ? (
        <>
          <DecisionFilters />
          <Listed decisions={filtered} columns={columns} />
        </>
      ) : (
        page.decisions_of === null && (
          <Nothing
            why="The report was written without single decisions, so that it can be given to people who may not see them."
            command="defensible report --html FILE"
          />
        )
      )}
    </div>
  );
}
