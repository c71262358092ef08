import type { Figure } from "../../src/core/figure.js";
import { type Chosen, chosenRows, distinct } from "../draw/choose-rows.ts";
import { columnName, valueName } from "../draw/value-name.ts";
import { useQuery } from "../route/use-route.ts";
import { SelectBox } from "./select-box.tsx";

const addressOf = ({ id }: Figure, field: string) => `${id}.${field}`;

/** What the address asks for, as values of the figure's rows. */
export function askedValues(figure: Figure, query: URLSearchParams): Chosen {
  const asked = (figure.choose ?? []).flatMap((field) => {
    const text = query.get(addressOf(figure, field));
    const value = distinct(figure.rows, field).find((candidate) => String(candidate) === text);
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(asked);
}

/** One list for each column of which one value is looked at. What is chosen stands in the address. */
export function ChartChoices({ figure, chosen }: { figure: Figure; chosen: Chosen }) {
  const fields = figure.choose ?? [];
  return (
    <div className="chart-choices">
      {fields.map((field, i) => {
        const before = Object.fromEntries(fields.slice(0, i).map((earlier) => [earlier, chosen[earlier] ?? null]));
        return <Choice key={field} figure={figure} field={field} chosen={chosen} before={before} />;
      })}
    </div>
  );
}

function Choice({ figure, field, chosen, before }: { figure: Figure; field: string; chosen: Chosen; before: Chosen }) {
  const [, setValue] = useQuery(addressOf(figure, field));
  const values = distinct(chosenRows(figure.rows, before), field);
  return (
    <SelectBox
      label={columnName(field)}
      value={String(chosen[field])}
      options={values.map((value) => ({ value: String(value), name: valueName(field, value) }))}
      onChange={setValue}
    />
  );
}
