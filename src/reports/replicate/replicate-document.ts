import type { Compared, Replicate } from "../../domain/replicate.js";
import { distance, valueText } from "../../figures/experiments/compared-cells.js";
import { percent, plural, whole } from "../../figures/numbers.js";
import { printable } from "../../figures/printable.js";
import { quantile } from "../../stats/quantile.js";
import { type Block, type Document, table } from "../document.js";
import { byPlace, tableBlocks } from "./table-blocks.js";

/** The paper's experiments, repeated: what agrees, what does not, and everything table by table. */
export function replicateDocument(result: Replicate): Document {
  const { simulation, auditor, audits } = result;
  const world = simulation
    ? `simulated world (preset ${printable(simulation.preset, 40)}, seed ${simulation.seed})`
    : "these decisions";
  return {
    title: "The paper's experiments, repeated",
    subtitle: `${world} · auditor ${printable(auditor, 60)} · ${plural(audits, "audit")}`,
    blocks: [
      ...headline(result),
      ...notes(result),
      ...overview(result),
      ...disagreements(result),
      ...datasets(result),
      ...[...byPlace(result.compared)]
        .filter(([place]) => place !== DATASETS)
        .flatMap(([place, rows]) => tableBlocks(place, rows)),
      ...beyond(result),
      ...steps(result),
    ],
  };
}

/** Its counts stand in the table of cohorts. */
const DATASETS = "Table datasets";

/** Numbers that say something: what went into a world proves nothing when it comes out again. */
function telling({ simulation, compared }: Replicate): Compared[] {
  const judged = compared.filter(({ within }) => within !== null);
  return simulation?.paper_rates ? judged.filter(({ role }) => role !== "input") : judged;
}

function headline(result: Replicate): Block[] {
  const { compared, simulation } = result;
  const rows = telling(result);
  const inside = rows.filter(({ within }) => within).length;
  const missing = compared.filter(({ ours }) => ours.value === null).length;
  const paperRates = simulation?.paper_rates ?? false;
  const what = paperRates
    ? "of the printed numbers that come out of the simulation lie in our intervals"
    : "of the printed numbers lie in our intervals";
  const fed = compared.filter(({ role, within }) => role === "input" && within !== null);
  const inputs = paperRates
    ? ` ${whole(fed.length)} more were fed in, and ${fed.filter(({ within }) => within).length} of these come out again within their intervals.`
    : " Other decisions and another auditor need not give the paper's numbers: the table says how far they are apart.";
  return [
    {
      kind: "headline",
      value: `${whole(inside)} of ${whole(rows.length)}`,
      label: what,
      under: `The paper prints ${whole(compared.length)} numbers; ${missing === 0 ? "each has its counterpart here" : `${whole(missing)} have no counterpart here, and it is said why`}.${inputs}`,
    },
  ];
}

function notes({ warnings, simulation }: Replicate): Block[] {
  const told = warnings.map((text) => `${sentence(printable(text, 500))}.`);
  const what = simulation
    ? "In a simulated world agreement shows that the instruments give these numbers when the world is as the paper describes it, and nothing about the platform it studied. Disagreement shows what the printed rates do not determine, or what cannot all be true at once. "
    : "";
  const text = `${what}${told.join(" ")}`.trim();
  return text ? [{ kind: "text", text }] : [];
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}

function overview(result: Replicate): Block[] {
  const places = [...byPlace(result.compared)].map(([place, rows]) => {
    const judged = rows.filter((row) => telling(result).includes(row));
    const inside = judged.filter(({ within }) => within).length;
    const missing = rows.filter(({ ours }) => ours.value === null).length;
    const share = judged.length === 0 ? "–" : `${inside} of ${judged.length}`;
    const apart = median(judged.map(({ difference, paper }) => Math.abs(difference! / paper)));
    return [place, String(rows.length), String(missing), share, apart === null ? "–" : percent(apart, 0)];
  });
  return [
    { kind: "heading", text: "What agrees with the paper" },
    table(
      [
        "table or section",
        ">numbers",
        ">without a value",
        ">in our interval",
        ">median distance, of the printed number",
      ],
      places,
    ),
    {
      kind: "text",
      text: result.simulation?.paper_rates
        ? "Numbers with an interval that were not fed in. An interval is that of our sampling alone: the paper's own numbers vary too, and it prints no intervals."
        : "An interval is that of our sampling alone: the paper's own numbers vary too, and it prints no intervals.",
    },
  ];
}

function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : quantile(Float64Array.from(values).sort(), 0.5);
}

const SHOWN = 12;

function disagreements(result: Replicate): Block[] {
  const outside = telling(result)
    .filter(({ within }) => within === false)
    .sort((a, b) => distance(b) - distance(a));
  if (outside.length === 0) return [];
  const groups = new Map<string, Compared[]>();
  for (const row of outside) {
    const name = `${row.place}: ${row.what.replace(/^[^:]+: /, "")}`;
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const more = Math.max(0, groups.size - SHOWN);
  return [
    { kind: "heading", text: "What does not, and why" },
    table(
      ["table or section", "~number", ">ours", ">paper", "~why it may be"],
      [...groups.values()]
        .slice(0, SHOWN)
        .map(([row, ...others]) => [
          row!.place,
          others.length > 0 ? `${row!.what} (and ${others.length} more like it)` : row!.what,
          valueText(row!.ours.value, row!),
          valueText(row!.paper, row!),
          [row!.caveat, row!.why].filter(Boolean).join("; ") || "other decisions, another auditor",
        ]),
    ),
    {
      kind: "text",
      text: `${plural(outside.length, "number")} outside, farthest from our interval first${more > 0 ? `; ${plural(more, "row")} more in the tables below` : ""}.`,
    },
  ];
}

function datasets({ datasets: rows }: Replicate): Block[] {
  const cell = (value: number | null) => (value === null ? "–" : whole(value));
  return [
    { kind: "heading", text: "Cohorts (the paper's table of datasets)" },
    table(
      ["dataset", "cohort", ">decisions", ">paper", ">communities", ">paper", ">valid audits", "role", "~notes"],
      rows.map((row) => [
        row.dataset,
        row.decisions === null ? "–" : (row.cohort ?? "all decisions"),
        cell(row.decisions),
        cell(row.paper.decisions),
        cell(row.communities),
        cell(row.paper.communities),
        cell(row.valid),
        row.role,
        row.notes,
      ]),
    ),
  ];
}

/** What the paper has no table for. */
function beyond({ findings, tokens }: Replicate): Block[] {
  const blocks: Block[] = findings.map(({ text }) => ({ kind: "text", text: printable(text, 2000) }));
  if (tokens) {
    const signals = Object.values(tokens.signals).filter((one): one is number => one !== null);
    const most = signals.length === 0 ? "none there" : `at most ${Math.max(...signals).toExponential(1)} apart`;
    blocks.push({
      kind: "text",
      text: `Tokens against columns: ${whole(tokens.decisions)} of ${whole(tokens.of)} decisions were audited again as token streams, through the same extraction as a model's answers. ${tokens.agrees ? "They agree" : "They do not agree"}: the same level in ${whole(tokens.same_level)}, the same inverse check in ${whole(tokens.same_inverse)}, signals ${most}.`,
    });
  }
  return blocks.length > 0 ? [{ kind: "heading", text: "What the paper has no table for" }, ...blocks] : [];
}

function steps({ steps: rows }: Replicate): Block[] {
  const status = { done: "done", kept: "done earlier", not_done: "not done", left_out: "left out" } as const;
  return [
    { kind: "heading", text: "Steps" },
    table(
      ["step", "", ">audits", "~why not, and what would change it"],
      rows.map((row) => [
        row.step,
        status[row.status],
        row.audits > 0 ? whole(row.audits) : "",
        row.status === "not_done" ? printable([row.reason, row.command].filter(Boolean).join(". "), 400) : "",
      ]),
    ),
  ];
}
