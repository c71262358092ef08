import { GATE_MODES, type GateMode } from "../../core/names.js";
import type { Plan, PlanGate } from "../../core/results/plan.js";
import { type Block, type Document, table } from "../document/document.js";
import { whole } from "../words/numbers.js";
import { gateName } from "../words/words.js";
import { certifyBlocks, chance, share, sizeBlocks } from "./size-blocks.js";

/** A curve of a chart: one value between 0 and 1 per column, drawn with one letter. */
interface ChartCurve {
  letter: string;
  values: readonly number[];
}

interface ChartOptions {
  /** Values of x, ascending; one column each. */
  x: readonly number[];
  curves: readonly ChartCurve[];
  /** Rows of the plot. Default 11. */
  rows?: number;
  /** A vertical line at this x: a limit. */
  mark?: number;
  xLabel: (x: number) => string;
  /** Lines under the axis. */
  caption: readonly string[];
}

/** Where several curves coincide. */
const SHARED = "#";

/** Curves from 0 to 100% in characters, one letter each, without colour; `#` is where two or more coincide. Steep segments are filled in. */
export function lineChart({ x, curves, rows = 11, mark, xLabel, caption }: ChartOptions): string[] {
  const columns = x.length;
  const grid = Array.from({ length: rows }, () => new Array<string>(columns).fill(" "));
  const rowOf = (value: number) => Math.round((1 - Math.min(1, Math.max(0, value))) * (rows - 1));
  if (mark !== undefined) {
    const column = x.findIndex((value) => value >= mark - 1e-9);
    if (column >= 0) for (const row of grid) row[column] = "┊";
  }
  for (const { letter, values } of curves) {
    let before = rowOf(values[0] ?? 0);
    for (let column = 0; column < columns; column++) {
      const here = rowOf(values[column] ?? 0);
      const step = Math.sign(here - before);
      for (let row = step === 0 ? here : before + step; ; row += step) {
        const there = grid[row]![column]!;
        grid[row]![column] = there === " " || there === "┊" || there === letter ? letter : SHARED;
        if (row === here) break;
      }
      before = here;
    }
  }
  const labels = new Map([
    [0, "100%"],
    [Math.round((rows - 1) / 2), "50%"],
    [rows - 1, "0%"],
  ]);
  const lines = grid.map((row, index) => {
    const label = labels.get(index) ?? "";
    return `${label.padStart(5)} ${label ? "┤" : "│"}${row.join("")}`.trimEnd();
  });
  return [
    ...lines,
    `      └${"─".repeat(columns)}`,
    `       ${axisLabels(x, xLabel)}`,
    ...caption.map((line) => `       ${line}`),
  ];
}

/** Columns between labels of the axis. */
const LABEL_STEP = 10;

function axisLabels(x: readonly number[], label: (x: number) => string): string {
  const line = new Array<string>(x.length + 8).fill(" ");
  for (let column = 0; column < x.length; column += LABEL_STEP) {
    [...label(x[column]!)].forEach((character, i) => {
      line[column + i] = character;
    });
  }
  return line.join("").trimEnd();
}

const nameOf = (mode: GateMode) => gateName(mode).replace(" gate", "");

const LETTERS = { paper: "r", shrunk: "c", certified: "p" } as const;

/** Operating characteristic: chart first, then tables. */
function gateBlocks(plan: PlanGate): PlanBody {
  const { n, di, ai, delta, communities, risk, open, variable } = plan.inputs;
  const many = communities > 1 ? ` / ${whole(communities)} communities` : "";
  const index = variable === "ai_pure" ? "pure ambiguity" : "ambiguity";
  const subtitle = `${whole(n)} decisions · DI at least ${share(di)}, ${index} at most ${share(ai)} · proven (certified) at δ = ${share(delta)}${many} · cautious (shrunk) at q = ${share(risk)}`;
  const limit = 1 - di;
  return {
    subtitle,
    blocks: [
      { kind: "heading", text: `Probability to pass with ${whole(n)} decisions` },
      {
        kind: "picture",
        lines: lineChart({
          x: plan.curve.map((point) => point.indefensible),
          curves: GATE_MODES.map((mode) => ({ letter: LETTERS[mode], values: plan.curve.map((point) => point[mode]) })),
          mark: limit,
          xLabel: share,
          caption: [
            "true share of indefensible decisions",
            "r raw · c cautious · p proven · # several of them · ┊ limit",
          ],
        }),
      },
      { kind: "text", text: countsText(plan) },
      ...byOpen(plan),
      ...bySize(plan),
      {
        kind: "text",
        text: `Exact binomial sums, for one look at the data that is declared beforehand. The inverse check is taken to say Yes of ${share(plan.inputs.yes_if_indefensible)} of the indefensible decisions and, in the picture, of ${share(open)} of the defensible ones (--open). The cautious gate depends on the fleet: here on a prior of ${priorText(plan)}, and on a community that may be let through only at the risk itself; next to better ones it can be let through at up to twice the risk.`,
      },
    ],
  };
}

function countsText(plan: PlanGate): string {
  const { n } = plan.inputs;
  const words = GATE_MODES.map((mode) => {
    const counts = plan.passing_counts[mode];
    if (!counts) return `${nameOf(mode)}: nothing`;
    const most = (count: number) => (count === 0 ? "no" : `at most ${count}`);
    const both = mode === "shrunk" && counts.indefensible > 0 && counts.inverse_yes > 0 ? ", not both at once" : "";
    return `${nameOf(mode)}: ${most(counts.indefensible)} indefensible and ${most(counts.inverse_yes)} Yes${both}`;
  });
  const few =
    n < plan.inputs.min_decisions ? ` Fewer than ${whole(plan.inputs.min_decisions)} decisions open no gate.` : "";
  return `What passes with ${whole(n)} decisions: ${words.join("; ")}.${few}`;
}

/** Every mode by the true rate; the paper's also by how open the rules are. */
function byOpen(plan: PlanGate): Block[] {
  const { open } = plan.inputs;
  const levels = [...new Set(plan.by_open.map((point) => point.open))];
  const rates = [...new Set(plan.by_open.map((point) => point.indefensible))];
  const nearest = levels.reduce((best, level) => (Math.abs(level - open) < Math.abs(best - open) ? level : best));
  const at = (rate: number, level: number) =>
    plan.by_open.find((point) => point.indefensible === rate && point.open === level)!;
  return [
    { kind: "heading", text: `By the true rate, inverse check Yes of ${share(nearest)} of the defensible decisions` },
    table(
      [">indefensible", ">ambiguity", ">raw", ">cautious", ">proven"],
      rates.map((rate) => {
        const point = at(rate, nearest);
        return [share(rate), chance(point.ambiguity), ...GATE_MODES.map((mode) => chance(point[mode]))];
      }),
    ),
    { kind: "heading", text: "The raw gate where the rules leave more open" },
    table(
      [">indefensible", ...levels.map((level) => `>open ${share(level)}`)],
      rates.map((rate) => [share(rate), ...levels.map((level) => chance(at(rate, level).paper))]),
    ),
  ];
}

function bySize(plan: PlanGate): Block[] {
  const sizes = [...new Set(plan.by_n.map((point) => point.n))];
  const rates = [...new Set(plan.by_n.map((point) => point.indefensible))];
  const at = (n: number, rate: number) => plan.by_n.find((point) => point.n === n && point.indefensible === rate)!;
  return [
    { kind: "heading", text: "By the number of decisions and the true rate" },
    table(
      [">decisions", ...rates.map((rate) => `>at ${share(rate)}`)],
      sizes.map((n) => [
        whole(n),
        ...rates.map((rate) => GATE_MODES.map((mode) => percent(at(n, rate)[mode])).join(" / ")),
      ]),
    ),
    { kind: "text", text: "Probability to pass in percent: raw / cautious / proven." },
  ];
}

function percent(value: number): string {
  if (value > 0 && value < 0.005) return "<1";
  return value < 1 && value >= 0.995 ? ">99" : (100 * value).toFixed(0);
}

function priorText(plan: PlanGate): string {
  const priors = plan.inputs.priors as Record<"indefensible" | "ambiguity", { mean: number; strength: number }>;
  const text = (prior: { mean: number; strength: number }) =>
    `${share(prior.mean)} (worth ${prior.strength} decisions)`;
  return `${text(priors.indefensible)} indefensible and ${text(priors.ambiguity)} ambiguous`;
}

const TITLES: Record<Plan["what"], string> = {
  certify: "Plan: decisions to certify a community",
  estimate: "Plan: decisions to estimate a rate",
  paired: "Plan: decisions for a paired comparison",
  clusters: "Plan: decisions that come in clusters",
  correlation: "Plan: cases for a correlation",
  labels: "Plan: labels next to the auditor",
  gate: "Plan: what the gates let through",
};

/** A plan in words: the answer first, then what it rests on. */
export function planDocument(plan: Plan): Document {
  const { subtitle, blocks } = bodyOf(plan);
  return { title: TITLES[plan.what], subtitle, blocks };
}

export interface PlanBody {
  subtitle: string;
  blocks: Block[];
}

function bodyOf(plan: Plan): PlanBody {
  if (plan.what === "certify") return certifyBlocks(plan);
  if (plan.what === "gate") return gateBlocks(plan);
  return sizeBlocks(plan);
}
