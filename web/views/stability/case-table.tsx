import { useMemo } from "react";
import type { Stability, StabilityCase } from "../../../src/experiments/stability/result.js";
import type { Kept } from "../../data/use-experiment.ts";
import { SelectBox } from "../../parts/controls/choices.tsx";
import { NoDecisions } from "../../parts/nothing.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { caseColumns } from "../../parts/tables/case-columns.tsx";
import { type Column, DataTable } from "../../parts/tables/data-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { useQuery } from "../../route/use-route.ts";
import { temperatureName } from "./temperature-name.ts";

type Row = StabilityCase & { at: string };

/** Every case at one temperature; the least stable first. */
export function CaseTable({ result, at }: Kept<Stability>) {
  const { temperatures, cases } = result;
  const [asked, setAsked] = useQuery("temperature", "0", "stability-cases");
  const place = temperatures[Number(asked)] ? Number(asked) : 0;
  const chosen = temperatures[place];
  const rows = useMemo(
    () =>
      cases
        .map((one, index): Row => ({ ...one, at: `${at}/cases/${index}` }))
        .filter(
          ({ arm, run, temperature }) =>
            arm === chosen?.arm && run === chosen.run && temperature === chosen.temperature,
        ),
    [cases, at, chosen],
  );
  return (
    <Section id="cases" title="Cases">
      {temperatures.length > 1 && (
        <div className="controls">
          <SelectBox
            label="Temperature"
            value={String(place)}
            options={temperatures.map((one, i) => ({ value: String(i), name: temperatureName(one) }))}
            onChange={setAsked}
          />
        </div>
      )}
      <DataTable
        id="stability-cases"
        caption={`Cases${chosen ? `, ${temperatureName(chosen)}` : ""}`}
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.at}
        sort="-flips"
        first={15}
        empty={<NoDecisions of="these cases" />}
      />
      <p className="small muted">
        Chance of another side: that two audits of the case fall on different sides of the line to level 3. "a or b":
        the replicates do not tell which.
      </p>
    </Section>
  );
}

const number = (
  key: string,
  name: string,
  field: keyof StabilityCase & string,
  as: "fine" | "percent" | "whole",
  symbol?: string,
): Column<Row> => ({
  key,
  name,
  ...(symbol ? { head: <Term symbol={symbol}>{name}</Term> } : {}),
  value: (row) => row[field] as number | null,
  cell: (row) => <Num at={`${row.at}/${field}`} as={as} />,
  align: "right",
});

const level = (key: "1" | "2" | "3"): Column<Row> => ({
  key: `l${key}`,
  name: `Level ${key}`,
  value: ({ levels }) => levels[key],
  cell: (row) => <Num at={`${row.at}/levels/${key}`} as="whole" />,
  align: "right",
});

const state = (key: "class" | "boundary", name: string): Column<Row> => ({
  key,
  name,
  value: (row) => row[key],
  cell: (row) => stateText(row[key], key === "class" ? row.class_between : row.boundary_between, row.k),
});

const COLUMNS: readonly Column<Row>[] = [
  ...caseColumns<Row>(),
  { key: "group", name: "Group", value: ({ group }) => group },
  level("1"),
  level("2"),
  level("3"),
  number("flips", "Chance of another side", "boundary_flip_rate", "percent"),
  number("sd-s", "Sd of S", "sd_pds", "fine", "S"),
  number("sd-p", "Sd of p", "sd_p_defensible", "fine", "p_defensible"),
  state("class", "Class"),
  state("boundary", "Boundary"),
];

function stateText(name: string, between: readonly string[] | undefined, k: number): string {
  if (name !== "undetermined") return name.replaceAll("_", " ");
  if (!between || between.length === 0 || between.length > 2) return k < 30 ? "too few replicates" : "undetermined";
  return between.map((one) => one.replaceAll("_", " ")).join(" or ");
}
