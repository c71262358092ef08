import { describe, expect, it } from "vitest";
import { StreamWatch, watchStreams } from "../../measures/gate/drift/watch-streams.js";
import type { WatchOptions } from "../../measures/gate/drift/watch-types.js";
import { alarmTime, continuedState } from "./watch-events.js";

const options: WatchOptions = { p0: { indefensible: 0.1, ambiguous: 0.15 }, fleet: 8 };
const nobody = { suspended: new Map<string, number | null>(), automated: new Set<string>() };
const rows = (key: string, n: number, bad: number) =>
  Array.from({ length: n }, (_, i) => ({
    key,
    time: 1000 + i,
    decided: true,
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
    const next = continuedState(state, other, { ...nobody, suspended: new Map([["a", null]]) });
    expect(next.keys.map(({ key, n, suspended }) => [key, n, suspended?.since.n ?? null])).toEqual([
      ["a", 0, 0],
      ["b", 0, null],
    ]);
    expect(() => new StreamWatch(other, next)).not.toThrow();
  });

  it("follows the gate in who is suspended", () => {
    const unknown = continuedState(null, options, { ...nobody, suspended: new Map([["lost", 999]]) });
    expect(unknown.keys.map(({ key, suspended }) => [key, suspended !== null])).toEqual([["lost", true]]);
    const watch = new StreamWatch(options, unknown);
    const events = rows("lost", 200, 0).flatMap((row) => watch.push(row));
    expect(events.map((event) => event.type)).toEqual(["reset", "reinstated"]);
    const late = continuedState(null, options, { ...nobody, suspended: new Map([["lost", 1500]]) });
    const older = watchStreams(rows("lost", 200, 0), options, late);
    expect(older.events.map((event) => event.type)).toEqual(["reset"]);
    const { state } = watchStreams(rows("a", 80, 80), options);
    expect(state.keys[0]!.suspended).not.toBeNull();
    const lifted = continuedState(state, options, { ...nobody, automated: new Set(["a"]) });
    expect(lifted.keys[0]).toMatchObject({ key: "a", n: 0, suspended: null });
  });

  it("takes the time of an alarm that it does not know from the gate: of the decision, or else of the telling", () => {
    const { state } = watchStreams(
      rows("a", 80, 80).map((row) => ({ ...row, time: null })),
      options,
    );
    expect(state.keys[0]!.suspended).toMatchObject({ after: null });
    const next = continuedState(state, options, { ...nobody, suspended: new Map([["a", 5]]) });
    expect(next.keys[0]!.suspended).toMatchObject({ after: 5 });
    const told = { since: "2026-02-03T00:00:00Z", reason: "alarm" };
    expect(alarmTime({ ...told, after: "2026-02-02T05:00:00+06:00" })).toBe(Date.UTC(2026, 1, 1, 23));
    expect(alarmTime({ ...told, after: null })).toBe(Date.UTC(2026, 1, 3));
    expect(alarmTime({ ...told, since: "by hand" })).toBeNull();
  });
});
