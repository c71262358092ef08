import type { ScoreColumns } from "./score-columns.js";

/** The named rows of the columns, in that order. Communities keep their numbers. */
export function selectRows(columns: ScoreColumns, rows: Int32Array): ScoreColumns {
  const numbers = (from: Float64Array): Float64Array => {
    const to = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i]!]!;
    return to;
  };
  const bytes = (from: Uint8Array): Uint8Array => {
    const to = new Uint8Array(rows.length);
    for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i]!]!;
    return to;
  };
  return {
    n: rows.length,
    level: bytes(columns.level),
    levelMap: bytes(columns.levelMap),
    inverse: bytes(columns.inverse),
    positive: bytes(columns.positive),
    p1: numbers(columns.p1),
    p2: numbers(columns.p2),
    p3: numbers(columns.p3),
    lambdaNats: numbers(columns.lambdaNats),
    weightBits: numbers(columns.weightBits),
    citationBits: numbers(columns.citationBits),
    inverseLogOdds: numbers(columns.inverseLogOdds),
    inverseYesProb: numbers(columns.inverseYesProb),
    pds: numbers(columns.pds),
    pDefensible: numbers(columns.pDefensible),
    temperature: numbers(columns.temperature),
    community: Int32Array.from(rows, (row) => columns.community[row]!),
    communities: columns.communities,
    ...(columns.targetLevel ? { targetLevel: bytes(columns.targetLevel) } : {}),
    ...(columns.targetWeight ? { targetWeight: numbers(columns.targetWeight) } : {}),
  };
}
