import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isKept, type Promised, type Row, readPage, readResults, render } from "../scripts/guarantees.mjs";

const results = readResults();
const rows = Object.values(results).flat();

const row = (observed: number, promise: Promised | null, change: Partial<Row> = {}): Row => ({
  topic: "t",
  method: "m",
  setting: "s",
  measure: "coverage",
  promise,
  observed,
  draws: 10_000,
  seed: 1,
  ...change,
});

describe("docs/guarantees.md", () => {
  it("prints what the simulations found, and so do other pages with figures of simulations", () => {
    const pages = new Set(rows.map(({ page }) => page ?? "guarantees"));
    expect(pages.size).toBeGreaterThan(1);
    for (const name of pages) expect(readPage(name)).toBe(render(readPage(name), results, name));
  });

  it("would not print anything else", () => {
    const place = "<!-- simulation: t -->\nold\n<!-- /simulation -->";
    const one = { a: [row(0.9512, { kind: "guaranteed", at_least: 0.95 })] };
    const page = render(place, one);
    expect(page).toContain("Measured: coverage; promised: at least 0.95.");
    expect(page).toContain("| s | 0.9512 |");
    expect(render(page, one)).toBe(page);
    const many = { a: [0.99, 0.9512].map((observed) => row(observed, { kind: "guaranteed", at_least: 0.95 })) };
    const short = render(place.replace("simulation:", "simulations:"), many);
    expect(short).toContain("| t: coverage | ≥ 0.95 | 2/2, worst 0.9512 |");
    expect(() => render("nothing", one)).toThrow('no place for "t"');
    expect(() => render(place, {})).toThrow('no simulation of "t"');
  });

  it("has the figures of every simulation, and of none that is gone", () => {
    const files = readdirSync(join(import.meta.dirname, "simulations")).filter((name) => name.endsWith(".sim.ts"));
    expect(Object.keys(results)).toEqual(files.map((name) => name.replace(".sim.ts", "")).sort());
    for (const found of Object.values(results)) expect(found).not.toEqual([]);
  });
});

describe("results of the simulations", () => {
  it("break no promise", () => {
    expect(rows.filter((one) => !isKept(one))).toEqual([]);
  });

  it("say how they were found: draws and seed, or neither where all outcomes were summed up", () => {
    const isStated = ({ draws, seed }: Row) => (draws === null ? seed === null : draws >= 50 && seed !== null);
    expect(rows.filter((one) => !isStated(one))).toEqual([]);
  });

  it("are each of something else", () => {
    const names = rows.map(({ topic, method, setting, measure }) => [topic, method, setting, measure].join("; "));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

describe("a promise", () => {
  // 10,000 draws: three standard errors of 0.95 are 0.0065.
  it.each<[string, boolean, Row]>([
    ["that is kept", true, row(0.95, { kind: "guaranteed", at_least: 0.95 })],
    ["missed by chance", true, row(0.9436, { kind: "guaranteed", at_least: 0.95 })],
    ["missed", false, row(0.9434, { kind: "guaranteed", at_least: 0.95 })],
    ["exceeded by chance", true, row(0.0564, { kind: "guaranteed", at_most: 0.05 })],
    ["exceeded", false, row(0.0566, { kind: "guaranteed", at_most: 0.05 })],
    [
      "missed where nothing is left to chance",
      false,
      row(0.9499, { kind: "guaranteed", at_least: 0.95 }, { draws: null }),
    ],
    ["of a mean", true, row(97.1, { kind: "guaranteed", at_least: 100 }, { standard_error: 1 })],
    ["of a mean, missed", false, row(96.9, { kind: "guaranteed", at_least: 100 }, { standard_error: 1 })],
    ["to come near", true, row(0.931, { kind: "approximate", nominal: 0.95, at_least: 0.93 })],
    ["to come near, missed", false, row(0.92, { kind: "approximate", nominal: 0.95, at_least: 0.93 })],
    ["of what was computed", true, row(102, { kind: "computed", nominal: 100 }, { standard_error: 1 })],
    ["of what was computed, missed", false, row(104, { kind: "computed", nominal: 100 }, { standard_error: 1 })],
    ["that is shown to be broken", true, row(0.9, { kind: "broken", at_least: 0.95 })],
    ["that is not shown to be broken", false, row(0.945, { kind: "broken", at_least: 0.95 })],
    ["that has no figure", false, row(Number.NaN, { kind: "broken", at_least: 0.95 })],
    ["without bounds", false, row(0.95, { kind: "guaranteed" })],
    ["of nothing", true, row(0.5, null)],
  ])("%s", (_, kept, one) => expect(isKept(one)).toBe(kept));
});
