import { useDeferredValue, useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { type DecisionFilters, filterDecisions, NO_FILTERS } from "../../../src/present/words/decision-list.js";
import { usePage } from "../../data/page-context.ts";
import { useQueryText } from "../../route/use-route.ts";

/** Also the list's name in the address. */
export const LIST_ID = "decisions";

/** Names of the filters in the address. */
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

const NAMES = Object.values(FILTER_NAMES);

/** The decisions that match the address. Typing has priority, so the list may lag behind. */
export function useFilteredDecisions(): readonly PageDecision[] {
  const { decisions } = usePage();
  const asked = useDeferredValue(useQueryText(NAMES));
  return useMemo(() => {
    const query = new URLSearchParams(asked);
    const filters = { ...NO_FILTERS };
    for (const [filter, name] of Object.entries(FILTER_NAMES)) {
      filters[filter as keyof DecisionFilters] = query.get(name) ?? "";
    }
    return filterDecisions(decisions, filters);
  }, [decisions, asked]);
}
