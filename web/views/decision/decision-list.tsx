import { useMemo } from "react";
import { listedSentence } from "../../../src/figures/decision-list.js";
import { plural } from "../../../src/figures/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { useContentShown } from "../../parts/content-shown.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { routeHash } from "../../route/route.ts";
import { CONTENT_COLUMN, DECISION_COLUMNS } from "./decision-columns.tsx";
import { DecisionFilters } from "./decision-filters.tsx";
import { LIST_ID, useDecisionList } from "./use-decision-list.ts";

/** All listed decisions, by filters that live in the address. */
export function DecisionList() {
  const page = usePage();
  const { filtered } = useDecisionList();
  const [contentShown] = useContentShown();
  const columns = useMemo(() => {
    const [id, ...others] = DECISION_COLUMNS;
    return contentShown && !page.redacted ? [id!, CONTENT_COLUMN, ...others] : DECISION_COLUMNS;
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
          <DataTable
            id={LIST_ID}
            caption={`${plural(filtered.length, "decision")}, those that need a look most first unless sorted otherwise`}
            columns={columns}
            rows={filtered}
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
