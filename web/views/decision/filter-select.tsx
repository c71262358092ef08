import { whole } from "../../../src/figures/numbers.js";
import { visibleString } from "../../../src/figures/visible-text.js";
import { useQuery } from "../../route/use-route.ts";
import { LIST_ID } from "./use-decision-list.ts";

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
        {!known && <option value={value}>{visibleString(value)} (0)</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {visibleString(option.name)} ({whole(option.n)})
          </option>
        ))}
      </select>
    </label>
  );
}
