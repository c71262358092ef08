import { memo, useEffect } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { lacksDecisions, listedSentence } from "../../../src/present/words/decision-list.js";
import { plural } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { BlurContent, useContentShown } from "../../parts/controls/content-shown.tsx";
import { download } from "../../parts/download.ts";
import { isTyping, listen } from "../../parts/listen.ts";
import { Nothing } from "../../parts/nothing.tsx";
import { DataTable } from "../../parts/tables/data-table.tsx";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { DecisionPage } from "./decision-page.tsx";
import { decisionsCsv, LIST_COLUMNS } from "./decision-table.tsx";
import { DecisionFilters } from "./filters.tsx";
import { LIST_ID, useFilteredDecisions } from "./use-decision-list.ts";

export function ReviewView() {
  const [id] = useRoute().about;
  return id ? <DecisionPage id={id} /> : <DecisionList />;
}

/** Rendered again only for other decisions, not while the reader types a search. */
const Listed = memo(function Listed({ decisions }: { decisions: readonly PageDecision[] }) {
  return (
    <DataTable
      id={LIST_ID}
      caption={`${plural(decisions.length, "decision")}, most urgent first unless sorted otherwise`}
      columns={LIST_COLUMNS}
      rows={decisions}
      rowKey={({ id }) => id}
      paged
      empty={
        <Nothing why="No listed decision passes these filters.">
          <p>
            <a href={routeHash("review")}>Show all listed decisions</a>
          </p>
        </Nothing>
      }
    />
  );
});

/** All listed decisions, with filters in the address. */
function DecisionList() {
  const page = usePage();
  const filtered = useFilteredDecisions();
  useRowKeys();
  return (
    <div className="view review">
      <h1>Which decisions need a review?</h1>
      <p className="lead">
        {lacksDecisions(page) || page.decisions.length < 2
          ? listedSentence(page)
          : `All ${plural(page.decisions.length, "decision")}, most urgent first.`}
      </p>
      {page.redacted && (
        <p className="muted">Contents and reasonings are redacted in this report: only lengths and hashes remain.</p>
      )}
      {page.decisions.length > 0 ? (
        <>
          <DecisionFilters />
          <ListTools decisions={filtered} />
          <Listed decisions={filtered} />
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

/** The filtered list as a file, the blur switch, and the keys. */
function ListTools({ decisions }: { decisions: readonly PageDecision[] }) {
  const { redacted } = usePage();
  const [shown] = useContentShown();
  return (
    <div className="list-tools">
      <button
        type="button"
        onClick={() => download("decisions.csv", "text/csv", decisionsCsv(decisions, shown && !redacted))}
      >
        CSV of {plural(decisions.length, "decision")}
      </button>
      {!redacted && <BlurContent />}
      <span className="muted small on-screen">
        Keys: <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>Enter</kbd> opens
      </span>
    </div>
  );
}

/** The keys j and k move between rows. */
function useRowKeys(): void {
  useEffect(() => {
    const step = (event: KeyboardEvent) => {
      if (isTyping(event) || !/^[jk]$/.test(event.key)) return;
      const links = [...document.querySelectorAll<HTMLElement>(`#${LIST_ID} tbody td:first-child a:first-child`)];
      const place = links.findIndex((link) => link.closest("tr")!.contains(document.activeElement));
      const next = links[place < 0 ? 0 : place + (event.key === "j" ? 1 : -1)];
      next?.focus();
    };
    return listen({ keydown: step });
  }, []);
}
