import { describe, expect, it } from "vitest";
import { watchStreams } from "../../measures/gate/drift/watch-streams.js";
import type { WatchRow } from "../../measures/gate/drift/watch-types.js";
import { watchNotes } from "./watch-document.js";

const options = { p0: { indefensible: 0.1, ambiguous: 0.15 }, fleet: 8 };
const rows = (key: string, n: number, make: (i: number) => Partial<WatchRow>): WatchRow[] =>
  Array.from({ length: n }, (_, i) => {
    return { key, time: i, decided: true, x_indefensible: 0, x_ambiguous: 0, version: "1", ...make(i) };
  });

describe("notes of a watch", () => {
  it("tell of versions that alternate, and not of releases", () => {
    const { state } = watchStreams(
      [
        ...rows("alternating", 700, (i) => ({ version: `${i % 2}` })),
        ...rows("released", 3000, (i) => ({ version: `${Math.floor(i / 250)}` })),
      ],
      options,
    );
    const notes = watchNotes(state, new Set());
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/alternate in alternating \(699 changes in 700 decisions, 1 new start\)\./);
  });

  it("tell which decisions a suspended community does not get counted", () => {
    const bad = rows("a", 20, (i) => ({ x_indefensible: 1, time: 1e6 + i }));
    const { state } = watchStreams([...bad, ...rows("a", 300, () => ({}))], options);
    expect(watchNotes(state, new Set(["a"]))).toEqual([
      "Not counted towards a return, because decided before the alarm or without a readable `decided_at`: a (300 decisions).",
    ]);
    expect(watchNotes(state, new Set())).toEqual([]);
  });
});
