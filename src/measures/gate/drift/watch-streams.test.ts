import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../core/errors.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { logOneSidedEValue } from "../../../stats/tests/mixture-e-value.js";
import { driftAlternatives, eDetector, productLogE } from "./e-detector.js";
import { fleetEvidence, planWatch } from "./watch-plan.js";
import { StreamWatch, watchStreams } from "./watch-streams.js";
import {
  evidenceOfReturn,
  type ReinstatedEvent,
  type SuspendedEvent,
  type WatchOptions,
  type WatchRow,
} from "./watch-types.js";

const options: WatchOptions = { p0: { indefensible: 0.1, ambiguous: 0.15 }, fleet: 2 };

const row = (key: string, bad: number, yes: number, version = "v1", time: number | null = null): WatchRow => ({
  key,
  time,
  decided: time !== null,
  x_indefensible: bad,
  x_ambiguous: yes,
  version,
});
const times = (n: number, make: WatchRow): WatchRow[] => Array.from({ length: n }, () => make);
/** One a second. */
const timed = (rows: readonly WatchRow[], start = 0): WatchRow[] =>
  rows.map((one, i) => ({ ...one, time: start + 1000 * i, decided: true }));
const good = row("a", 0, 0);
const bad = row("a", 1, 0);

/** Rows of some communities, versions and qualities mixed. */
const someRows = fc
  .array(
    fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 60 }), fc.nat(9), fc.constantFrom("v1", "v2")),
    {
      maxLength: 20,
    },
  )
  .map((spans) =>
    timed(
      spans.flatMap(([key, n, tenths, version], span) =>
        Array.from({ length: n }, (_, i) =>
          row(key, (7 * i + span) % 10 < tenths ? 1 : 0, i % 5 === 0 ? 1 : 0, version),
        ),
      ),
    ),
  );

describe("watchStreams", () => {
  it("suspends at the row where a detector by itself would alarm", () => {
    const rng = createRng("watch");
    const rows = Array.from({ length: 600 }, (_, i) =>
      row("a", rng.next() < (i < 300 ? 0.05 : 0.4) ? 1 : 0, 0, "v1", 1000 * i),
    );
    const x = rows.map((r) => r.x_indefensible);
    const { events } = watchStreams(rows, options);
    const alarm = eDetector(x, { p0: 0.1, p1: driftAlternatives(0.1), alpha: 0.001 / 4 }).alarm!;
    expect(alarm).toBeGreaterThan(300);
    expect(events[0]).toMatchObject({
      type: "suspended",
      key: "a",
      at: new Date(1000 * alarm).toISOString(),
      row: alarm,
      which: "indefensible",
      detector: "e_detector",
    });
    const event = events[0] as { statistic: number; threshold: number };
    expect(event.statistic).toBeGreaterThanOrEqual(event.threshold);
  });

  it("watches ambiguity too, and each community by itself", () => {
    const rows = Array.from({ length: 300 }, () => [row("a", 0, 0), row("b", 0, 1)]).flat();
    const { events, state } = watchStreams(rows, options);
    expect(events).toMatchObject([{ type: "suspended", key: "b", which: "ambiguous" }]);
    expect(state.keys.map(({ key, suspended }) => [key, suspended !== null])).toEqual([
      ["a", false],
      ["b", true],
    ]);
  });

  it("keeps a community suspended until rows after the alarm certify both rates, and then starts anew", () => {
    const rows = timed([...times(10, bad), ...times(300, good)]);
    const { events } = watchStreams(rows, options);
    expect(events.map(({ type }) => type)).toEqual(["suspended", "reinstated"]);
    const [alarm, back] = events as [SuspendedEvent, ReinstatedEvent];
    // Bad rows between the alarm and the good ones count against it.
    const after = rows.slice(alarm.row + 1, back.row + 1);
    expect(back).toMatchObject({ n: after.length, indefensible: after.filter((r) => r.x_indefensible === 1).length });
    const logE = (n: number) => logOneSidedEValue(back.indefensible, n, 0.1);
    expect(logE(back.n)).toBeGreaterThanOrEqual(Math.log(20));
    expect(logE(back.n - 1)).toBeLessThan(Math.log(20));
    const again = watchStreams(timed([...rows.slice(0, back.row + 1), ...times(30, bad)]), options);
    expect(again.events.map(({ type }) => type)).toEqual(["suspended", "reinstated", "suspended"]);
  });

  it("does not reinstate on one rate while the other is still too high", () => {
    const rows = timed([
      ...times(30, bad),
      ...Array.from({ length: 2000 }, (_, i) => row("a", 0, i % 5 === 0 ? 1 : 0)),
    ]);
    expect(watchStreams(rows, options).events.map(({ type }) => type)).toEqual(["suspended"]);
  });

  it("forgets what it has seen when the version changes, and says so", () => {
    const almost = times(4, bad);
    expect(watchStreams([...almost, ...almost], options).events).toMatchObject([{ type: "suspended", row: 5 }]);
    const { events, state } = watchStreams(
      [...almost, row("a", 1, 0, "v2"), ...times(3, row("a", 1, 0, "v2"))],
      options,
    );
    expect(events).toEqual([{ type: "reset", key: "a", at: null, row: 4, from: "v1", to: "v2" }]);
    expect(state.keys[0]).toMatchObject({ version: "v2", n: 4, indefensible: 4, resets: 1 });
    const fresh = watchStreams(times(4, row("a", 1, 0, "v2")), options).state.keys[0]!;
    const memory = { versions: ["v1", "v2"], rows: 8, changes: 1, resets: 1, reset_rows: [4] };
    expect(state.keys[0]).toEqual({ ...fresh, ...memory });
  });

  it("leaves a suspended community suspended under a new version, which has to be certified by its own rows", () => {
    const back = watchStreams(timed([...times(10, bad), ...times(300, good)]), options).events[1]!;
    const rows = timed([...times(10, bad), ...times(back.row - 10, good), ...times(300, row("a", 0, 0, "v2"))]);
    const { events } = watchStreams(rows, options);
    expect(events.map(({ type }) => type)).toEqual(["suspended", "reset", "reinstated"]);
    expect(events[2]!.row).toBeGreaterThan(back.row + 20);
  });

  it("does not reinstate on decisions older than the alarm, or as old, or made at an unknown time", () => {
    const { state, events } = watchStreams(timed(times(10, bad), 5e6), options);
    const alarm = events[0]!;
    const at = Date.parse(alarm.at!);
    const older = times(300, { ...good, time: at - 1, decided: true });
    const asOld = times(300, { ...good, time: at, decided: true });
    const auditedLater = times(300, { ...good, time: at + 1e9, decided: false });
    const unknown = times(300, good);
    const still = watchStreams([...older, ...asOld, ...auditedLater, ...unknown], options, state);
    expect(still.events).toEqual([]);
    expect(still.state.keys[0]!.suspended).toMatchObject({ since: { n: 10 - alarm.row - 1 }, not_counted: 1200 });
    const younger = watchStreams(times(300, { ...good, time: at + 1e6, decided: true }), options, still.state);
    expect(younger.events).toMatchObject([{ type: "reinstated" }]);
    expect((younger.events[0] as ReinstatedEvent).n).toBeLessThan(200);
  });

  it("counts no row towards a return after an alarm of unknown time", () => {
    const rows = [...times(10, bad), ...timed(times(500, good))];
    expect(watchStreams(rows, options).events.map(({ type }) => type)).toEqual(["suspended"]);
  });

  it("sees a change in a community whose versions alternate, row by row", () => {
    const rng = createRng("alternating");
    const rows = Array.from({ length: 700 }, (_, i) =>
      row("a", rng.next() < (i < 500 ? 0.03 : 0.3) ? 1 : 0, 0, `v${i % 2}`),
    );
    const { events, state } = watchStreams(rows, options);
    expect(events.map(({ type }) => type)).toEqual(["reset", "suspended"]);
    expect(events[1]!.row).toBeGreaterThan(500);
    expect(state.keys[0]).toMatchObject({ resets: 1, changes: 699, rows: 700 });
  });

  it("sees it where every row has a version of its own, and its memory does not grow", () => {
    const rng = createRng("own versions");
    const rows = Array.from({ length: 900 }, (_, i) =>
      row("a", rng.next() < (i < 500 ? 0.03 : 0.4) ? 1 : 0, 0, `v${i}`),
    );
    const { events, state } = watchStreams(rows, options);
    const alarm = events.findIndex(({ type }) => type === "suspended");
    expect(events[alarm]!.row).toBeGreaterThan(500);
    // Rows 1 to 4 reset, then 401 to 404.
    expect(events.slice(0, alarm).map((event) => event.row)).toEqual([1, 2, 3, 4, 401, 402, 403, 404]);
    expect(state.keys[0]!.versions).toHaveLength(16);
    expect(state.keys[0]!.reset_rows).toHaveLength(4);
  });

  it("refuses a state whose statistics are not those of its detectors", () => {
    const { state } = watchStreams([good], options);
    const { m } = state.keys[0]!;
    for (const damage of [{ m: [] }, { m: m.map(() => Number.NaN) }, { m: m.map(() => -1) }]) {
      const damaged = { ...state, keys: [{ ...state.keys[0]!, ...damage }] };
      expect(() => new StreamWatch(options, damaged)).toThrow(/its statistics are damaged/);
    }
  });

  it("goes on from its state, through JSON, as if it had never stopped", () => {
    fc.assert(
      fc.property(someRows, fc.nat(), (rows, at) => {
        const cut = rows.length === 0 ? 0 : at % rows.length;
        const whole = watchStreams(rows, options);
        const first = watchStreams(rows.slice(0, cut), options);
        const kept = JSON.parse(JSON.stringify(first.state));
        const second = watchStreams(rows.slice(cut), options, kept);
        expect([...first.events, ...second.events]).toEqual(whole.events);
        expect(second.state).toEqual(whole.state);
        expect(kept).toEqual(first.state);
      }),
    );
  });

  it("gives each community the same events however the others come in between", () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const strip = (list: readonly WatchRow[]) =>
          watchStreams(list, options).events.map(({ row: _, ...event }) => event);
        const apart = ["a", "b", "c"].flatMap((key) => strip(rows.filter((r) => r.key === key)));
        const together = strip(rows);
        expect(["a", "b", "c"].flatMap((key) => together.filter((event) => event.key === key))).toEqual(apart);
      }),
    );
  });

  it("refuses a state of other settings, but takes one of another fleet size or α", () => {
    const { state } = watchStreams([good], options);
    expect(() => watchStreams([], { ...options, p0: { indefensible: 0.05, ambiguous: 0.15 } }, state)).toThrow(
      InputError,
    );
    expect(() => watchStreams([], { ...options, odds_ratios: [2] }, state)).toThrow(InputError);
    expect(watchStreams([], { ...options, fleet: 50, alpha: 0.01 }, state).state.settings).toMatchObject({
      fleet: 50,
      alpha: 0.01,
    });
  });

  it("refuses rows without a verdict, and takes probabilities", () => {
    const watch = new StreamWatch(options);
    expect(() => watch.push(row("a", Number.NaN, 0))).toThrow(RangeError);
    expect(watch.state().rows).toBe(0);
    expect(watch.push(row("a", 0.5, 0.25))).toEqual([]);
    expect(watch.state().keys[0]).toMatchObject({ indefensible: 0.5, ambiguous: 0.25 });
  });

  it("has nothing to say of no rows", () => {
    const { events, state } = watchStreams([], options);
    expect(events).toEqual([]);
    expect(state).toMatchObject({ format: 1, rows: 0, keys: [] });
    expect(fleetEvidence(state)).toEqual([]);
  });

  it("raises its first false alarm, at the limits, after 1/α decisions per community or more", () => {
    const rng = createRng("watch run length");
    const runs = 60;
    let total = 0;
    for (let run = 0; run < runs; run += 1) {
      const watch = new StreamWatch({ ...options, fleet: 5, alpha: 0.02 });
      for (let n = 0, events = 0; events === 0 && n < 5000; n += 1, total += 1) {
        events = watch.push(row(`c${rng.int(5)}`, rng.next() < 0.1 ? 1 : 0, rng.next() < 0.15 ? 1 : 0)).length;
      }
    }
    expect(total / runs / 5).toBeGreaterThan(1 / 0.02);
  });
});

describe("planWatch", () => {
  it("shares α among the detectors of all communities", () => {
    expect(planWatch(options)).toMatchObject({ arl_each: 4000, guaranteed: true });
    expect(planWatch({ ...options, fleet: 1000 })).toMatchObject({ arl_each: 2_000_000 });
  });

  it("promises nothing where p0 is an estimate", () => {
    const plan = planWatch({ ...options, p0_from: "estimate" });
    expect(plan.guaranteed).toBe(false);
    expect(plan.promise).toMatch(/^nothing about false alarms/);
    expect(planWatch({ ...options, p0_from: "upper_bound" }).guaranteed).toBe(true);
  });

  it("refuses what it cannot plan", () => {
    expect(() => planWatch({ ...options, fleet: 0 })).toThrow(RangeError);
    expect(() => planWatch({ ...options, alpha: 0 })).toThrow(RangeError);
    expect(() => planWatch({ ...options, delta: 1 })).toThrow(RangeError);
    expect(() => planWatch({ ...options, p0: { indefensible: 0, ambiguous: 0.1 } })).toThrow(RangeError);
    expect(() => planWatch({ ...options, detectors: ["cusum"] } as WatchOptions)).toThrow(
      "detectors: removed; got cusum, expected none. Watches have e-detectors alone: leave `detectors` out.",
    );
  });
});

describe("evidenceOfReturn", () => {
  it("is there exactly when both e-values reach 1/δ", () => {
    const limits = { indefensible: 0.1, ambiguous: 0.15 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(40), fc.nat(60), (n, k, yes) => {
        fc.pre(k <= n && yes <= n);
        const enough = logOneSidedEValue(k, n, 0.1) >= Math.log(20) && logOneSidedEValue(yes, n, 0.15) >= Math.log(20);
        expect(evidenceOfReturn({ n, indefensible: k, ambiguous: yes }, limits, 0.05) !== null).toBe(enough);
      }),
      { numRuns: 500 },
    );
  });
});

describe("fleetEvidence", () => {
  it("names the communities above their limits, from counts alone", () => {
    const rng = createRng("fleet evidence");
    const rates: Record<string, number> = { a: 0.05, b: 0.08, c: 0.3 };
    const rows = Array.from({ length: 900 }, (_, i) => {
      const key = "abc"[i % 3]!;
      return row(key, rng.next() < rates[key]! ? 1 : 0, rng.next() < 0.05 ? 1 : 0);
    });
    // An α this small raises no alarm here: the counts run over all rows.
    const { state, events } = watchStreams(rows, { ...options, alpha: 1e-30 });
    expect(events).toEqual([]);
    const evidence = fleetEvidence(state);
    expect(evidence.map(({ key, n }) => [key, n])).toEqual(["a", "b", "c"].map((key) => [key, 300]));
    expect(evidence.filter(({ q }) => q <= 0.05).map(({ key }) => key)).toEqual(["c"]);
    const c = evidence[2]!;
    const both = [productLogE(c.indefensible, 300, 0.1), productLogE(c.ambiguous, 300, 0.15)];
    expect(c.log_e_both).toBeCloseTo(Math.log((Math.exp(both[0]!) + Math.exp(both[1]!)) / 2), 9);
  });
});

describe("threads", () => {
  const options = {
    p0: { indefensible: 0.1, ambiguous: 0.15 },
    fleet: 1,
    units: "threads",
  } as const;
  const thread = (x: number, n: number, weight: number, time: number): WatchRow => ({
    key: "a",
    time,
    decided: true,
    x_indefensible: x,
    x_ambiguous: 0,
    n,
    weight,
    version: "1",
  });

  it("count by their capped weight: one bad wave raises no alarm, single bad posts in a row do", () => {
    const wave = watchStreams([thread(1, 400, 1, 0)], options);
    expect(wave.events).toEqual([]);
    expect(wave.state.keys[0]).toMatchObject({ n: 400, indefensible: 400, weighted: { n: 1, indefensible: 1 } });
    expect(wave.plan.promise).toContain("1000 threads per community");
    const rows = Array.from({ length: 40 }, (_, i) => thread(1, 1, 0.2, i));
    const alarm = watchStreams(rows, options).events[0];
    expect(alarm).toMatchObject({ type: "suspended", which: "indefensible" });
    const whole = watchStreams(
      rows.map((row) => ({ ...row, weight: 1 })),
      options,
    ).events[0];
    expect(whole!.row).toBeLessThan(alarm!.row);
  });

  it("bring a community back by the weights of what came after the alarm", () => {
    const bad = Array.from({ length: 10 }, (_, i) => thread(1, 5, 1, i));
    const good = (weight: number) => Array.from({ length: 2000 }, (_, i) => thread(0, 1, weight, 100 + i));
    const back = (weight: number) =>
      watchStreams([...bad, ...good(weight)], options).events.find((event) => event.type === "reinstated");
    expect(back(1)!.row).toBeLessThan(back(0.2)!.row);
    expect(back(0.2)!.row).toBeGreaterThan(100);
    expect(() => watchStreams([thread(0, 1, 0, 0)], options)).toThrow(RangeError);
  });
});
