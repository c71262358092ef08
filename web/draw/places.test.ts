import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { Figure } from "../../src/core/figure.js";
import { layOutChart, panelSize } from "./chart-layout.ts";
import { drawFigure, layOut } from "./draw-figure.ts";
import { inkOf } from "./ink.ts";
import { labelPlaces } from "./label-places.ts";
import { valueRoom } from "./marks/value-marks.ts";
import { LIGHT } from "./palette.ts";
import { crosses, overlap, spotOf } from "./place-rows.ts";
import { referencePlaces, zoneLabelBox } from "./reference-places.ts";
import { leastWidth, textWidth } from "./text-fit.ts";

const WIDTH = 720;
const axis = (field: string) => ({ field, label: field, domain: [0, 1] as [number, number] });
const line = (points: [number, number, string?][], overrides: Partial<Figure> = {}): Figure => ({
  id: "line",
  title: "A line",
  mark: "line",
  x: axis("at"),
  y: axis("value"),
  label: "mark",
  interval: "none",
  rows: points.map(([at, value, mark]) => ({ at, value, mark: mark ?? null })),
  ...overrides,
});
const laid = (figure: Figure) => {
  const model = layOut(figure, WIDTH);
  return { model, layout: layOutChart(model, WIDTH) };
};

describe("a straight line and a box", () => {
  const box = { left: 10, right: 20, top: 10, bottom: 20 };
  it.each([
    [true, 0, 15, 30, 15],
    [true, 0, 0, 30, 30],
    [true, 12, 12, 13, 13],
    [true, 15, 0, 15, 30],
    [false, 0, 9, 30, 9],
    [false, 0, 15, 9, 15],
    [false, 0, 20, 20, 40],
    [false, 25, 0, 25, 30],
  ])("cross: %s for %d,%d to %d,%d", (expected, x1, y1, x2, y2) => {
    expect(crosses(box, { x: x1, y: y1 }, { x: x2, y: y2 })).toBe(expected);
  });
});

describe("the name of a point on a line", () => {
  it.each([
    [
      "rises",
      [
        [0, 0.1],
        [0.5, 0.5, "here"],
        [1, 0.9],
      ],
    ],
    [
      "falls",
      [
        [0, 0.9],
        [0.5, 0.5, "here"],
        [1, 0.1],
      ],
    ],
    [
      "bends at it",
      [
        [0, 0.1],
        [0.3, 0.05, "knee"],
        [0.4, 0.3],
        [1, 0.9],
      ],
    ],
  ] as [string, [number, number, string?][]][])("is not struck through where the line %s", (_, points) => {
    const { model, layout } = laid(line(points));
    const [place] = labelPlaces(model, layout);
    const { width, height } = panelSize(layout);
    const { x, y } = place!.point;
    const long = textWidth(place!.text, 11);
    const left = x * width + place!.dx - { start: 0, end: long, middle: long / 2 }[place!.anchor];
    const middle = (1 - y) * height + place!.dy;
    expect(inkOf(model, layout)({ left, right: left + long, top: middle - 7, bottom: middle + 7 })).toBe(0);
  });

  it("is left out of a scatter where all places are taken, and kept on a line", () => {
    const crowd = Array.from({ length: 60 }, (_, i): [number, number, string] => [0.5 + i / 1e4, 0.5, "a long name"]);
    const names = (mark: "point" | "line") => {
      const { model, layout } = laid(line(crowd, { mark }));
      return labelPlaces(model, layout).length;
    };
    expect(names("point")).toBeLessThan(60);
    expect(names("line")).toBe(60);
  });
});

describe("the name of a zone", () => {
  it("is under no name of a point", () => {
    const zone = { x: [0.5, 1] as [number, number], y: [0, 0.5] as [number, number], label: "both limits met" };
    const { model, layout } = laid(line([[0.52, 0.42, "a community"]], { mark: "point", zone }));
    const [{ point, dx, dy, anchor }] = labelPlaces(model, layout) as [ReturnType<typeof labelPlaces>[0]];
    const { x, y } = spotOf(model, layout)(point);
    const left = x + dx - { start: 0, end: 1, middle: 0.5 }[anchor] * textWidth("a community", 11);
    const box = { left, right: left + textWidth("a community", 11), top: y + dy - 7, bottom: y + dy + 7 };
    expect(overlap(box, zoneLabelBox(model, layout)!)).toBe(false);
  });
});

describe("the name of a line across", () => {
  const references = (value: number, which: "x" | "y"): Figure["references"] => [
    { axis: which, value, label: "all decisions" },
  ];

  it("is under no name of a point", () => {
    const { model, layout } = laid(line([[1, 0.5, "this gate"]], { mark: "point", references: references(0.5, "y") }));
    const [{ point, dx, dy, anchor }] = labelPlaces(model, layout) as [ReturnType<typeof labelPlaces>[0]];
    const { x, y } = spotOf(model, layout)(point);
    const left = x + dx - { start: 0, end: 1, middle: 0.5 }[anchor] * textWidth("this gate", 11);
    const box = { left, right: left + textWidth("this gate", 11), top: y + dy - 7, bottom: y + dy + 7 };
    expect(overlap(box, referencePlaces(model, layout)[0]!.box)).toBe(false);
  });

  it("goes to the end where the data are not", () => {
    const ending = laid(
      line(
        [
          [0, 0],
          [0.6, 0.5],
          [1, 0.5],
        ],
        { references: references(0.5, "y") },
      ),
    );
    expect(referencePlaces(ending.model, ending.layout)).toMatchObject([
      { frameAnchor: "right", lineAnchor: "bottom" },
    ]);
    const crossing = laid(
      line(
        [
          [0, 0],
          [0.6, 0.5],
          [0.9, 0.54],
          [1, 0.46],
        ],
        { references: references(0.5, "y") },
      ),
    );
    expect(referencePlaces(crossing.model, crossing.layout)).toMatchObject([{ frameAnchor: "left" }]);
    const upright = laid(
      line(
        [
          [0.3, 0.97],
          [0.8, 0.97],
        ],
        { references: references(0.3, "x") },
      ),
    );
    expect(referencePlaces(upright.model, upright.layout)).toMatchObject([{ frameAnchor: "top", textAnchor: "end" }]);
  });

  it("is inside the picture, and on no other name", () => {
    const { model, layout } = laid(
      line(
        [
          [0, 0.5],
          [1, 0.5],
        ],
        {
          references: [
            ...references(1, "y")!,
            ...references(0.4, "x")!,
            ...references(0.41, "x")!,
            { axis: "diagonal", value: 0, label: "d" },
          ],
        },
      ),
    );
    const [top, first, second, diagonal] = referencePlaces(model, layout);
    expect(top).toMatchObject({ lineAnchor: "top" });
    expect(`${first!.dy} ${first!.textAnchor}`).not.toBe(`${second!.dy} ${second!.textAnchor}`);
    expect(diagonal).toBeNull();
  });
});

describe("names of upright lines over bars", () => {
  const stacked = (second: number): Figure => ({
    id: "bars",
    title: "Bars to the top",
    mark: "bar",
    x: { field: "case", label: "case", format: "whole" },
    y: { field: "share", label: "share", format: "percent", domain: [0, 1] },
    references: [
      { axis: "x", value: 20.5, label: "10% level 3" },
      { axis: "x", value: second, label: "90%" },
    ],
    rows: Array.from({ length: 40 }, (_, i) => ({ case: i + 1, share: 1 })),
  });

  it.each([35.5, 24.5, 21.5])("stand above the picture, apart from each other: second line at %d", (second) => {
    const { model, layout } = laid(stacked(second));
    const bare = laid({ ...stacked(second), references: [] }).layout;
    expect(layout.margin.top - bare.margin.top).toBeGreaterThanOrEqual(14);
    const places = referencePlaces(model, layout);
    expect(places.every((place) => place?.frameAnchor === "top" && place.lineAnchor === "bottom")).toBe(true);
    const { width } = panelSize(layout);
    const at = spotOf(model, layout);
    const ends = places.map((place, i) => {
      const { value, label } = model.figure.references![i]!;
      const long = textWidth(label, 11);
      const left = at({ x: value, y: 0 }).x + place!.dx - { start: 0, middle: long / 2, end: long }[place!.textAnchor];
      return [left, left + long] as const;
    });
    expect(ends[0]![1]).toBeLessThanOrEqual(ends[1]![0]);
    expect(ends[1]![1]).toBeLessThanOrEqual(width);
  });
});

describe("names below cells", () => {
  it("are not torn in a picture that is wide enough for them", () => {
    const names = ["platform", "community", "mixed", "none", "unknown"];
    const cells: Figure = {
      id: "cells",
      title: "Cells",
      mark: "cell",
      x: { field: "x", label: "x", order: names },
      y: { field: "y", label: "y", order: names },
      rows: names.flatMap((x) => names.map((y) => ({ x, y, n: 1 }))),
    };
    const least = Math.ceil(leastWidth(layOut(cells, 300)));
    const lines = (width: number) => layOutChart(layOut(cells, width), width).xNames.join(" ").split("\n").length;
    expect(lines(300)).toBeGreaterThan(1);
    expect(lines(least)).toBe(1);
    expect(leastWidth(layOut(line([[0, 1]]), 300))).toBe(0);
  });
});

describe("panels side by side", () => {
  const faceted = (panels: readonly string[]): Figure => ({
    id: "bars",
    title: "Bars",
    mark: "bar",
    x: { field: "value", label: "share", format: "percent", domain: [0, 1] },
    y: { field: "name", label: "name" },
    facet: "panel",
    rows: panels.flatMap((panel) => ["first", "second"].map((name) => ({ panel, name, value: 0.5 }))),
  });

  it("keep the last number of one apart from the first of the next", () => {
    const { layout } = laid(faceted(["a", "b", "c", "d", "e"]));
    const half = (name: string) => textWidth(name, 12) / 2;
    expect(layout.xNames.at(-1)).toBe("100%");
    expect(layout.gap - half(layout.xNames[0]!) - half(layout.xNames.at(-1)!)).toBeGreaterThanOrEqual(20);
  });

  it("have numbers below each where the last row is not full, and its label under the last of them", () => {
    const drawn = (panels: readonly string[]) => {
      const { document } = parseHTML("<!doctype html><html><body></body></html>");
      const svg = drawFigure(faceted(panels), { document, width: WIDTH, palette: LIGHT });
      const texts = [...svg.querySelectorAll("text")];
      const labelled = texts.find(({ textContent }) => textContent === "share")!;
      return {
        numbers: texts.filter(({ textContent }) => textContent === "100%").length,
        // Of the group, which is moved to where the label stands.
        label: Number(/translate\(([-\d.]+)/.exec(labelled.parentElement!.getAttribute("transform")!)![1]),
      };
    };
    const [full, ragged] = [drawn(["a", "b", "c", "d", "e", "f"]), drawn(["a", "b", "c", "d", "e"])];
    expect([full.numbers, ragged.numbers]).toEqual([3, 5]);
    expect(ragged.label).toBeLessThan(full.label - 100);
  });

  it("leave room for the number at the end of a full bar", () => {
    const bars = faceted(["a", "b", "c"]);
    const rows = bars.rows.map((row) => ({ ...row, value: 1, lower: 0.9, upper: 1 }));
    const { model, layout } = laid({ ...bars, rows });
    expect(layout.columns).toBe(3);
    expect(layout.gap).toBeGreaterThanOrEqual(valueRoom(model));
    expect(valueRoom(model)).toBeGreaterThan(6 + textWidth("100.0%", 12));
    const { width } = panelSize(layout);
    expect(layout.margin.left + 3 * width + 2 * layout.gap + layout.margin.right).toBeCloseTo(WIDTH);
  });
});
