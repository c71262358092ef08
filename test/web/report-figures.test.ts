import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Figure, FigureRow } from "../../src/core/figure.js";
import { reportFigures } from "../../src/present/figures/report-figures.js";
import { cli, cliOk, temporaryFolder } from "../support/cli.js";
import { pageData } from "../support/page-data.js";
import { hostileWorkspace } from "./hostile-workspace.js";
import { demoReport, type MadeReport } from "./reports.js";

interface ReadFile {
  text: string;
  names: string[];
}

/** Python's reader of XML, which is nobody's of ours: text of each file and the names of its elements and attributes, or an error. */
function readFiles(folder: string): ReadFile[] {
  const program = `import glob, json, sys, xml.etree.ElementTree as tree
def read(path):
    elements = list(tree.parse(path).getroot().iter())
    names = {name.split("}")[-1] for one in elements for name in [one.tag, *one.attrib]}
    return {"text": "\\n".join(elements[0].itertext()), "names": sorted(names)}
print(json.dumps([read(path) for path in sorted(glob.glob(sys.argv[1] + "/*.svg"))]))`;
  return JSON.parse(execFileSync("python3", ["-c", program, folder], { encoding: "utf8" }));
}

const filesOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

describe("report --figures", () => {
  let demo: MadeReport;
  let run: string;
  let figures: Figure[];
  const folder = join(temporaryFolder(), "figures");

  beforeAll(async () => {
    demo = await demoReport();
    run = JSON.parse(readFileSync(demo.json, "utf8")).run.run_id;
    figures = reportFigures(pageData(demo.html));
    mkdirSync(folder);
    writeFileSync(join(folder, "mine.txt"), "mine");
    const { status, stderr } = cli(["report", "--workspace", demo.workspace, "--run", run, "--figures", folder]);
    expect(status).toBe(0);
    expect(stderr).toContain(`Wrote ${figures.length} figures to ${folder}`);
  }, 300_000);

  it("writes every figure of the report under its id, and leaves other files alone", () => {
    expect(figures.length).toBeGreaterThan(30);
    const names = [...figures.map(({ id }) => `${id}.svg`), "mine.txt"].sort();
    expect(readdirSync(folder).sort()).toEqual(names);
  });

  it("writes the same bytes again", () => {
    const again = temporaryFolder();
    cliOk(["report", "--workspace", demo.workspace, "--run", run, "--figures", again]);
    expect({ ...filesOf(again), "mine.txt": "mine" }).toEqual(filesOf(folder));
  });

  it("writes XML that begins with the figure's title and holds no time and no run", () => {
    const texts = readFiles(folder).map(({ text }) => text);
    expect(texts).toHaveLength(figures.length);
    for (const { title } of figures) expect(texts.some((text) => text.trimStart().startsWith(title))).toBe(true);
    for (const [name, svg] of Object.entries(filesOf(folder))) expect(svg, name).not.toMatch(/\d{8}T\d{6}Z/);
  });

  it("draws no two bars at one place, and no line that turns back", () => {
    for (const figure of figures) {
      const { mark, x, y, series, facet, choose = [] } = figure;
      const apart = [series, facet, ...choose].filter((field) => field !== undefined);
      const keyOf = (row: FigureRow, fields: readonly string[]) =>
        JSON.stringify(fields.map((field) => row[field] ?? null));
      if (mark === "bar") {
        const along = isNumber(figure, x.field) && !isNumber(figure, y.field) ? y.field : x.field;
        const places = figure.rows.map((row) => keyOf(row, [along, ...apart]));
        expect(new Set(places).size, figure.id).toBe(places.length);
      }
      if (mark === "line" && isNumber(figure, x.field)) {
        for (const line of groups(figure.rows, (row) => keyOf(row, apart))) {
          const values = line.map((row) => Number(row[x.field]));
          const steps = values.slice(1).map((value, i) => value - values[i]!);
          expect(steps.every((step) => step >= 0) || steps.every((step) => step <= 0), figure.id).toBe(true);
        }
      }
    }
  });

  it("writes names that are hostile as text of valid XML", async () => {
    const { root } = await hostileWorkspace();
    const hostile = temporaryFolder();
    cliOk(["report", "--workspace", root, "--figures", hostile]);
    const files = readFiles(hostile);
    expect(files.length).toBeGreaterThan(5);
    // Elements and attributes are those that a harmless report has.
    const ours = new Set(readFiles(folder).flatMap(({ names }) => names));
    expect(files.flatMap(({ names }) => names).filter((name) => !ours.has(name))).toEqual([]);
    expect(files.some(({ text }) => text.includes("<script>"))).toBe(true);
    for (const { text } of files)
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  });
});

const isNumber = ({ rows }: Figure, field: string) =>
  rows.every((row: FigureRow) => row[field] === null || typeof row[field] === "number");

function groups(rows: readonly FigureRow[], keyOf: (row: FigureRow) => string): FigureRow[][] {
  const found = new Map<string, FigureRow[]>();
  for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row]);
  return [...found.values()];
}
