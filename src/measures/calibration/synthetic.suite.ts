import { createRng } from "../../stats/random/create-rng.js";
import { type ScoreColumns, type ScoreRow, selectRows } from "./score-columns.js";

/** Columns of n rows in which everything is present and nothing is said; tests fill in what they are about. */
export function emptyColumns(n: number, communities: readonly string[] = ["a"]): ScoreColumns {
  const zeros = () => new Float64Array(n);
  return {
    n,
    level: new Uint8Array(n).fill(1),
    levelMap: new Uint8Array(n),
    inverse: new Uint8Array(n),
    positive: new Uint8Array(n),
    p1: zeros(),
    p2: zeros(),
    p3: zeros(),
    lambdaNats: zeros(),
    weightBits: zeros(),
    citationBits: zeros(),
    inverseLogOdds: zeros(),
    inverseYesProb: zeros(),
    pds: zeros(),
    pDefensible: zeros(),
    temperature: zeros(),
    community: new Int32Array(n),
    communities,
    targetLevel: new Uint8Array(n),
  };
}

/**
 * Audits of n decisions by an auditor that is too sure of itself, with the level others gave as the target. The entropy of the precedent weight is
 * high for level 2 and low for level 3, as the paper's appendix describes it.
 */
export function syntheticColumns(n: number, seed: number, communities = 12, shares = [0.6, 0.25, 0.15]): ScoreColumns {
  const rng = createRng(seed);
  const columns = emptyColumns(
    n,
    Array.from({ length: communities }, (_, c) => `community ${c}`),
  );
  for (let i = 0; i < n; i += 1) {
    const community = rng.int(communities);
    const draw = rng.next();
    const target = draw < shares[0]! ? 1 : draw < shares[0]! + shares[1]! ? 2 : 3;
    const logits = [0, 0, 0].map((_, k) => (k + 1 === target ? 2.5 : 0) + 3.5 * normal(rng) + (k === 0 ? 1 : 0));
    // Levels 2 and 3 look alike to the auditor: what separates them is elsewhere.
    if (target > 1) logits[1] = logits[2]! + normal(rng);
    fillRow(columns, i, {
      probs: softmax(logits),
      rho: (target === 3 ? 3 : -2) + 3 * normal(rng),
      weightBits: Math.min(1.585, Math.max(0, (target === 2 ? 1.1 : 0.35) + 0.25 * normal(rng))),
      citationBits: Math.max(0, 0.5 + 0.3 * normal(rng)),
      positive: rng.int(2),
      community,
      target,
    });
  }
  return columns;
}

export function fillRow(
  columns: ScoreColumns,
  i: number,
  row: {
    probs: readonly number[];
    rho: number;
    weightBits: number;
    citationBits: number;
    positive: number;
    community: number;
    target: number;
  },
): void {
  const [p1 = 0, p2 = 0, p3 = 0] = row.probs;
  const most = Math.max(p1, p2, p3);
  columns.p1[i] = p1;
  columns.p2[i] = p2;
  columns.p3[i] = p3;
  columns.levelMap[i] = p3 === most ? 3 : p2 === most ? 2 : 1;
  columns.level[i] = columns.levelMap[i]!;
  columns.lambdaNats[i] = Math.log(most);
  columns.inverseLogOdds[i] = row.rho;
  columns.inverseYesProb[i] = 1 / (1 + Math.exp(-row.rho));
  columns.weightBits[i] = row.weightBits;
  columns.citationBits[i] = row.citationBits;
  columns.positive[i] = row.positive;
  columns.pds[i] = Math.exp(0.63 * Math.log(most) - 0.01 * row.weightBits - 0.36 * columns.inverseYesProb[i]!);
  columns.pDefensible[i] = p1 + p2;
  columns.community[i] = row.community;
  columns.targetLevel![i] = row.target;
}

/** The same rows in another order, or some of them, or some twice. */
export function takeRows(columns: ScoreColumns, order: readonly number[]): ScoreColumns {
  return selectRows(columns, Int32Array.from(order));
}

/** Row i as an audit has it. */
export function rowOf(columns: ScoreColumns, i: number): ScoreRow {
  const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
  const probs = [columns.p1[i]!, columns.p2[i]!, columns.p3[i]!] as const;
  return {
    level_probs: probs.some(Number.isNaN) ? null : probs,
    level_map: columns.levelMap[i] || null,
    lambda_nats: known(columns.lambdaNats[i]!),
    h_weight_bits: known(columns.weightBits[i]!),
    h_citation_bits: known(columns.citationBits[i]!),
    inverse_log_odds: known(columns.inverseLogOdds[i]!),
    inverse_yes_prob: known(columns.inverseYesProb[i]!),
    positive: columns.positive[i] === 1,
  };
}

export function allRows(columns: ScoreColumns): Int32Array {
  return Int32Array.from({ length: columns.n }, (_, i) => i);
}

function softmax(z: readonly number[]): number[] {
  const e = z.map((value) => Math.exp(value - Math.max(...z)));
  const total = e.reduce((sum, value) => sum + value, 0);
  return e.map((value) => value / total);
}

function normal(rng: { next(): number }): number {
  return Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
}
