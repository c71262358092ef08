import { memo, useMemo } from "react";
import { LOOK_REASONS, type PageDecision } from "../../../src/measures/report-page.js";
import { FLAG_WORDS, OUTCOME_WORDS } from "../../../src/present/words/audit-words.js";
import {
  agreementOf,
  citedRuleKey,
  inverseOf,
  levelsOf,
  searchedKinds,
} from "../../../src/present/words/decision-list.js";
import { type Judgement, judgementOf } from "../../../src/present/words/decision-signal.js";
import { wordsOf } from "../../../src/present/words/word-table.js";
import { LEVEL_WORDS, REASON_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { SearchBox } from "../../parts/search-box.tsx";
import { ShowContent } from "../../parts/show-content.tsx";
import { useQuery } from "../../route/use-route.ts";
import { type FilterOption, FilterSelect } from "./filter-select.tsx";
import { FILTER_NAMES, LIST_ID } from "./use-decision-list.ts";

const AGREEMENT = { agrees: "Same as the person", disagrees: "Unlike the person", none: "No person's decision" };
const JUDGED: Readonly<Record<Judgement, string>> = {
  confirms: "Confirms the auditor",
  contradicts: "Contradicts the auditor",
  none: "There is none",
};
const levelName = (value: string) => {
  if (value === "none") return OUTCOME_WORDS.unscored.name;
  return value === "defensible" ? "1 or 2" : `${value} ${LEVEL_WORDS[Number(value) as 1 | 2 | 3].name}`;
};

/** Filters and the search, all of them in the address. */
export const DecisionFilters = memo(function DecisionFilters() {
  const { decisions, redacted } = usePage();
  const options = useMemo(() => optionsOf(decisions), [decisions]);
  const searched = useMemo(() => searchedKinds(decisions).join(", "), [decisions]);
  const [rule] = useQuery(FILTER_NAMES.rule);
  return (
    <div className="controls">
      <SearchBox table={LIST_ID} name={FILTER_NAMES.search} label="Search decisions" placeholder={searched} />
      <FilterSelect name={FILTER_NAMES.community} label="Community" all="All communities" options={options.community} />
      <FilterSelect name={FILTER_NAMES.decision} label="Decided" all="Any decision" options={options.decision} />
      <FilterSelect name={FILTER_NAMES.level} label="Level" all="Any level" options={options.level} />
      <FilterSelect name={FILTER_NAMES.inverse} label="Opposite derivable" all="Yes or no" options={options.inverse} />
      <FilterSelect name={FILTER_NAMES.agreement} label="Agreement" all="Any" options={options.agreement} />
      <FilterSelect name={FILTER_NAMES.judged} label="Gold or people's judgement" all="Any" options={options.judged} />
      <FilterSelect name={FILTER_NAMES.reason} label="Why look" all="Any reason" options={options.reason} />
      <FilterSelect name={FILTER_NAMES.flag} label="Remark" all="Any or none" options={options.flag} />
      {rule !== "" && (
        <FilterSelect name={FILTER_NAMES.rule} label="Rule cited" all="Any rule" options={options.rule} />
      )}
      {!redacted && <ShowContent />}
    </div>
  );
});

function optionsOf(decisions: readonly PageDecision[]) {
  const byName = (options: FilterOption[]) => options.sort((a, b) => a.name.localeCompare(b.name, "en"));
  return {
    community: byName(count(decisions, ({ community }) => [community])),
    decision: byName(count(decisions, ({ decision }) => [decision])),
    level: byName(count(decisions, levelsOf, levelName)),
    inverse: byName(
      count(
        decisions,
        (one) => [inverseOf(one)],
        (value) => (value === "yes" ? "Yes" : value === "no" ? "No" : OUTCOME_WORDS.unscored.name),
      ),
    ),
    agreement: count(
      decisions,
      (one) => [agreementOf(one)],
      (value) => AGREEMENT[value as keyof typeof AGREEMENT],
    ),
    judged: count(
      decisions,
      (one) => [judgementOf(one)],
      (value) => JUDGED[value as Judgement],
    ),
    reason: LOOK_REASONS.flatMap((reason) =>
      count(
        decisions,
        ({ reasons }) => (reasons.includes(reason) ? [reason] : []),
        () => REASON_WORDS[reason].name,
      ),
    ),
    flag: byName(
      count(
        decisions,
        ({ audit }) => audit.flags,
        (flag) => wordsOf(FLAG_WORDS, flag).name,
      ),
    ),
    rule: byName(count(decisions, (one) => [citedRuleKey(one) ?? ""])).filter(({ value }) => value !== ""),
  };
}

function count(
  decisions: readonly PageDecision[],
  valuesOf: (decision: PageDecision) => readonly string[],
  nameOf: (value: string) => string = (value) => value,
): FilterOption[] {
  const counts = new Map<string, number>();
  for (const decision of decisions) {
    for (const value of new Set(valuesOf(decision))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, n]) => ({ value, name: nameOf(value), n }));
}
