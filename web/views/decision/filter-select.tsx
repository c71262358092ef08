import { memo, useMemo } from "react";
import { whole } from "../../../src/present/words/numbers.js";
import { nameText } from "../../../src/present/words/word-table.js";
import { SelectBox } from "../../parts/select-box.tsx";
import { useQuery } from "../../route/use-route.ts";
import { LIST_ID } from "./use-decision-list.ts";

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
