import { BOUNDARY_STATES, STABILITY_CLASSES } from "../../../src/core/names.js";
import type { Stability, StabilityTemperature } from "../../../src/experiments/stability/result.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { temperatureName } from "./temperature-name.ts";

const MEANINGS: Readonly<Record<string, string>> = {
  stably_defensible: "Stably defensible: level 3 in at most 10 %",
  boundary_unstable: "Boundary-unstable: in more than 10 and less than 90 %",
  stably_indefensible: "Stably indefensible: in 90 % or more",
  rock_solid: "Rock solid: the commonest level in 95 % or more",
  mostly_stable: "Mostly stable: in 80 to 95 %",
  moderate: "Moderate: in 60 to 80 %",
  highly_unstable: "Highly unstable: in less than 60 %",
  undetermined: "Undetermined",
};

/** Cases by state and class at each temperature. */
export function StateTable({ result, at }: Kept<Stability>) {
  const { temperatures, settings } = result;
  // Replicates that end when the boundary is settled say little of classes: then those by the shares as they are.
  const early = settings.mode === "sequential" && settings.stop === "boundary";
  const rows = [
    ...counted("boundaries", BOUNDARY_STATES, temperatures, at),
    ...(early ? classShares(temperatures, at) : counted("classes", STABILITY_CLASSES, temperatures, at)),
  ];
  return (
    <PlainTable
      caption={
        settings.mode === "sequential"
          ? `Cases by state and class, as far as the replicates settle them at α = ${settings.alpha}`
          : "Cases by state and class, by the shares as they are"
      }
      heads={[
        { key: "state", name: "Cases" },
        ...temperatures.map((one, i) => ({ key: String(i), name: temperatureName(one), align: "right" as const })),
      ]}
      rows={rows}
    />
  );
}

function classShares(temperatures: readonly StabilityTemperature[], at: string) {
  return STABILITY_CLASSES.map((name) => ({
    key: `shares ${name}`,
    cells: [
      `${MEANINGS[name]}, by the shares as they are`,
      ...temperatures.map(({ class_shares }, i) =>
        class_shares?.[name] && class_shares[name].estimate !== null ? (
          <Num key={name} at={`${at}/temperatures/${i}/class_shares/${name}/k`} as="whole" />
        ) : null,
      ),
    ],
  }));
}

function counted(
  field: "boundaries" | "classes",
  names: readonly string[],
  temperatures: readonly StabilityTemperature[],
  at: string,
) {
  const counts = (one: StabilityTemperature): Readonly<Record<string, number | undefined>> => one[field];
  const open = temperatures.some((one) => (counts(one).undetermined ?? 0) > 0);
  return [...names, ...(open ? ["undetermined"] : [])].map((name) => ({
    key: `${field} ${name}`,
    cells: [
      name === "undetermined" ? `${MEANINGS[name]} (${field === "classes" ? "class" : "boundary"})` : MEANINGS[name],
      ...temperatures.map((one, i) =>
        counts(one)[name] === undefined ? (
          "–"
        ) : (
          <Num key={name} at={`${at}/temperatures/${i}/${field}/${name}`} as="whole" />
        ),
      ),
    ],
  }));
}
