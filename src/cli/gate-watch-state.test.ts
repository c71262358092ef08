import { describe, expect, it } from "vitest";
import { StreamWatch, watchStreams } from "../gate/drift/watch-streams.js";
import type { WatchOptions } from "../gate/drift/watch-types.js";
import { continuedState } from "./gate-watch-state.js";

const options: WatchOptions = { p0: { indefensible: 0.1, ambiguous: 0.15 }, fleet: 8 };
const nobody = { suspended: [], automated: new Set<string>() };
const rows = (key: string, n: number, bad: number) =>
  Array.from({ length: n }, (_, i) => ({
    key,
    at: null,
    x_indefensible: i < bad ? 1 : 0,
    x_ambiguous: 0,
    version: "1",
  }));

describe("a watch that goes on", () => {
  it("keeps everything when only the fleet grew", () => {
    const { state } = watchStreams(rows("a", 50, 3), options);
    const next = continuedState(state, { ...options, fleet: 16 }, nobody);
    expect(next.keys).toEqual(state.keys);
    expect(next.settings.fleet).toBe(16);
    expect(() => new StreamWatch({ ...options, fleet: 16 }, next)).not.toThrow();
  });

  it("starts at zero under other limits, and keeps who is suspended", () => {
    const { state } = watchStreams([...rows("a", 80, 80), ...rows("b", 50, 3)], options);
    const other = { ...options, p0: { indefensible: 0.05, ambiguous: 0.15 } };
    const next = continuedState(state, other, { ...nobody, suspended: ["a"] });
    expect(next.keys.map(({ key, n, suspended }) => [key, n, suspended?.since.n ?? null])).toEqual([
      ["a", 0, 0],
      ["b", 0, null],
    ]);
    expect(() => new StreamWatch(other, next)).not.toThrow();
  });

  it("follows the gate in who is suspended", () => {
    const unknown = continuedState(null, options, { ...nobody, suspended: ["lost"] });
    expect(unknown.keys.map(({ key, suspended }) => [key, suspended !== null])).toEqual([["lost", true]]);
    const watch = new StreamWatch(options, unknown);
    const events = rows("lost", 200, 0).flatMap((row) => watch.push(row));
    expect(events.map((event) => event.type)).toEqual(["reset", "reinstated"]);
    const { state } = watchStreams(rows("a", 80, 80), options);
    expect(state.keys[0]!.suspended).not.toBeNull();
    const lifted = continuedState(state, options, { suspended: [], automated: new Set(["a"]) });
    expect(lifted.keys[0]).toMatchObject({ key: "a", n: 0, suspended: null });
  });
});
