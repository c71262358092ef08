import { BOUNDARY_STATES, STABILITY_CLASSES } from "../../core/names.js";
import { identicalReplicates } from "../../measures/stability/allocate.js";
import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../present/document/document.js";
import {
  DISJOINT_NOTE,
  RATIO_READINGS,
  STABILITY_LIMITS,
  VARIANCE_SOURCES,
} from "../../present/words/experiment-words.js";
import { type NumberForm, pCell, plural, pText, whole } from "../../present/words/numbers.js";
import { decisionLink, estAt, numberAt, type Sentence, sentence } from "../../present/words/sentence.js";
import { sign } from "../../present/words/vocabulary.js";
import { printable } from "../../text/printable.js";
import type { Stability, StabilityCase } from "./result.js";

export interface StabilityDocumentOptions {
  /** Cases shown. Default 12. */
  rows?: number;
}

export function stabilityDocument(result: Stability, { rows = 12 }: StabilityDocumentOptions = {}): Document {
  const { counts, sources } = result;
  const names = sources.map(
    ({ name, auditor }) => `${printable(name, 60)}${auditor ? ` by ${printable(auditor, 60)}` : ""}`,
  );
  return {
    title: "Stability",
    subtitle: `${names.join(" · ")} · ${plural(counts.cases, "case")} under ${plural(counts.conditions, "condition")}, ${whole(counts.audits)} audits`,
    data: result,
    blocks: [
      { kind: "text", as: "lead", text: conclusion(result) },
      { kind: "figure", id: "stability-levels" },
      ...stateTable(result),
      ...caseBlocks(result, rows),
      ...temperatureBlocks(result),
      ...varianceBlocks(result),
      ...correlationBlocks(result),
      ...groupBlocks(result),
      ...replicateBlocks(result),
      { kind: "heading", text: "Limits" },
      { kind: "text", text: STABILITY_LIMITS },
      ...noteBlocks(result.warnings),
    ],
  };
}

const COLDEST = "/temperatures/0";

/** How many verdicts flip, how many do not, and how many are undetermined. */
function conclusion(result: Stability): Sentence {
  const [first] = result.temperatures;
  if (!first) return ["No case was audited often enough to say anything."];
  const at = temperatureText(first.temperature);
  const { all } = first.boundary_flip_rate;
  if (result.settings.mode !== "sequential") {
    if (all.estimate === null) return [`It is unknown how many verdicts flip at ${at}: ${all.reason}.`];
    return sentence`Repeated at ${at}, ${estAt(`${COLDEST}/boundary_flip_rate/all`, "rounded", "all")} of the verdicts flip between defensible and indefensible: level 3 in 10–90% of their audits. ${caseShare(result)}`;
  }
  const count = (state: string) => counted(first.boundaries, "boundaries", state, 0);
  const open = first.boundaries.undetermined ?? 0;
  return sentence`Repeated at ${at}, ${count("boundary_unstable")} of ${numberAt(`${COLDEST}/cases`, "whole")} verdicts flip between defensible and indefensible (level 3 in 10–90% of their audits); ${count("stably_defensible")} stay defensible and ${count("stably_indefensible")} indefensible.${open === 0 ? "" : sentence` ${count("undetermined")} ${open === 1 ? "is" : "are"} undetermined: ${undetermined(result, open)}`} ${caseShare(result)}`;
}

/** Either too few replicates, which more audits settle, or an interval on both sides of a threshold, which may never be settled. */
function undetermined(result: Stability, open: number): string {
  const needed = identicalReplicates(result.settings.alpha, "boundary");
  const few = coldestCases(result).filter(
    ({ boundary, levels, k }) => boundary === "undetermined" && k < needed && (levels["3"] === 0 || levels["3"] === k),
  ).length;
  const parts = [
    few > 0
      ? `${few < open ? whole(few) : few === 1 ? "it" : "they"} gave the same answer every time, but it takes ${needed} repetitions to settle a case`
      : "",
    open > few
      ? `${few === 0 ? "" : `${whole(open - few)} ${open - few === 1 ? "is" : "are"} `}too close to 10 or 90%`
      : "",
  ];
  return `${parts.filter(Boolean).join("; ")}.`;
}

function caseShare({ decomposition }: Stability): Sentence {
  const place = decomposition.findIndex(({ of }) => of === "p_defensible");
  const component = decomposition[place]?.components.findIndex(({ source }) => source === "case") ?? -1;
  if (component < 0) return [];
  const { estimate } = decomposition[place]!.components[component]!.share;
  const rest = estimate !== null && estimate < 0.995 ? "; the rest is mostly sampling noise" : "";
  return sentence`${estAt(`/decomposition/${place}/components/${component}/share`, "rounded")} of the variance of P(defensible) lies between cases${rest}.`;
}

function coldestCases({ cases, temperatures: [first] }: Stability): (StabilityCase & { place: number })[] {
  return cases
    .map((one, place) => ({ ...one, place }))
    .filter((one) => one.arm === first?.arm && one.run === first.run && one.temperature === first.temperature);
}

/** A state without cases may be missing from the counts. */
function counted(
  counts: Readonly<Record<string, number | undefined>>,
  field: "boundaries" | "classes",
  state: string,
  i: number,
): Text {
  return counts[state] === undefined ? "0" : numberAt(`/temperatures/${i}/${field}/${state}`, "whole");
}

const STATES: Readonly<Record<string, string>> = {
  stably_defensible: "Stably defensible: level 3 in at most 10%",
  boundary_unstable: "Unstable: level 3 in 10–90%",
  stably_indefensible: "Stably indefensible: level 3 in 90% or more",
  rock_solid: "Rock solid: most frequent level in 95% or more",
  mostly_stable: "Mostly stable: 80–95%",
  moderate: "Moderate: 60–80%",
  highly_unstable: "Highly unstable: below 60%",
};

function stateTable({ temperatures, settings }: Stability): Block[] {
  if (temperatures.length === 0) return [];
  const settled = (field: "boundaries" | "classes") =>
    temperatures.some((one) => one[field].undetermined !== one.cases);
  const fields = settled("classes") ? (["boundaries", "classes"] as const) : (["boundaries"] as const);
  const rows = fields.flatMap((field) => {
    const open = temperatures.some((one) => (one[field].undetermined ?? 0) > 0);
    const states: readonly string[] = field === "boundaries" ? BOUNDARY_STATES : STABILITY_CLASSES;
    return [...states, ...(open ? ["undetermined"] : [])].map((state): Text[] => [
      STATES[state] ?? `Undetermined (${field === "classes" ? "class" : "side"})`,
      ...temperatures.map((one, i) => counted(one[field], field, state, i)),
    ]);
  });
  const how = settings.mode === "sequential" ? `settled at α = ${settings.alpha}` : "by observed shares";
  return [
    table(
      ["~cases", ...temperatures.map(({ temperature }) => `>${temperatureText(temperature)}`)],
      rows,
      `Cases by state and class, ${how}`,
    ),
  ];
}

/** The least stable cases at the lowest temperature. */
function caseBlocks(result: Stability, rows: number): Block[] {
  const own = coldestCases(result).sort(
    (a, b) =>
      (b.boundary_flip_rate ?? 0) - (a.boundary_flip_rate ?? 0) || (a.dominant_share ?? 0) - (b.dominant_share ?? 0),
  );
  if (own.length === 0) return [];
  const hidden = own.length - Math.min(rows, own.length);
  return [
    { kind: "heading", text: "Least stable cases" },
    table(
      ["decision", ">L1", ">L2", ">L3", ">sd of S", ">sd of p", "class", "side"],
      own.slice(0, rows).map((one): Text[] => {
        const at = `/cases/${one.place}`;
        return [
          decisionLink(one.decision_id),
          ...["1", "2", "3"].map((level) => numberAt(`${at}/levels/${level}`, "whole")),
          numberAt(`${at}/sd_pds`, "fine"),
          numberAt(`${at}/sd_p_defensible`, "fine"),
          stateText(one.class, one.class_between, one.k),
          stateText(one.boundary, one.boundary_between, one.k),
        ];
      }),
    ),
    {
      kind: "text",
      text: `L1, L2, L3: audits at each level, ${temperatureText(result.temperatures[0]!.temperature)}; p is P(defensible). "a or b": the replicates do not say which.${hidden > 0 ? ` ${plural(hidden, "case")} more in the JSON.` : ""} Have a person decide the unstable ones.`,
    },
  ];
}

const SHORT: Readonly<Record<string, string>> = {
  stably_defensible: "defensible",
  boundary_unstable: "unstable",
  stably_indefensible: "indefensible",
  mostly_stable: "mostly",
  highly_unstable: "unstable",
};

function stateText(state: string, between: readonly string[] | undefined, k: number): string {
  if (state !== "undetermined") return SHORT[state] ?? state.replaceAll("_", " ");
  if (!between || between.length > 2 || between.length === 0) return k < 30 ? "too few replicates" : "undetermined";
  return between.map((name) => SHORT[name] ?? name.replaceAll("_", " ")).join(" or ");
}

function temperatureBlocks(result: Stability): Block[] {
  const { temperatures, random } = result;
  if (temperatures.length === 0) return [];
  // With more than three columns a terminal has no room for intervals.
  const shows = temperatures.length > 3 ? "value" : "interval";
  const row = (label: string, field: string, as: NumberForm): Text[] => [
    label,
    ...temperatures.map((_, i) => estAt(`/temperatures/${i}/${field}`, as, shows)),
  ];
  const spread = (score: string, name: string) => [
    row(`Mean sd of ${name}`, `${score}/all`, "fine"),
    row(`… of Stable`, `${score}/stable`, "fine"),
    row(`… of Flippers`, `${score}/flippers`, "fine"),
    row("Ratio Flippers / Stable", `${score}/ratio`, "decimal"),
  ];
  return [
    { kind: "heading", text: "By temperature" },
    { kind: "figure", id: "stability-temperature-sweep" },
    table(
      ["~", ...temperatures.map(({ temperature }) => `>${temperatureText(temperature)}`)],
      [
        ...spread("sd_pds", "S"),
        ...spread("sd_p_defensible", "P(defensible)"),
        row("Flip rate, Flippers", "boundary_flip_rate/flippers", "percent"),
        row("Flip rate, Stable", "boundary_flip_rate/stable", "percent"),
        row("H[κ], rank correlation with the first", "h_citation_rank_correlation", "fine"),
        row("Defensibility Index", "defensibility_index", "percent"),
      ],
    ),
    {
      kind: "text",
      text: `95% intervals over cases (seed ${random!.seed}, ${whole(Number(random!.draws))} draws). Flippers changed in a pilot before anything was measured; Stable ones did not.`,
    },
    ...(temperatures.length > 1 ? readings(result) : []),
  ];
}

function readings({ ratio_slope, defensibility_slope, temperatures, h_citation_split_half: half }: Stability): Block[] {
  const ratio = (score: "pds" | "p_defensible"): Sentence => {
    const { estimate, reading, p_value } = ratio_slope[score];
    if (estimate.estimate === null) return [`Ratio for ${sign(score)}: slope undefined, ${estimate.reason}.`];
    return sentence`Ratio for ${sign(score)}: slope ${estAt(`/ratio_slope/${score}/estimate`, "decimal")} per unit of temperature, ${pText(p_value)}; ${RATIO_READINGS[reading]}.`;
  };
  const di = defensibility_slope.estimate;
  const moves = di.estimate !== null && (di.lower > 0 || di.upper < 0);
  const change = `/temperatures/${temperatures.length - 1}/defensibility_index_change`;
  return [
    { kind: "text", text: ratio("pds") },
    { kind: "text", text: ratio("p_defensible") },
    ...(di.estimate === null
      ? []
      : [
          {
            kind: "text" as const,
            text: sentence`From the lowest to the highest temperature the Defensibility Index changes by ${estAt(change, "points")}; slope ${pText(defensibility_slope.p_value)}: ${moves ? "it depends on temperature" : "no change is shown, which does not prove that there is no change"}.`,
          },
        ]),
    ...(half === null
      ? []
      : [
          {
            kind: "text" as const,
            text: sentence`Two halves of the replicates at the lowest temperature correlate at ${numberAt("/h_citation_split_half", "fine")} in H[κ]: the most to expect of another temperature.`,
          },
        ]),
  ];
}

/** The case's share of the variance against that of sampling noise. */
function varianceBlocks({ decomposition }: Stability): Block[] {
  const known = decomposition.map((one, place) => ({ ...one, place })).filter((one) => one.components.length > 0);
  const heading: Block = { kind: "heading", text: "Where the variance comes from" };
  if (known.length === 0) return [heading, { kind: "empty", why: `${decomposition[0]?.reason ?? "No scores"}.` }];
  const sources = Object.keys(VARIANCE_SOURCES).filter((source) =>
    known.some(({ components }) => components.some((one) => one.source === source)),
  );
  const missing = known[0]!.not_estimated.filter((source) => !source.startsWith("case_by_"));
  return [
    heading,
    { kind: "figure", id: "stability-variance" },
    table(
      ["~source", ...known.map(({ of }) => `>${of === "verdict" ? "defensible or not" : sign(of)}`)],
      sources.map((source): Text[] => [
        VARIANCE_SOURCES[source]!,
        ...known.map(({ components, place }): Text => {
          const i = components.findIndex((one) => one.source === source);
          return i < 0 ? "" : estAt(`/decomposition/${place}/components/${i}/share`, "rounded");
        }),
      ]),
    ),
    {
      kind: "text",
      text: `Shares of the variance over ${known[0]!.cases} cases that have every condition. Case: the case and its rules. Trace: the same question repeated. Token: the draw of the last word.${missing.length > 0 ? ` Not varied, so not estimated: ${missing.join(", ")}.` : ""}`,
    },
  ];
}

type Row = Stability["correlations"]["signals"][number];

/** What predicts instability, on disjoint replicates and in the paper's coupled version. */
function correlationBlocks({ correlations, temperatures }: Stability): Block[] {
  const first = temperatures[0]?.temperature ?? null;
  const rows = (["spread", "signals"] as const).flatMap((kind) =>
    correlations[kind].flatMap((one: Row, i) =>
      one.disjoint.estimate !== null && (kind === "spread" || one.temperature === first)
        ? [{ ...one, at: `/correlations/${kind}/${i}` }]
        : [],
    ),
  );
  if (rows.length === 0) return [];
  return [
    { kind: "heading", text: "What predicts instability" },
    { kind: "figure", id: "stability-signal-correlations" },
    table(
      ["signal", "with", ">T", ">ρ disjoint", ">p adjusted", ">ρ coupled"],
      rows.map(({ x, y, temperature, adjusted_p, disjoint, at }): Text[] => [
        sign(x),
        sign(y),
        temperature === null ? "–" : String(temperature),
        estAt(`${at}/disjoint`, "decimal"),
        pCell(adjusted_p ?? disjoint.p_value),
        numberAt(`${at}/coupled/estimate`, "decimal"),
      ]),
    ),
    { kind: "text", text: DISJOINT_NOTE },
  ];
}

/** Flippers against Stable at the lowest temperature. */
function groupBlocks({ group_tests, groups, temperatures }: Stability): Block[] {
  const first = temperatures[0]?.temperature ?? null;
  const rows = group_tests.map((one, i) => ({ ...one, at: `/group_tests/${i}` }));
  if (rows.length === 0 || !groups.pilot) return [];
  const rule = groups.rule === "level" ? "more than one level" : "both level 3 and another";
  const count = (field: string) => numberAt(`/groups/${field}`, "whole");
  return [
    { kind: "heading", text: "Flippers and Stable" },
    { kind: "figure", id: "stability-flipper-stable" },
    {
      kind: "text",
      text: sentence`${count("flippers")} Flippers and ${count("stable")} Stable were chosen from ${count("pilot/candidates")} candidates with ${count("pilot/replicates")} pilot audits each: a Flipper showed ${rule}. The pilot's audits are not measured.`,
    },
    table(
      ["", ">median Flippers", ">median Stable", ">Cliff's δ", ">p adjusted"],
      rows
        .filter(({ temperature }) => temperature === first)
        .map(({ metric, adjusted_p, at }): Text[] => [
          sign(metric),
          numberAt(`${at}/median/flippers`, "fine"),
          numberAt(`${at}/median/stable`, "fine"),
          estAt(`${at}/effect`, "decimal"),
          pCell(adjusted_p),
        ]),
    ),
    {
      kind: "text",
      text: `Mann–Whitney test with Holm's correction for all ${group_tests.length} tests. δ = 1: every Flipper has the larger value; 0: no difference.`,
    },
  ];
}

/** How many replicates settle a case, and what early stopping saves. */
function replicateBlocks({ sequential, settings }: Stability): Block[] {
  const kinds = (["labels", "probabilities"] as const).filter((kind) => (sequential[kind]?.cells ?? 0) > 0);
  const used = kinds.includes(settings.evidence) ? settings.evidence : kinds[0];
  if (!used) return [];
  const at = `/sequential/${used}`;
  const saved =
    settings.mode === "sequential"
      ? sentence`: ${numberAt(`${at}/saved_against_cap`, "rounded")} fewer than the ${numberAt("/settings/cap", "whole")} allowed for each, ${numberAt(`${at}/saved_against_paper`, "rounded")} fewer than the paper's 1,000`
      : [", a fixed number for each"];
  return [
    { kind: "heading", text: "How many replicates it takes" },
    {
      kind: "text",
      text: sentence`${numberAt(`${at}/replicates`, "whole")} replicates were asked for in ${numberAt(`${at}/cells`, "whole")} cells (a case under a condition)${saved}. At α = ${String(settings.alpha)}, ${String(identicalReplicates(settings.alpha, settings.stop))} audits with the same level settle a case.`,
    },
    ...kinds.map((kind): Block => {
      const from = `/sequential/${kind}`;
      return {
        kind: "text",
        text: sentence`Counting ${kind === "labels" ? "levels" : "probabilities (Rao–Blackwell)"}, ${numberAt(`${from}/settled`, "whole")} of ${numberAt(`${from}/cells`, "whole")} cells are settled; stopping at the replicate that settles each takes ${numberAt(`${from}/at_best/replicates`, "whole")} replicates.`,
      };
    }),
  ];
}

function temperatureText(temperature: number | null): string {
  return temperature === null ? "unknown temperature" : `T = ${temperature}`;
}

export default {
  kind: "stability",
  view: "trust",
  id: "stability",
  place: 2,
  tab: "Stability",
  heading: "Stability",
  purpose: "It audits the same cases many times and shows which verdicts flip.",
  command: "defensible stability",
  document: (result) => stabilityDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"stability">;
