import type { AuditedWorld } from "./audit-world.js";

type Columns = AuditedWorld["columns"];

/** The rows of several worlds as one table; communities of different worlds stay different. */
export function joinColumns(worlds: readonly Columns[]): Columns {
  const n = worlds.reduce((sum, world) => sum + world.n, 0);
  const numbers = (name: NumberColumn) => {
    const joined = new Float64Array(n);
    let at = 0;
    for (const world of worlds) {
      joined.set(world[name].subarray(0, world.n), at);
      at += world.n;
    }
    return joined;
  };
  const bytes = (name: ByteColumn) => {
    const joined = new Uint8Array(n);
    let at = 0;
    for (const world of worlds) {
      joined.set(world[name].subarray(0, world.n), at);
      at += world.n;
    }
    return joined;
  };
  const community = new Int32Array(n);
  const communities: string[] = [];
  let at = 0;
  worlds.forEach((world, number) => {
    for (let i = 0; i < world.n; i++) community[at + i] = communities.length + world.community[i]!;
    for (const name of world.communities) communities.push(`${number}/${name}`);
    at += world.n;
  });
  return {
    n,
    level: bytes("level"),
    levelMap: bytes("levelMap"),
    inverse: bytes("inverse"),
    positive: bytes("positive"),
    p1: numbers("p1"),
    p2: numbers("p2"),
    p3: numbers("p3"),
    lambdaNats: numbers("lambdaNats"),
    weightBits: numbers("weightBits"),
    citationBits: numbers("citationBits"),
    inverseLogOdds: numbers("inverseLogOdds"),
    inverseYesProb: numbers("inverseYesProb"),
    pds: numbers("pds"),
    pDefensible: numbers("pDefensible"),
    temperature: numbers("temperature"),
    community,
    communities,
    targetLevel: bytes("targetLevel"),
  };
}

type ByteColumn = "level" | "levelMap" | "inverse" | "positive" | "targetLevel";
type NumberColumn = {
  [K in keyof Columns]-?: Columns[K] extends Float64Array ? K : never;
}[keyof Columns];
