import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { Figure } from "../../src/core/figure.js";
import { figureSvg } from "./draw-files.ts";
import { figureFile } from "./figure-file.ts";

const text = "plain";

const figure = (mark: Figure["mark"]): Figure => ({
  id: "sample",
  title: `Title ${text}`,
  mark,
  x: mark === "bar" || mark === "cell" ? { field: "name", label: text, unit: text } : { field: "at", label: text },
  y: mark === "cell" ? { field: "series", label: text } : { field: "value", label: text, format: "percent" },
  series: "series",
  name: "name",
  caption: text,
  choose: ["chosen"],
  ...(mark === "point" && {
    label: "name",
    size: { field: "n", label: text },
    references: [{ axis: "x", value: 1, label: text }],
    zone: { x: [0, 1], y: [0, 1], label: text },
    curve: {
      label: text,
      rows: [
        { at: 0, value: 0, chosen: text },
        { at: 2, value: 1, chosen: text },
      ],
    },
  }),
  rows: [0, 1, 2].flatMap((at) =>
    ["a", "b"].map((series) => ({
      at,
      name: `${text} ${at}`,
      series: `${text} ${series}`,
      value: at / 4,
      n: at + 1,
      chosen: text,
    })),
  ),
});
const MARKS = ["point", "line", "bar", "area", "cell"] as const;

describe("a figure's file", () => {
  it("has the same bytes each time, whatever was drawn before", () => {
    const first = MARKS.map((mark) => figureSvg(figure(mark)));
    const again = [...MARKS].reverse().map((mark) => figureSvg(figure(mark)));
    expect(again.reverse()).toEqual(first);
  });

  it("stands alone: namespace, title, description, paper of its own, no variables of a page", () => {
    const svg = figureSvg(figure("point"));
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg">/);
    expect(svg).toMatch(
      /<title>Title plain<\/title>\s*<desc>Points of .+<\/desc>\s*<rect fill="#ffffff" height="100%" width="100%"\/>/,
    );
    expect(svg).not.toMatch(/var\(|<style|currentColor|<foreignObject|href=|url\(/);
  });

  it("says what a page says around it: its caption, and where it comes from", () => {
    const { document } = parseHTML("<!doctype html><html><body></body></html>");
    const captioned = { ...figure("point"), caption: "Bars are 95% intervals." };
    const svg = figureFile(captioned, { document, source: "Run r1 · auditor baseline" });
    expect(svg).toMatch(/<desc>Points of .+ Bars are 95% intervals\.<\/desc>/);
    expect(svg.match(/>Bars are 95% intervals\.</g)).toHaveLength(1);
    expect(svg).toContain(">Run r1 · auditor baseline<");
    expect(figureSvg(captioned)).not.toContain("auditor");
  });

  it("has no white space between the lines of a name, which would push them out of line", () => {
    const long = { ...figure("bar"), y: { field: "name", label: text }, x: { field: "value", label: text } };
    const rows = long.rows.map((row) => ({
      ...row,
      name: `${row.name} of a rule whose name takes two lines at the side`,
    }));
    const svg = figureSvg({ ...long, rows });
    expect(svg).toContain("<tspan");
    expect(svg).not.toMatch(/<\/tspan>\s+<|<text[^>]*>\s+<tspan/);
  });

  it("is drawn in the width asked for", () => {
    expect(figureSvg(figure("bar"), 400)).toContain('width="400"');
    expect(figureSvg(figure("bar"))).toContain('width="720"');
  });
});
