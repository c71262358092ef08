import { nameText } from "../../../src/figures/name-text.js";
import { whole } from "../../../src/figures/numbers.js";
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
export function FilterSelect({ name, label, all, options }: FilterSelectProps) {
  const [value, setValue] = useQuery(name);
  const [, setPage] = useQuery(`${LIST_ID}.page`, "1");
  if (options.length < 2 && value === "") return null;
  const known = options.some((option) => option.value === value) || value === "";
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={(event) => {
          setValue(event.target.value);
          setPage("1");
        }}
      >
        <option value="">{all}</option>
        {!known && <option value={value}>{nameText(value, LONGEST)} (0)</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {nameText(option.name, LONGEST)} ({whole(option.n)})
          </option>
        ))}
      </select>
    </label>
  );
}
