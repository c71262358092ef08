import { emptyReplicates, type Replicates } from "./replicates.js";

/** A replicate of a test: its level, 0 without a verdict, and what else matters. */
export interface TestRow {
  level: number;
  pds?: number;
  p?: [number, number, number];
  inverseYesProb?: number;
  citationBits?: number;
}

/** Replicates from rows by case and temperature. */
export function makeReplicates(cases: readonly (readonly TestRow[])[][], temperatures: readonly number[]): Replicates {
  const rows = cases.flat(2);
  const replicates = emptyReplicates(
    cases.map((_, i) => `case-${String(i).padStart(3, "0")}`),
    cases.map((_, i) => `community-${i % 3}`),
    temperatures.map((temperature) => ({
      arm: `t=${temperature}`,
      run: "run",
      auditor: "test",
      temperature,
      template: "paper",
    })),
    rows.length,
  );
  let at = 0;
  cases.forEach((cells, i) => {
    cells.forEach((cell, j) => {
      cell.forEach((row, replicate) => {
        replicates.replicate[at] = replicate;
        replicates.level[at] = row.level;
        if (row.pds !== undefined) replicates.pds[at] = row.pds;
        if (row.inverseYesProb !== undefined) replicates.inverseYesProb[at] = row.inverseYesProb;
        if (row.citationBits !== undefined) replicates.citationBits[at] = row.citationBits;
        if (row.p) {
          [replicates.p1[at], replicates.p2[at], replicates.p3[at]] = row.p;
          replicates.pDefensible[at] = row.p[0] + row.p[1];
          replicates.unitSpace[at] = 1;
        }
        at += 1;
      });
      replicates.start[i * temperatures.length + j + 1] = at;
    });
  });
  return replicates;
}

/** So many rows of each level, in this order. */
export function levels(one: number, two: number, three: number): TestRow[] {
  return [one, two, three].flatMap((count, i) => Array.from({ length: count }, () => ({ level: i + 1 })));
}
