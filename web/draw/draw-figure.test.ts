import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { Figure, FigureRow } from "../../src/core/figure.js";
import { chartModel } from "./chart-model.ts";
import { type DrawOptions, drawFigure, layOut } from "./draw-figure.ts";
import { LIGHT } from "./palette.ts";
import { scaleOf } from "./scale.ts";

const figure = (overrides: Partial<Figure> = {}): Figure => ({
  id: "sample",
  title: "One is larger than the other",
  mark: "bar",
  x: { field: "name", label: "name" },
  y: { field: "value", label: "share of decisions", format: "percent" },
  rows: [
    { name: "first", value: 0.4, lower: 0.3, upper: 0.5 },
    { name: "second", value: 0.9, lower: 0.85, upper: 0.95 },
  ],
  ...overrides,
});

function draw(given: Figure, options: Partial<DrawOptions> = {}): SVGSVGElement {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  return drawFigure(given, { document, width: 720, palette: LIGHT, ...options });
}

const group = (svg: Element, label: string) => [...svg.querySelectorAll(`[aria-label="${label}"]`)];
const count = (svg: Element, label: string, child: string) =>
  group(svg, label).reduce((sum, element) => sum + element.querySelectorAll(child).length, 0);
const texts = (svg: Element) => [...svg.querySelectorAll("text")].map((element) => element.textContent);

describe("a drawn figure", () => {
  it("starts bars of percentages at zero, and points where the data are", () => {
    expect(scaleOf(chartModel(figure()), "y", 5).domain).toEqual([0, 1]);
    expect(scaleOf(chartModel(figure({ mark: "point" })), "y", 5).domain[0]).toBeGreaterThan(0);
    const heights = [...group(draw(figure()), "rect")[0]!.querySelectorAll("rect")].map((bar) => ({
      bottom: Number(bar.getAttribute("y")) + Number(bar.getAttribute("height")),
      height: Number(bar.getAttribute("height")),
    }));
    expect(heights[0]!.bottom).toBeCloseTo(heights[1]!.bottom);
    expect(heights[1]!.height / heights[0]!.height).toBeCloseTo(0.9 / 0.4);
  });

  it("draws an interval for each row that has one", () => {
    const rows = [...figure().rows, { name: "third", value: 0.2, lower: null, upper: null }];
    expect(count(draw(figure({ rows })), "rule", "line")).toBe(2 + 1 /* the zero line */);
    expect(count(draw(figure({ rows, interval: "none" })), "rule", "line")).toBe(1);
  });

  it("counts rows without a value and does not draw them", () => {
    const rows = [...figure().rows, { name: "third", value: null }];
    const svg = draw(figure({ rows }), { alone: {} });
    expect(count(svg, "rect", "rect")).toBe(2);
    expect(texts(svg)).toContain("1 of 3 not drawn: undefined.");
  });

  it("says so when nothing can be drawn", () => {
    expect(texts(draw(figure({ rows: [] })))).toContain("There are no data for this figure.");
    expect(texts(draw(figure({ rows: [{ name: "first", value: null }] })))).toContain("Nothing of it is defined.");
  });

  it("draws the first 30 of 300 names and says so", () => {
    const rows = Array.from({ length: 300 }, (_, i) => ({ name: `community ${i}`, value: i / 300 }));
    const svg = draw(figure({ rows }), { alone: {} });
    expect(count(svg, "rect", "rect")).toBe(30);
    expect(texts(svg)).toContain("Drawn: the first 30 of 300; the data have all.");
  });

  it("lays bars down where their names do not fit under them", () => {
    const rows = Array.from({ length: 8 }, (_, i) => ({ name: `an uncommonly long name, number ${i}`, value: 0.5 }));
    expect(layOut(figure(), 720).horizontal).toBe(false);
    expect(layOut(figure({ rows }), 720).horizontal).toBe(true);
    expect(layOut(figure({ rows }), 720).x.label).toBe("share of decisions");
  });

  it("stacks parts of a whole and sets other series side by side", () => {
    const parts = (sum: number): FigureRow[] =>
      ["a", "b"].flatMap((name) => [
        { name, part: "one", value: 0.3 },
        { name, part: "two", value: sum - 0.3 },
      ]);
    expect(chartModel(figure({ series: "part", rows: parts(1) })).stacked).toBe(true);
    expect(chartModel(figure({ series: "part", rows: parts(0.9) })).stacked).toBe(false);
    expect(chartModel(figure({ series: "part", rows: parts(0.9), stack: true })).stacked).toBe(true);
    const beside = chartModel(figure({ series: "part", rows: parts(0.9) })).points.map(({ x }) => x);
    expect(new Set(beside).size).toBe(4);
  });

  it("has a legend for series, but none for series that an axis names", () => {
    expect(texts(draw(figure({ series: "name" }))).filter((text) => text === "first")).toHaveLength(1);
    const svg = draw(
      figure({ mark: "point", series: "kind", rows: figure().rows.map((row) => ({ ...row, kind: "k" })) }),
    );
    expect(texts(svg)).toContain("k");
  });

  it("breaks a line where a value is undefined", () => {
    const rows = [0, 1, 2, 3, 4].map((at) => ({ at, value: at === 2 ? null : at / 10 }));
    const line = figure({ mark: "line", x: { field: "at", label: "at" }, rows });
    expect(chartModel(line).points.map(({ piece }) => piece)).toEqual([0, 0, 1, 1]);
    expect(count(draw(line), "line", "path")).toBe(2);
  });

  it("leaves out of a logarithmic axis what is not above zero, and counts it", () => {
    const rows = [0, 1, 10].map((at) => ({ at, value: 0.5 }));
    const model = chartModel(figure({ mark: "point", x: { field: "at", label: "at", scale: "log" }, rows }));
    expect(model.points).toHaveLength(2);
    expect(model.notes).toEqual(["1 of 3 not drawn: undefined."]);
  });

  it("shows the first value of a column to choose from, or the one asked for", () => {
    const rows = [0.1, 0.7].flatMap((temperature) => figure().rows.map((row) => ({ ...row, temperature })));
    const choosing = figure({ choose: ["temperature"], rows });
    expect(chartModel(choosing).chosen).toEqual({ temperature: 0.1 });
    expect(chartModel(choosing).points).toHaveLength(2);
    expect(chartModel(choosing, { temperature: 0.7 }).chosen).toEqual({ temperature: 0.7 });
    expect(chartModel(choosing, { temperature: 5 }).chosen).toEqual({ temperature: 0.1 });
    expect(texts(draw(choosing, { alone: {} }))).toContain("temperature: T = 0.1");
  });

  it("says where the title tells of another choice than the picture", () => {
    const rows = [0.1, 0.7].flatMap((temperature) => figure().rows.map((row) => ({ ...row, temperature })));
    const choosing = figure({ choose: ["temperature"], rows });
    expect(chartModel(choosing).notes).toEqual([]);
    expect(chartModel(choosing, { temperature: 0.7 }).notes).toEqual([
      "The title is about T = 0.1, not about what is chosen here.",
    ]);
    expect(chartModel({ ...choosing, title_of_all: true }, { temperature: 0.7 }).notes).toEqual([]);
  });

  it("gives each value of a facet a panel with its name", () => {
    const rows = ["north", "south"].flatMap((side) => figure().rows.map((row) => ({ ...row, side })));
    const svg = draw(figure({ facet: "side", rows }));
    expect(texts(svg)).toEqual(expect.arrayContaining(["north", "south"]));
    expect(count(svg, "rect", "rect")).toBe(4);
  });

  it("writes the number into each cell", () => {
    const rows = [1, 2].flatMap((x) => [1, 2].map((y) => ({ x, y, n: 10 * x + y })));
    const axis = (field: string) => ({ field, label: field });
    const svg = draw(figure({ mark: "cell", x: axis("x"), y: axis("y"), rows }));
    expect(texts(svg)).toEqual(expect.arrayContaining(["11", "12", "21", "22"]));
  });

  it("makes the area of a point follow its size", () => {
    const rows = [
      { at: 1, value: 0.5, n: 100 },
      { at: 2, value: 0.5, n: 25 },
    ];
    const sized = figure({
      mark: "point",
      x: { field: "at", label: "at" },
      size: { field: "n", label: "decisions" },
      rows,
    });
    const radii = [...group(draw(sized), "dot")[0]!.querySelectorAll("circle")].map((dot) =>
      Number(dot.getAttribute("r")),
    );
    expect(radii[0]! / radii[1]!).toBeCloseTo(2);
  });

  it("names reference lines and the zone", () => {
    const svg = draw(
      figure({
        mark: "point",
        x: { field: "at", label: "at", domain: [0, 1] },
        rows: [{ at: 0.5, value: 0.5 }],
        references: [
          { axis: "x", value: 0.2, label: "a limit" },
          { axis: "y", value: 0.9, label: "a target" },
          { axis: "diagonal", value: 0, label: "as it should be" },
        ],
        zone: { x: [0, 0.2], y: [0.9, 1], label: "open" },
      }),
    );
    expect(texts(svg)).toEqual(expect.arrayContaining(["a limit", "a target", "as it should be", "open"]));
    expect(svg.querySelectorAll('[stroke-dasharray="4 4"]').length).toBe(3);
  });
});
