import type { Stability } from "../../domain/stability.js";
import { STABILITY_CLASSES, type StabilityClass } from "../../domain/stability-names.js";
import type { Block } from "../document.js";
import { plural } from "../numbers.js";
import { shareText, temperatureText, words } from "./words.js";

/** What was found, first of all. */
export function headlineBlocks(result: Stability): Block[] {
  const [coldest] = result.temperatures;
  if (!coldest) return [];
  return [boundary(result, coldest), ...governance(result)];
}

function boundary({ settings, cases }: Stability, row: Stability["temperatures"][number]): Block {
  const { boundaries: zones, classes, boundary_flip_rate: rate } = row;
  const at = `at ${temperatureText(row.temperature)}`;
  const told = [
    plural(zones.stably_defensible ?? 0, "case is stably defensible", "cases are stably defensible"),
    `${zones.boundary_unstable ?? 0} boundary-unstable (level 3 in more than 10 and less than 90 % of the audits)`,
    `${zones.stably_indefensible ?? 0} stably indefensible`,
    (zones.undetermined ?? 0) > 0 ? `${zones.undetermined} undetermined` : "",
  ].filter(Boolean);
  const own = cases.filter(
    ({ arm, run, temperature }) => arm === row.arm && run === row.run && temperature === row.temperature,
  );
  const solid = classText(settings, classes, own);
  const open =
    settings.mode === "sequential" && (zones.undetermined ?? 0) > 0
      ? " Undetermined: so near to a threshold that the replicates do not tell on which side; the share above takes them as they are."
      : "";
  if (rate.all.estimate === null) {
    return {
      kind: "headline",
      value: "–",
      label: `boundary-unstable cases ${at}`,
      under: `${rate.all.reason}; ${told.join(", ")}. ${solid}`,
    };
  }
  return {
    kind: "headline",
    value: `${(100 * rate.all.estimate).toFixed(0)} %`,
    label: `of ${plural(row.cases, "case")} are a coin toss between defensible and not, ${at}`,
    under: `95 % interval ${(100 * rate.all.lower).toFixed(0)}–${(100 * rate.all.upper).toFixed(0)} %. Of them, ${told.join(", ")}. ${solid}${open}`,
  };
}

/** Replicates that end when the boundary is settled say little of classes: then those by the shares as they are. */
function classText(
  { mode, stop }: Stability["settings"],
  settled: Stability["temperatures"][number]["classes"],
  cases: Stability["cases"],
): string {
  const count = (name: StabilityClass | null) => cases.filter(({ plug_in }) => plug_in.class === name).length;
  const early = mode === "sequential" && stop === "boundary";
  const of = (name: StabilityClass) => (early ? count(name) : (settled[name] ?? 0));
  const open = early ? count(null) : (settled.undetermined ?? 0);
  const told = STABILITY_CLASSES.map((name) => `${of(name)} ${words(name)}`).join(", ");
  return `Classes${early ? ", by the shares as they are" : ""}: ${told}${open > 0 ? `, ${open} undetermined` : ""}.`;
}

function governance({ decomposition }: Stability): Block[] {
  const own = decomposition.find(({ of }) => of === "p_defensible");
  const share = (source: string) => own?.components.find((one) => one.source === source)?.share;
  const [ofCases, ofTraces] = [share("case"), share("trace")];
  if (!ofCases || ofCases.estimate === null || !ofTraces || ofTraces.estimate === null) return [];
  return [
    {
      kind: "headline",
      value: `${(100 * ofCases.estimate).toFixed(0)} %`,
      label: "of the variance of p_defensible lies between cases",
      under: `95 % interval ${shareText(ofCases).replace(/^.*\((.*)\)$/, "$1")} %: what the case and its rules decide. ${shareText(ofTraces)} lies between repetitions of the same question at the same settings: sampling noise. The rest is temperature and what else was varied (below).`,
    },
  ];
}
