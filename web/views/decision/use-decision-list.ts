import { useMemo } from "react";
import { type DecisionFilters, filterDecisions, NO_FILTERS } from "../../../src/figures/decision-list.js";
import type { PageDecision } from "../../../src/figures/report-page.js";
import { usePage } from "../../data/page-context.ts";
import { useContentShown } from "../../parts/content-shown.ts";
import { sortRows } from "../../parts/sort-rows.ts";
import { useRoute } from "../../route/use-route.ts";
import { CONTENT_COLUMN, DECISION_COLUMNS } from "./decision-columns.tsx";

/** Names the list, and its place in the address. */
export const LIST_ID = "decisions";

/** Filters by their names in the address. */
export const FILTER_NAMES: Readonly<Record<keyof DecisionFilters, string>> = {
  community: "community",
  decision: "decision",
  level: "level",
  inverse: "inverse",
  agreement: "agreement",
  reason: "reason",
  flag: "flag",
  judged: "judged",
  rule: "rule",
  search: "q",
};

/** The decisions that the address asks for: filtered, and in the order of the table. */
export function useDecisionList(): { filtered: readonly PageDecision[]; sorted: readonly PageDecision[] } {
  const { decisions } = usePage();
  const [contentShown] = useContentShown();
  const { query } = useRoute();
  const asked = useMemo(() => {
    const filters = { ...NO_FILTERS };
    for (const [filter, name] of Object.entries(FILTER_NAMES)) {
      filters[filter as keyof DecisionFilters] = query.get(name) ?? "";
    }
    return filters;
  }, [query]);
  const filtered = useMemo(() => filterDecisions(decisions, asked, contentShown), [decisions, asked, contentShown]);
  const order = query.get(`${LIST_ID}.sort`) ?? "";
  const sorted = useMemo(() => sortRows(filtered, [...DECISION_COLUMNS, CONTENT_COLUMN], order), [filtered, order]);
  return { filtered, sorted };
}
