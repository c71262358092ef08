import type { Estimate } from "../../../core/estimate.js";
import { STABILITY_CLASSES, type StabilityClass } from "../../../core/names.js";
import { identicalReplicates } from "../../../measures/stability/allocate.js";
import { LEAST_REPLICATES } from "../../../measures/stability/level-sequence.js";
import { type Block, table } from "../../../present/document/document.js";
import { DISJOINT_NOTE } from "../../../present/words/experiments/experiment-words.js";
import { decimal, pCell, percent, plural, whole } from "../../../present/words/numbers.js";
import { sign } from "../../../present/words/signs.js";
import type { Stability } from "../result.js";

type Row = Stability["correlations"]["signals"][number];

/** What goes with instability, on disjoint replicates beside the paper's coupled version. */
export function correlationBlocks({ correlations, temperatures }: Stability): Block[] {
  const first = temperatures[0]?.temperature ?? null;
  const signals = correlations.signals.filter(
    ({ temperature, y, disjoint, coupled }) =>
      temperature === first && y !== "dominant_share" && (disjoint.estimate !== null || coupled.estimate !== null),
  );
  const spread = correlations.spread.filter(
    ({ disjoint, coupled }) => disjoint.estimate !== null || coupled.estimate !== null,
  );
  if (signals.length === 0 && spread.length === 0) return [];
  return [
    { kind: "heading", text: "What goes with instability" },
    ...(spread.length > 0 ? [spreadTable(spread), { kind: "text", text: DISJOINT_NOTE } as Block] : []),
    ...(signals.length > 0
      ? [
          {
            kind: "text",
            text: `Signals at ${temperatureText(first)}: ρ on disjoint replicates, and coupled for sd of P(defensible). *: p below 0.05 after Holm's correction over the signals.`,
          } as Block,
          signalTable(signals, correlations.signals, first),
        ]
      : []),
  ];
}

function spreadTable(rows: readonly Row[]): Block {
  return table(
    ["", "against", ">temperature", ">ρ disjoint", ">p", ">ρ coupled"],
    rows
      .filter(({ y }) => y === "sd_p_defensible" || rows.every((row) => row.y === "sd_pds"))
      .map(({ x, y, temperature, disjoint, coupled }) => [
        sign(y),
        sign(x),
        temperature === null ? "–" : String(temperature),
        valueText(disjoint, 2),
        pCell(disjoint.p_value),
        decimal(coupled.estimate, 2),
      ]),
  );
}

function signalTable(rows: readonly Row[], all: readonly Row[], first: number | null): Block {
  const names = [...new Set(rows.map(({ x }) => x))];
  const find = (x: string, y: string) => all.find((row) => row.temperature === first && row.x === x && row.y === y);
  const star = (row: Row | undefined) => (row?.adjusted_p != null && row.adjusted_p < 0.05 ? " *" : "  ");
  return table(
    ["signal", ">with sd of S", ">with sd of P(def.)", ">coupled", ">with consistency"],
    names.map((x) => {
      const own = (row: Row | undefined) => (row ? `${valueText(row.disjoint, 2)}${star(row)}` : "–");
      const p = find(x, "sd_p_defensible");
      const coupled = decimal(p?.coupled.estimate ?? null, 2);
      return [sign(x), own(find(x, "sd_pds")), own(p), coupled, own(find(x, "dominant_share"))];
    }),
  );
}

type Temperature = Stability["temperatures"][number];
type Settings = Stability["settings"];

/** What was found, first of all. */
export function headlineBlocks(result: Stability): Block[] {
  const [coldest] = result.temperatures;
  if (!coldest) return [];
  return [boundary(result, coldest), ...governance(result)];
}

function boundary(result: Stability, row: Temperature): Block {
  const { settings, cases } = result;
  const own = cases.filter(
    ({ arm, run, temperature }) => arm === row.arm && run === row.run && temperature === row.temperature,
  );
  const classes = classText(settings, row.classes, own);
  return settings.mode === "sequential" ? settled(settings, row, own, classes) : asTheyAre(row, classes);
}

/** What is settled of all cases, and why the others are not: those are no coin tosses, as far as anybody knows. */
function settled({ alpha }: Settings, row: Temperature, own: Stability["cases"], classes: string): Block {
  const { boundaries: zones, boundary_flip_rate: rate } = row;
  const [unstable, open] = [zones.boundary_unstable ?? 0, zones.undetermined ?? 0];
  const shares =
    rate.all.estimate === null
      ? ""
      : open === 0
        ? ` 95 % interval of the share that is boundary-unstable: ${intervalOf(rate.all)}.`
        : ` By the shares as they are, settled or not, ${whole(rate.all.k!)} of ${whole(rate.all.n)} would count as boundary-unstable: ${rateText(rate.all)}.`;
  return {
    kind: "headline",
    value: `${whole(unstable)} of ${whole(row.cases)}`,
    label: `${row.cases === 1 ? "case" : "cases"} ${unstable === 1 ? "is" : "are"} shown to be a coin toss between defensible and not, at ${temperatureText(row.temperature)}${open > 0 ? `; ${whole(open)} undetermined` : ""}`,
    under: `Settled at α = ${alpha}: ${zoneText(zones)}. ${undeterminedText(own, open, alpha)}${classes}${shares}`,
  };
}

function asTheyAre({ boundaries: zones, boundary_flip_rate: rate, temperature }: Temperature, classes: string): Block {
  const at = `at ${temperatureText(temperature)}`;
  const open = zones.undetermined ?? 0;
  if (rate.all.estimate === null) {
    return {
      kind: "headline",
      value: "–",
      label: `boundary-unstable cases ${at}`,
      under: `${rate.all.reason}: of fewer nothing is said, since with one replicate every case seems stable.`,
    };
  }
  const few = open > 0 ? `; ${whole(open)} more with fewer than ${LEAST_REPLICATES} replicates` : "";
  return {
    kind: "headline",
    value: percent(rate.all.estimate, 0),
    label: `of ${plural(rate.all.n, "case")} are a coin toss between defensible and not, ${at}`,
    under: `95 % interval ${intervalOf(rate.all)}. By the shares as they are: ${zoneText(zones)}${few}. ${classes}`,
  };
}

function zoneText(zones: Temperature["boundaries"]): string {
  return [
    `${whole(zones.stably_defensible ?? 0)} stably defensible`,
    `${whole(zones.boundary_unstable ?? 0)} boundary-unstable (level 3 in more than 10 and less than 90 % of the audits)`,
    `${whole(zones.stably_indefensible ?? 0)} stably indefensible`,
  ].join(", ");
}

/** Too few replicates, or on both sides of a threshold: the one needs more audits, the other may never be settled. */
function undeterminedText(cases: Stability["cases"], open: number, alpha: number): string {
  if (open === 0) return "";
  const needed = identicalReplicates(alpha, "boundary");
  const few = cases.filter(
    ({ boundary, levels, k }) => boundary === "undetermined" && k < needed && (levels["3"] === 0 || levels["3"] === k),
  ).length;
  const agreed =
    few === 0
      ? ""
      : ` ${few === open ? "All" : whole(few)} fell on the same side of level 3 in every audit, but there were too few: it takes ${needed} alike to settle a case (--replicates).`;
  const rest = open - few;
  const mixed =
    rest === 0
      ? ""
      : ` ${few === 0 ? (rest === 1 ? "It" : "They") : `The other ${rest === 1 ? "one" : whole(rest)}`} had too few for shares so near to 10 or 90 % of level 3.`;
  return `Of the ${whole(open)} undetermined it is not known whether they are stable.${agreed}${mixed} `;
}

function intervalOf(estimate: Estimate): string {
  return estimate.estimate === null
    ? "undefined"
    : `${(100 * estimate.lower).toFixed(0)}–${(100 * estimate.upper).toFixed(0)} %`;
}

function rateText(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : `${percent(estimate.estimate, 0)} (95 % interval ${intervalOf(estimate)})`;
}

/** Replicates that end when the boundary is settled say little of classes: then those by the shares as they are. */
function classText({ mode, stop }: Settings, known: Temperature["classes"], cases: Stability["cases"]): string {
  const count = (name: StabilityClass | null) => cases.filter(({ plug_in }) => plug_in.class === name).length;
  const early = mode === "sequential" && stop === "boundary";
  const of = (name: StabilityClass) => (early ? count(name) : (known[name] ?? 0));
  const open = early ? count(null) : (known.undetermined ?? 0);
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
      label: "of the variance of P(defensible) lies between cases",
      under: `95 % interval ${shareText(ofCases).replace(/^.*\((.*)\)$/, "$1")} %: what the case and its rules decide. ${shareText(ofTraces)} lies between repetitions of the same question at the same settings: sampling noise. The rest is temperature and what else was varied (below).`,
    },
  ];
}

/** "0.183 (0.16–0.21)"; a dash for undefined. */
export function valueText(estimate: Estimate, digits = 3): string {
  if (estimate.estimate === null) return "–";
  const { lower, upper } = estimate;
  // A dash between negative numbers is read as a sign.
  const to = lower < 0 ? " to " : "–";
  return `${decimal(estimate.estimate, digits)} (${decimal(lower, digits)}${to}${decimal(upper, digits)})`;
}

/** "62 % (48–74)". */
export function shareText(estimate: Estimate, digits = 0): string {
  if (estimate.estimate === null) return "–";
  const part = (value: number) => (100 * value).toFixed(digits);
  return `${part(estimate.estimate)} % (${part(estimate.lower)}–${part(estimate.upper)})`;
}

export function temperatureText(temperature: number | null): string {
  return temperature === null ? "T unknown" : `T = ${temperature}`;
}

/** `mostly_stable` -> "mostly stable". */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}
