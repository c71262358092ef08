import { memo, useMemo } from "react";
import { LOOK_REASONS, type PageDecision } from "../../../src/measures/report-page.js";
import {
  agreementOf,
  citedRuleKey,
  inverseOf,
  levelsOf,
  searchedKinds,
} from "../../../src/present/words/decision-list.js";
import { judgementOf } from "../../../src/present/words/decision-signal.js";
import { whole } from "../../../src/present/words/numbers.js";
import { nameText, wordsOf } from "../../../src/present/words/vocabulary.js";
import { FLAG_WORDS, LEVEL_WORDS, OUTCOME_WORDS, REASON_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { SearchBox, SelectBox } from "../../parts/controls/choices.tsx";
import { useQuery, useQueryText } from "../../route/use-route.ts";
import { FILTER_NAMES, LIST_ID } from "./use-decision-list.ts";

const nameIn = (names: Readonly<Record<string, string>>) => (value: string) => names[value]!;

/** Names of filter values that differ from the value. */
export const VALUE_NAMES: Partial<Record<keyof typeof FILTER_NAMES, (value: string) => string>> = {
  reason: (value) => wordsOf(REASON_WORDS, value).name,
  level: (value) => {
    if (value === "none") return OUTCOME_WORDS.unscored.name;
    return value === "defensible" ? "1 or 2" : `${value} ${LEVEL_WORDS[Number(value) as 1 | 2 | 3].name}`;
  },
  inverse: nameIn({ yes: "Yes", no: "No", none: OUTCOME_WORDS.unscored.name }),
  agreement: nameIn({ agrees: "Same as the label", disagrees: "Differs from the label", none: "No label" }),
  judged: nameIn({ confirms: "Confirms the auditor", contradicts: "Contradicts the auditor", none: "Not judged" }),
  flag: (value) => wordsOf(FLAG_WORDS, value).name,
};

/** The filters, each with the name of its empty choice. */
export const FIRST_FILTERS = [
  { of: "reason", label: "Reason to review", all: "Any reason" },
  { of: "community", label: "Community", all: "All communities" },
  { of: "level", label: "Level", all: "Any level" },
  { of: "rule", label: "Rule cited", all: "Any rule" },
] as const;
/** Folded away until one of them is set. */
const MORE = [
  { of: "decision", label: "Decided", all: "Any decision" },
  { of: "inverse", label: "Could the rules justify the opposite?", all: "Yes or no" },
  { of: "agreement", label: "Agreement", all: "Any" },
  { of: "judged", label: "Reference or people's judgement", all: "Any" },
  { of: "flag", label: "Remark", all: "Any or none" },
] as const;
const MORE_NAMES = MORE.map(({ of }) => FILTER_NAMES[of]);

/** Filters and search, all in the address. */
export const DecisionFilters = memo(function DecisionFilters() {
  const { decisions } = usePage();
  const options = useMemo(() => optionsOf(decisions), [decisions]);
  const searched = useMemo(() => searchedKinds(decisions).join(", "), [decisions]);
  const [rule] = useQuery(FILTER_NAMES.rule);
  const more = useQueryText(MORE_NAMES) !== "";
  const box = ({ of, ...words }: (typeof FIRST_FILTERS)[number] | (typeof MORE)[number]) =>
    (of !== "rule" || rule !== "") && (
      <FilterSelect key={of} name={FILTER_NAMES[of]} {...words} options={options[of]} />
    );
  return (
    <>
      <div className="controls">
        <SearchBox table={LIST_ID} name={FILTER_NAMES.search} label="Search decisions" placeholder={searched} />
        {FIRST_FILTERS.map(box)}
      </div>
      <details className="more-filters" open={more || undefined}>
        <summary>More filters</summary>
        <div className="controls">{MORE.map(box)}</div>
      </details>
    </>
  );
});

function optionsOf(decisions: readonly PageDecision[]) {
  const byName = (options: FilterOption[]) => options.sort((a, b) => a.name.localeCompare(b.name, "en"));
  const count = (filter: keyof typeof FILTER_NAMES, valuesOf: (one: PageDecision) => readonly string[]) =>
    counted(decisions, valuesOf).map(([value, n]) => ({ value, n, name: VALUE_NAMES[filter]?.(value) ?? value }));
  const reasons = count("reason", ({ reasons: all }) => all);
  return {
    community: byName(count("community", ({ community }) => [community])),
    decision: byName(count("decision", ({ decision }) => [decision])),
    level: byName(count("level", levelsOf)),
    inverse: byName(count("inverse", (one) => [inverseOf(one)])),
    agreement: count("agreement", (one) => [agreementOf(one)]),
    judged: count("judged", (one) => [judgementOf(one)]),
    reason: LOOK_REASONS.flatMap((reason) => reasons.filter(({ value }) => value === reason)),
    flag: byName(count("flag", ({ audit }) => audit.flags)),
    rule: byName(count("rule", (one) => [citedRuleKey(one) ?? ""])).filter(({ value }) => value !== ""),
  };
}

function counted(
  decisions: readonly PageDecision[],
  valuesOf: (decision: PageDecision) => readonly string[],
): [string, number][] {
  const counts = new Map<string, number>();
  for (const decision of decisions) {
    for (const value of new Set(valuesOf(decision))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts];
}

/** Limits the width of a box, which follows its longest choice. */
const LONGEST = 60;

interface FilterOption {
  value: string;
  name: string;
  n: number;
}

interface FilterSelectProps {
  /** Name in the address. */
  name: string;
  label: string;
  all: string;
  options: readonly FilterOption[];
}

/** A filter by the values of the listed decisions, with their counts. */
export const FilterSelect = memo(function FilterSelect({ name, label, all, options }: FilterSelectProps) {
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
