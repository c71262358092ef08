import { createRng } from "../../stats/random/create-rng.js";
import type { ScoreColumns } from "./score-columns.js";

/** Columns of n rows that are all absent or zero. */
export function emptyColumns(n: number): ScoreColumns {
  const absent = () => new Float64Array(n).fill(Number.NaN);
  return {
    n,
    level: new Uint8Array(n),
    levelMap: new Uint8Array(n),
    inverse: new Uint8Array(n),
    positive: new Uint8Array(n),
    p1: absent(),
    p2: absent(),
    p3: absent(),
    lambdaNats: absent(),
    weightBits: absent(),
    citationBits: absent(),
    inverseLogOdds: absent(),
    inverseYesProb: absent(),
    pds: absent(),
    pDefensible: absent(),
    temperature: absent(),
    community: new Int32Array(n),
    communities: ["c"],
  };
}

/** Columns with the parts of S given; H[κ] is H[w] unless it is given too. */
export function columnsOf(rows: {
  level: ArrayLike<number>;
  lambda: ArrayLike<number>;
  entropy: ArrayLike<number>;
  sigma: ArrayLike<number>;
  citation?: ArrayLike<number>;
}): ScoreColumns {
  return {
    ...emptyColumns(rows.level.length),
    level: Uint8Array.from(rows.level),
    lambdaNats: Float64Array.from(rows.lambda),
    weightBits: Float64Array.from(rows.entropy),
    citationBits: Float64Array.from(rows.citation ?? rows.entropy),
    inverseYesProb: Float64Array.from(rows.sigma),
  };
}

/**
 * Audits as the paper describes them: λ near 0 and knowing nothing of the level, H highest for level 2, the inverse check firing for
 * nearly all of level 3 and a fifth of the others. Such rows show what the weights of S mean.
 */
export function paperLikeColumns(n: number, seed: number): ScoreColumns {
  const rng = createRng(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
  const rows = { level: [] as number[], lambda: [] as number[], entropy: [] as number[], sigma: [] as number[] };
  for (let i = 0; i < n; i += 1) {
    const u = rng.next();
    const level = u < 0.127 ? 3 : u < 0.4 ? 2 : 1;
    rows.level.push(level);
    rows.lambda.push(0.03 * Math.log(1 - rng.next()));
    rows.entropy.push(level === 2 ? 0.3 + 0.9 * rng.next() : 0.4 * rng.next());
    const yes = rng.next() < (level === 3 ? 0.95 : 0.22);
    rows.sigma.push(1 / (1 + Math.exp((yes ? -3 : 3) + normal())));
  }
  return columnsOf(rows);
}
