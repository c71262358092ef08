import type { Stability } from "../../../core/results/stability.js";
import { type Block, table } from "../../../present/document/document.js";
import { DISJOINT_NOTE } from "../../../present/words/experiments/stability-words.js";
import { decimal, pCell } from "../../../present/words/numbers.js";
import { sign } from "../../../present/words/signs.js";
import { temperatureText, valueText } from "./words.js";

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
