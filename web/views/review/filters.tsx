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
import { whole } from "../../../src/present/words/numbers.js";
import { nameText, wordsOf } from "../../../src/present/words/word-table.js";
import { LEVEL_WORDS, REASON_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { SearchBox, SelectBox } from "../../parts/controls/choices.tsx";
import { useQuery, useQueryText } from "../../route/use-route.ts";
import { FILTER_NAMES, LIST_ID } from "./use-decision-list.ts";

const AGREEMENT = { agrees: "Same as the label", disagrees: "Differs from the label", none: "No label" };
const JUDGED: Readonly<Record<Judgement, string>> = {
  confirms: "Confirms the auditor",
  contradicts: "Contradicts the auditor",
  none: "Not judged",
};
const levelName = (value: string) => {
  if (value === "none") return OUTCOME_WORDS.unscored.name;
  return value === "defensible" ? "1 or 2" : `${value} ${LEVEL_WORDS[Number(value) as 1 | 2 | 3].name}`;
};

/** Filters and the search, all of them in the address. */
export const DecisionFilters = memo(function DecisionFilters() {
  const { decisions } = usePage();
  const options = useMemo(() => optionsOf(decisions), [decisions]);
  const searched = useMemo(() => searchedKinds(decisions).join(", "), [decisions]);
  const [rule] = useQuery(FILTER_NAMES.rule);
  const more = useQueryText(MORE) !== "";
  return (
    <>
      <div className="controls">
        <SearchBox table={LIST_ID} name={FILTER_NAMES.search} label="Search decisions" placeholder={searched} />
        <FilterSelect name={FILTER_NAMES.reason} label="Reason to review" all="Any reason" options={options.reason} />
        <FilterSelect
          name={FILTER_NAMES.community}
          label="Community"
          all="All communities"
          options={options.community}
        />
        <FilterSelect name={FILTER_NAMES.level} label="Level" all="Any level" options={options.level} />
        {rule !== "" && (
          <FilterSelect name={FILTER_NAMES.rule} label="Rule cited" all="Any rule" options={options.rule} />
        )}
      </div>
      <details className="more-filters" open={more || undefined}>
        <summary>More filters</summary>
        <div className="controls">
          <FilterSelect name={FILTER_NAMES.decision} label="Decided" all="Any decision" options={options.decision} />
          <FilterSelect
            name={FILTER_NAMES.inverse}
            label="Could the rules justify the opposite?"
            all="Yes or no"
            options={options.inverse}
          />
          <FilterSelect name={FILTER_NAMES.agreement} label="Agreement" all="Any" options={options.agreement} />
          <FilterSelect
            name={FILTER_NAMES.judged}
            label="Reference or people's judgement"
            all="Any"
            options={options.judged}
          />
          <FilterSelect name={FILTER_NAMES.flag} label="Remark" all="Any or none" options={options.flag} />
        </div>
      </details>
    </>
  );
});

/** Filters that are folded away until one of them is set. */
const MORE = (["decision", "inverse", "agreement", "judged", "flag"] as const).map((name) => FILTER_NAMES[name]);

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

/** A box is as wide as its longest choice. */
const LONGEST = 60;

export interface FilterOption {
  value: string;
  name: string;
  n: number;
}

interface FilterSelectProps {
  /** Its name in the address. */
  name: string;
  label: string;
  all: string;
  options: readonly FilterOption[];
}

/** A filter of the list: one of the values that the listed decisions have, with how many have it. */
const FilterSelect = memo(function FilterSelect({ name, label, all, options }: FilterSelectProps) {
  const [value, setValue] = useQuery(name, "", LIST_ID);
  const named = useMemo(() => options.map((one) => ({ value: one.value, name: nameOf(one) })), [options]);
  if (options.length < 2 && value === "") return null;
  const known = options.some((option) => option.value === value) || value === "";
  return (
    <SelectBox
      label={label}
      all={all}
      value={value}
      options={known ? named : [{ value, name: nameOf({ value, name: value, n: 0 }) }, ...named]}
      onChange={setValue}
    />
  );
});

function nameOf({ name, n }: FilterOption): string {
  return `${nameText(name, LONGEST)} (${whole(n)})`;
}
