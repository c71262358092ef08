import { useEffect, useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { whole } from "../../../src/present/words/numbers.js";
import { sortRows } from "../../parts/sort-rows.ts";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { DECISION_COLUMNS } from "./decision-columns.tsx";
import { LIST_ID, useFilteredDecisions } from "./use-decision-list.ts";

/** The way back to the list, and to the decisions before and after this one in it. */
export function DecisionNav({ decision }: { decision: PageDecision }) {
  const { query } = useRoute();
  const filtered = useFilteredDecisions();
  const order = query.get(`${LIST_ID}.sort`) ?? "";
  const sorted = useMemo(() => sortRows(filtered, DECISION_COLUMNS, order), [filtered, order]);
  const place = sorted.indexOf(decision);
  const addressOf = (at: number) => (place >= 0 && sorted[at] ? routeHash("decision", [sorted[at].id], query) : null);
  const previous = addressOf(place - 1);
  const next = addressOf(place + 1);
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const { target } = event;
      const typing = target instanceof HTMLElement && target.closest("input, select, textarea") !== null;
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const to = event.key === "j" ? next : event.key === "k" ? previous : null;
      if (to) window.location.hash = to;
    };
    window.addEventListener("keydown", turn);
    return () => window.removeEventListener("keydown", turn);
  }, [previous, next]);
  return (
    <nav className="decision-nav" aria-label="Decisions of the list">
      <a href={routeHash("decision", [], query)}>All decisions</a>
      <span className="muted">
        {place < 0
          ? "not among those that pass the filters"
          : `${whole(place + 1)} of ${whole(sorted.length)} in this list`}
      </span>
      <Turn to={previous} name="Previous" shortcut="k" />
      <Turn to={next} name="Next" shortcut="j" />
    </nav>
  );
}

function Turn({ to, name, shortcut }: { to: string | null; name: string; shortcut: string }) {
  if (!to) return <span className="muted">{name}</span>;
  return (
    <a href={to} aria-keyshortcuts={shortcut} title={`${name} (key ${shortcut})`}>
      {name}
    </a>
  );
}
