import { identicalReplicates } from "../../../measures/stability/allocate.js";
import { type Block, type Document, table } from "../../../present/document/document.js";
import { STABILITY_LIMITS, VARIANCE_SOURCES } from "../../../present/words/experiments/experiment-words.js";
import { decimal, pCell, percent, plural, whole } from "../../../present/words/numbers.js";
import { sign } from "../../../present/words/signs.js";
import { printable } from "../../../text/printable.js";
import type { Stability, StabilityCase } from "../result.js";
import { correlationBlocks, headlineBlocks, shareText, temperatureText, valueText, words } from "./headline-blocks.js";
import { temperatureBlocks } from "./temperature-blocks.js";

/** The least stable cases at the lowest temperature. */
function caseBlocks({ cases, temperatures }: Stability, rows: number): Block[] {
  const first = temperatures[0];
  const own = cases.filter(
    ({ arm, run, temperature }) => arm === first?.arm && run === first.run && temperature === first.temperature,
  );
  if (own.length === 0) return [];
  const sorted = [...own].sort(
    (a, b) =>
      (b.boundary_flip_rate ?? 0) - (a.boundary_flip_rate ?? 0) || (a.dominant_share ?? 0) - (b.dominant_share ?? 0),
  );
  const hidden = own.length - Math.min(rows, own.length);
  return [
    { kind: "heading", text: `Least stable cases, ${temperatureText(first!.temperature)}` },
    table(
      ["decision", ">L1/L2/L3", ">sd S", ">sd p", "class", "boundary"],
      sorted
        .slice(0, rows)
        .map((row) => [
          printable(row.decision_id, 22),
          `${row.levels["1"]}/${row.levels["2"]}/${row.levels["3"]}`,
          decimal(row.sd_pds, 3),
          decimal(row.sd_p_defensible, 3),
          stateText(row.class, row.class_between, row.k),
          stateText(row.boundary, row.boundary_between, row.k),
        ]),
    ),
    {
      kind: "text",
      text: `L1/L2/L3: audits by level. sd p: of P(defensible). "a or b": the replicates do not tell which.${hidden > 0 ? ` ${plural(hidden, "case")} more, and the other temperatures, in the JSON.` : ""}`,
    },
  ];
}

/** Two of them must stand in one cell of a table. */
const SHORT: Readonly<Record<string, string>> = {
  stably_defensible: "defensible",
  boundary_unstable: "unstable",
  stably_indefensible: "indefensible",
  mostly_stable: "mostly",
  highly_unstable: "unstable",
};

function stateText(
  state: StabilityCase["class" | "boundary"],
  between: readonly string[] | undefined,
  k: number,
): string {
  if (state !== "undetermined") return words(state);
  if (!between || between.length > 2 || between.length === 0) return k < 30 ? "too few replicates" : "undetermined";
  return between.map((name) => SHORT[name] ?? words(name)).join(" or ");
}

export interface StabilityDocumentOptions {
  /** Cases shown. Default 12. */
  rows?: number;
}

/** What repeated audits say, in words and tables. */
export function stabilityDocument(result: Stability, options: StabilityDocumentOptions = {}): Document {
  const { counts, sources, settings } = result;
  const names = sources.map(
    ({ name, auditor }) => `${printable(name, 60)}${auditor ? ` by ${printable(auditor, 60)}` : ""}`,
  );
  const how = settings.mode === "fixed" ? "shares as they are" : `settled states only, α = ${settings.alpha}`;
  return {
    title: "Stability",
    subtitle: `${names.join(" · ")} · ${plural(counts.cases, "case")} under ${plural(counts.conditions, "condition")}, ${whole(counts.audits)} audits · ${how}`,
    blocks: [
      ...headlineBlocks(result),
      ...result.warnings.map((text): Block => ({ kind: "text", text: `Note: ${printable(text, 600)}.` })),
      ...temperatureBlocks(result),
      ...groupBlocks(result),
      ...varianceBlocks(result),
      ...correlationBlocks(result),
      ...thresholdBlocks(result),
      ...sequentialBlocks(result),
      ...caseBlocks(result, options.rows ?? 12),
      ...limits(),
    ],
  };
}

/** Every fourth threshold of S at the lowest temperature; the figure has all. */
function thresholdBlocks({ thresholds, temperatures }: Stability): Block[] {
  const rows = thresholds.filter(
    ({ score, temperature }) => score === "pds" && temperature === (temperatures[0]?.temperature ?? null),
  );
  const shown = rows.filter((_, index) => index % 4 === 0);
  if (shown.length === 0) return [];
  const share = (value: number | undefined) => (value === undefined ? "–" : `${(100 * value).toFixed(0)} %`);
  return [
    { kind: "heading", text: "What a threshold on S of one audit lets through" },
    table(
      [">S at least", ">coverage", ">cases", ">rock solid", ">mostly stable", ">moderate", ">highly unstable"],
      shown.map(({ threshold, coverage, cases, mix }) => [
        threshold.toFixed(2),
        share(coverage),
        whole(cases),
        share(mix?.rock_solid),
        share(mix?.mostly_stable),
        share(mix?.moderate),
        share(mix?.highly_unstable),
      ]),
    ),
  ];
}

function limits(): Block[] {
  return [
    { kind: "heading", text: "What these figures cannot show" },
    {
      kind: "text",
      text: STABILITY_LIMITS,
    },
  ];
}

/** Flippers against Stable at the lowest temperature; the others are in the JSON. */
function groupBlocks({ group_tests, groups, temperatures }: Stability): Block[] {
  const first = temperatures[0]?.temperature ?? null;
  const rows = group_tests.filter(({ temperature }) => temperature === first);
  if (rows.length === 0 || !groups.pilot) return [];
  const { pilot } = groups;
  const rule = groups.rule === "level" ? "more than one level" : "both level 3 and another";
  return [
    { kind: "heading", text: `Flippers against Stable, ${temperatureText(first)}` },
    {
      kind: "text",
      text: `${plural(groups.flippers, "Flipper")} and ${groups.stable} Stable, chosen before from ${plural(pilot.candidates, "candidate")} with ${plural(pilot.replicates, "pilot audit")} each: a Flipper showed ${rule}. The pilot's audits are not among those measured.`,
    },
    table(
      ["", ">median Flippers", ">median Stable", ">Cliff's δ", ">p", ">adjusted p"],
      rows.map(({ metric, median, effect, p_value, adjusted_p }) => [
        sign(metric),
        decimal(median.flippers, 3),
        decimal(median.stable, 3),
        valueText(effect, 2),
        pCell(p_value),
        pCell(adjusted_p),
      ]),
    ),
    {
      kind: "text",
      text: `Consistency: the share of the commonest level. Mann and Whitney's test. δ = 1: every Flipper has the larger value; 0: none typically has. Adjusted: Holm's correction for all ${group_tests.length} tests, the other temperatures included.`,
    },
  ];
}

/** Governance ambiguity against sampling noise, as shares of variance. */
function varianceBlocks({ decomposition }: Stability): Block[] {
  const known = decomposition.filter(({ components }) => components.length > 0);
  const heading: Block = { kind: "heading", text: "Where the variance comes from" };
  if (known.length === 0) {
    const reason = decomposition[0]?.reason ?? "no scores";
    return [heading, { kind: "text", text: `Undefined: ${reason}.` }];
  }
  const sources = Object.keys(VARIANCE_SOURCES).filter((source) =>
    known.some(({ components }) => components.some((one) => one.source === source)),
  );
  const cell = (one: Stability["decomposition"][number], source: string) => {
    const found = one.components.find((component) => component.source === source);
    return found ? `${shareText(found.share)}${found.truncated ? " *" : ""}` : "";
  };
  const name = (of: string) => (of === "verdict" ? "defensible or not" : sign(of));
  const truncated = known.some(({ components }) => components.some((one) => one.truncated));
  const has = (source: string) => sources.includes(source);
  const missing = known[0]!.not_estimated.filter((source) => !source.startsWith("case_by_"));
  return [
    heading,
    table(
      ["", ...known.map(({ of }) => `>${name(of)}`)],
      sources.map((source) => [VARIANCE_SOURCES[source]!, ...known.map((one) => cell(one, source))]),
    ),
    {
      kind: "text",
      text: `Shares of the variance, with 95 % intervals over cases, by the method of moments on the ${known[0]!.cases} cases that have every condition. Case: what it is, and what its rules say; trace: the same question asked again at the same settings${has("token") ? "; token: the draw of the last word, given the reasoning before it" : ""}. Were the spread of a case sampling noise alone, the last column would follow temperature, not the case.${truncated ? " * The estimate was negative and counts as 0." : ""}${missing.length > 0 ? ` Not estimated, since it was not varied: ${missing.join(", ")}.` : ""}`,
    },
  ];
}

type Savings = NonNullable<Stability["sequential"]["labels"]>;

/** What stopping early saves. */
function sequentialBlocks({ sequential, settings }: Stability): Block[] {
  const { labels, probabilities } = sequential;
  const used = (settings.evidence === "probabilities" ? probabilities : labels) ?? labels ?? probabilities;
  if (!used || used.cells === 0) return [];
  const share = (value: number | null) => (value === null ? "–" : percent(value, 0));
  const first =
    settings.mode === "sequential"
      ? `${whole(used.replicates)} replicates were asked for in ${plural(used.cells, "cell")} (a case under a condition): ${share(used.saved_against_cap)} fewer than the ${whole(settings.cap)} allowed for each, ${share(used.saved_against_paper)} fewer than the paper's 1,000.`
      : `${whole(used.replicates)} replicates were asked for in ${plural(used.cells, "cell")} (a case under a condition), a fixed number for each.`;
  const told = [
    labels && atBest(labels, "Counting levels", settings),
    probabilities && atBest(probabilities, "Counting probabilities instead (Rao–Blackwell)", settings),
  ].filter(Boolean);
  return [
    { kind: "heading", text: "How many replicates it takes" },
    {
      kind: "text",
      text: `${first} ${told.join(" ")} ${identical(settings)} What is settled is wrong with probability at most ${settings.alpha} for each case, however often one looked.`,
    },
  ];
}

function identical({ alpha, stop }: Stability["settings"]): string {
  const both = stop === "class" ? `, ${identicalReplicates(alpha, "class")} its class too` : "";
  return `At α = ${alpha}, ${identicalReplicates(alpha, "boundary")} audits with the same level settle the boundary state of a case${both}; fewer settle none that is stable.`;
}

function atBest(
  { cells, replicates, settled, at_best }: Savings,
  counting: string,
  { stop, cap }: Stability["settings"],
): string {
  const what = stop === "boundary" ? "the boundary state is" : "boundary state and class are";
  const saved =
    at_best.saved_against_paper === null || replicates === 0
      ? ""
      : ` (${percent(1 - at_best.replicates / replicates, 0)} fewer than were asked for, ${percent(at_best.saved_against_paper, 0)} fewer than 1,000 each)`;
  return `${counting}, ${what} settled in ${whole(settled)} of ${plural(cells, "cell")}; stopping at the very replicate that settles it, or at ${whole(cap)}, takes ${whole(at_best.replicates)} replicates${saved} and settles ${whole(at_best.settled)}.`;
}
