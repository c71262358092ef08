import { type Block, type Document, type Screen, type Text, table } from "../../present/document/document.js";
import {
  comparedCounts,
  distance,
  formOf,
  referenceCell,
  tellingRows,
  verdictCounts,
} from "../../present/words/experiment-words.js";
import { byCount, formatNumber, percent, plural, whole } from "../../present/words/numbers.js";
import { countedAt, numberAt, sentence } from "../../present/words/sentence.js";
import { upperFirst } from "../../present/words/vocabulary.js";
import { quantile } from "../../stats/ranks/sorted-order.js";
import { printable } from "../../text/printable.js";
import type { Compared, Replicate, ReplicatePlan } from "./result.js";
import { byPlace, type Placed, tableBlocks, valueBlocks } from "./table-blocks.js";

/** All experiments at once: agreement with the reference, disagreement, and every table. */
export function replicateDocument(result: Replicate): Document {
  const { simulation, auditor, audits } = result;
  const world = simulation
    ? `simulated world (preset ${printable(simulation.preset, 40)}, seed ${simulation.seed})`
    : "these decisions";
  const { reference, values = [] } = result;
  const isPaper = isComparedWithPaper(result);
  const name = isPaper ? "the paper" : printable(reference?.name ?? "", 60);
  const others = ([place]: [string, unknown]) => place !== DATASETS;
  const counts = result.counts ?? comparedCounts(result);
  return {
    title: isPaper ? "The paper's experiments, repeated" : "All experiments",
    subtitle: `${world} · auditor ${printable(auditor, 60)} · ${plural(audits, "audit")}${isPaper || !reference ? "" : ` · compared with ${name}`}`,
    data: { ...result, counts },
    blocks: [
      ...(reference === null ? [] : headline(counts, isPaper)),
      ...notes(result, isPaper),
      ...(reference === null ? [] : [...overview(result, name), ...disagreements(result, name)]),
      ...datasets(result),
      ...(reference === null
        ? [...byPlace(values, "/values")].filter(others).flatMap(([place, rows]) => valueBlocks(place, rows))
        : [...byPlace(result.compared, "/compared")]
            .filter(others)
            .flatMap(([place, rows]) => tableBlocks(place, rows, name))),
      ...beyond(result),
      ...steps(result),
    ],
  };
}

/** The table of cohorts shows its counts. */
const DATASETS = "Table datasets";

function headline(counts: NonNullable<Replicate["counts"]>, isPaper: boolean): Block[] {
  const { compared, without_value: missing, found, fed_in: fed } = counts;
  const inputs = fed
    ? sentence`${numberAt("/counts/fed_in/numbers", "whole")} more were fed in: ${numberAt("/counts/fed_in/same", "whole")} come out the same, ${numberAt("/counts/fed_in/different", "whole")} differ, ${numberAt("/counts/fed_in/undecided", "whole")} are undecided.`
    : "Other decisions and another auditor need not give the same numbers: the table says how far they are apart.";
  const counterparts =
    missing === 0
      ? "each has its counterpart here"
      : sentence`${numberAt("/counts/without_value", "whole")} ${byCount(missing, "has", "have")} no counterpart here, and the table says why`;
  return [
    {
      kind: "headline",
      value: sentence`${numberAt("/counts/found/same", "whole")} of ${numberAt("/counts/found/numbers", "whole")}`,
      label: `${isPaper ? "printed numbers" : "numbers of the reference"}${isPaper && fed ? " that come out of the simulation" : ""} are the same here, within a margin`,
      under: sentence`${numberAt("/counts/found/different", "whole")} ${byCount(found.different, "differs", "differ")} and ${numberAt("/counts/found/undecided", "whole")} ${byCount(found.undecided, "is", "are")} undecided. ${numberAt("/counts/compared", "whole")} ${isPaper ? "of the paper's" : "of its"} ${byCount(compared, "number is", "numbers are")} compared; ${counterparts}. ${inputs}`,
    },
  ];
}

function notes({ warnings, simulation }: Replicate, isPaper: boolean): Block[] {
  const notes = warnings.map((text) => `${upperFirst(printable(text, 500))}.`);
  const what =
    simulation && isPaper
      ? "In a simulated world agreement shows that the instruments give these numbers when the world is as the paper describes it, and nothing about the platform it studied. Disagreement shows what the printed rates do not determine, or what cannot all be true at once. "
      : "";
  const text = `${what}${notes.join(" ")}`.trim();
  return text ? [{ kind: "text", text }] : [];
}

function overview(result: Replicate, name: string): Block[] {
  const telling = new Set(tellingRows(result).map(({ id }) => id));
  const places = [...byPlace(result.compared, "/compared")].map(([place, rows]) => {
    const judged = rows.filter(({ id }) => telling.has(id));
    const { same, different, undecided } = verdictCounts(judged);
    const missing = rows.filter(({ ours }) => ours.value === null).length;
    const apart = median(judged.map(({ difference, paper }) => Math.abs(difference! / paper)));
    const verdicts = judged.length === 0 ? ["–", "–", "–"] : [same, different, undecided].map(String);
    return [place, String(rows.length), String(missing), ...verdicts, apart === null ? "–" : percent(apart, 0)];
  });
  return [
    { kind: "heading", text: `What agrees with ${name}` },
    table(
      [
        "table or section",
        ">numbers",
        ">without a value",
        ">same",
        ">different",
        ">undecided",
        ">median distance, of its number",
      ],
      places,
    ),
    {
      kind: "text",
      text: `${result.simulation?.paper_rates && name === "the paper" ? "Numbers with an interval that were not fed in. " : ""}Same: the 90% interval of the difference lies within the margin (2 points of a share, a tenth of any other number). Different: its 95% interval excludes 0. The difference carries the errors of both${name === "the paper" ? ": ours, the paper's rounding and, where it prints the number of rows, its sampling error" : ""}.`,
    },
  ];
}

function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : quantile(Float64Array.from(values).sort(), 0.5);
}

const SHOWN = 12;

function disagreements(result: Replicate, reference: string): Block[] {
  const telling = new Set(tellingRows(result).map(({ id }) => id));
  const outside = [...byPlace(result.compared, "/compared").values()]
    .flat()
    .filter(({ id, verdict }) => verdict === "different" && telling.has(id))
    .sort((a, b) => distance(b) - distance(a));
  if (outside.length === 0) return [];
  const groups = new Map<string, Placed<Compared>[]>();
  for (const row of outside) {
    const name = `${row.place}: ${row.what.replace(/^[^:]+: /, "")}`;
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const more = Math.max(0, groups.size - SHOWN);
  return [
    { kind: "heading", text: "What does not, and why" },
    table<Text>(
      ["table or section", "~number", ">ours", `>${reference}`, "~why it may be"],
      [...groups.values()]
        .slice(0, SHOWN)
        .map(([row, ...others]) => [
          row!.place,
          others.length > 0 ? `${row!.what} (and ${others.length} more like it)` : row!.what,
          numberAt(`${row!.at}/ours/value`, formOf(row!)),
          referenceCell(row!.at, row!),
          [row!.caveat, row!.why].filter(Boolean).join("; ") || "other decisions, another auditor",
        ]),
    ),
    {
      kind: "text",
      text: `${plural(outside.length, "number")} different, farthest apart first${more > 0 ? `; ${plural(more, "row")} more in the tables below` : ""}.`,
    },
  ];
}

function datasets(result: Replicate): Block[] {
  const paper = isComparedWithPaper(result) ? [">paper"] : [];
  return [
    { kind: "heading", text: "Cohorts (the paper's table of datasets)" },
    table<Text>(
      ["~dataset", "cohort", ">decisions", ...paper, ">communities", ...paper, ">valid", "~role"],
      result.datasets.map((row, i) => [
        row.dataset,
        row.decisions === null ? "–" : (row.cohort ?? "all decisions"),
        ...["decisions", "paper/decisions", "communities", "paper/communities", "valid"]
          .filter((field) => paper.length > 0 || !field.startsWith("paper/"))
          .map((field) => numberAt(`/datasets/${i}/${field}`, "whole")),
        [row.role, row.notes].filter(Boolean).join(": "),
      ]),
    ),
  ];
}

/** Findings without a table in the paper. */
function beyond({ findings, tokens }: Replicate): Block[] {
  const blocks: Block[] = findings.map(({ text }) => ({ kind: "text", text: printable(text, 2000) }));
  if (tokens) {
    const signals = Object.values(tokens.signals).filter((one): one is number => one !== null);
    const most = signals.length === 0 ? "none there" : `at most ${Math.max(...signals).toExponential(1)} apart`;
    blocks.push({
      kind: "text",
      text: sentence`Tokens against columns: ${numberAt("/tokens/decisions", "whole")} of ${countedAt("/tokens/of", tokens.of, "decision")} were audited again as token streams, through the same extraction as a model's answers. ${tokens.agrees ? "They agree" : "They do not agree"}: the same level in ${numberAt("/tokens/same_level", "whole")}, the same inverse check in ${numberAt("/tokens/same_inverse", "whole")}, signals ${most}.`,
    });
  }
  return blocks.length > 0 ? [{ kind: "heading", text: "What the paper has no table for" }, ...blocks] : [];
}

function steps({ steps: rows }: Replicate): Block[] {
  const status = { done: "done", kept: "done earlier", not_done: "not done", left_out: "left out" } as const;
  return [
    { kind: "heading", text: "Steps" },
    table<Text>(
      ["step", "", ">audits", "~why not, and what would change it"],
      rows.map((row, i) => [
        row.step,
        status[row.status],
        row.audits > 0 ? numberAt(`/steps/${i}/audits`, "whole") : "",
        row.status === "not_done" ? printable([row.reason, row.command].filter(Boolean).join(". "), 400) : "",
      ]),
    ),
  ];
}

export function replicatePlanDocument({ steps, audits, cost_usd }: ReplicatePlan, auditor: string): Document {
  const paid = cost_usd === null || cost_usd > 0;
  const cost = (value: number | null) => (value === null ? "unknown" : formatNumber(value, "dollars"));
  const blocks: Block[] = [
    {
      kind: "text",
      text: `${plural(audits, "audit")} by ${auditor}${paid ? `, about ${cost(cost_usd)}` : ""}. What is there already, or in the response cache, costs nothing. Nothing was done.`,
    },
    table(
      ["step", ">audits", ...(paid ? [">cost"] : []), "~"],
      steps.map((one) => [
        one.step,
        one.reason ? "–" : whole(one.audits),
        ...(paid ? [one.reason ? "–" : cost(one.cost_usd)] : []),
        one.reason ? `not done: ${one.reason}` : one.audits === 0 ? "uses what other steps audit" : "",
      ]),
    ),
  ];
  return { title: "Plan of the study", subtitle: "", blocks };
}

/** Results of earlier builds were compared with the paper, but do not say so. */
function isComparedWithPaper({ reference }: Pick<Replicate, "reference">): boolean {
  return reference === undefined || reference?.name === "the paper";
}

export default {
  kind: "replicate",
  view: "more",
  id: "replicate",
  place: 5,
  tab: "Paper",
  heading: "The paper's experiments, repeated",
  purpose: "It repeats every experiment of the paper and compares the results with its printed numbers.",
  command: "defensible study",
  document: replicateDocument,
} satisfies Screen<"replicate">;
