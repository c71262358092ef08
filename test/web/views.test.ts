import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Figure } from "../../src/core/figure.js";
import { reportFigures } from "../../src/present/figures/report-figures.js";
import { launchBrowser, leaveBrowser, type WatchedContext, watchedContext } from "../support/browser.js";
import { pageData } from "../support/page-data.js";
import { parseCsv } from "./csv.js";
import { type OpenView, openViews } from "./open-views.js";
import { demoReport, type MadeReport } from "./reports.js";
import { catchFiles, caughtFile, download } from "./saved-files.js";
import { MENU, places } from "./views.js";

let made: MadeReport;
let browser: Browser;
let watched: WatchedContext;
let views: OpenView[];
/** Figures that the whole report has, by id; views about one thing have others. */
let figures: Map<string, Figure>;

beforeAll(async () => {
  made = await demoReport();
  const data = pageData(made.html);
  figures = new Map(reportFigures(data).map((figure) => [figure.id, figure]));
  browser = await launchBrowser();
  watched = await watchedContext(browser, { acceptDownloads: true });
  views = await openViews(watched, made.html, places(data));
});

afterAll(leaveBrowser);

const EXPERIMENT_VIEWS = /^(?:trust\/(?!calibration)|rules\/)/;

describe("each view of the demo's report", () => {
  it("is in the menu, and the menu has no other", async () => {
    expect(
      await views[0]!.page.$$eval("nav.menu a", (links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual(MENU.map((name) => `#/${name}`));
  });

  it("opens without an error, a warning, a breach of its policy or a request", async () => {
    for (const { name, page } of views) {
      expect(watched.faults, name).toEqual([]);
      expect(watched.requests, name).toEqual([]);
      expect(await page.$$("main .failed, main .nothing h1"), name).toEqual([]);
    }
  });

  it("has one main heading, headings in order, and a lead that says something", async () => {
    for (const { name, page } of views) {
      const headings = await page.$$eval("main :is(h1,h2,h3,h4,h5,h6)", (all) =>
        all.map((one) => ({ level: Number(one.tagName[1]), text: one.textContent.trim() })),
      );
      expect(headings[0]?.level, name).toBe(1);
      expect(
        headings.filter(({ level }) => level === 1),
        name,
      ).toHaveLength(1);
      for (const [i, { level, text }] of headings.entries()) {
        expect(text, name).not.toBe("");
        expect(level, `${name}: ${text}`).toBeLessThanOrEqual((headings[i - 1]?.level ?? 0) + 1);
      }
      // Where there is nothing to say it says so, and how to change that.
      const lead = await page.$$eval("main p.lead, main .nothing", (all) =>
        all.map((one) => one.textContent.trim()).join(" "),
      );
      expect(lead.length, `${name}: ${lead}`).toBeGreaterThan(20);
      expect(lead, name).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
    }
  });

  it("shows no number that is none, and no marked element without a number", async () => {
    for (const { name, page } of views) {
      const text = await page.$eval("main", (main) => (main as HTMLElement).innerText);
      expect(text, name).not.toMatch(/\bNaN\b|\bInfinity\b|\[object |\bundefined (?:of|to|%)|function\s*\(/);
      expect(await page.$$eval(".num", (all) => all.filter((one) => !/\d/.test(one.textContent)).length), name).toBe(0);
    }
  });

  it("has the intervals of running text in brackets: copied or read aloud, a smaller grey is no sign", async () => {
    for (const { name, page } of views.filter((one) => EXPERIMENT_VIEWS.test(one.name))) {
      expect(await page.$$eval("main p .interval, main li .interval", (all) => all.length), name).toBe(0);
    }
  });

  it("names no two elements alike", async () => {
    for (const { name, page } of views) {
      const ids = await page.$$eval("[id]", (all) => all.map((one) => one.id));
      expect(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        name,
      ).toEqual([]);
    }
  });

  it("has a name for everything that can be operated", async () => {
    for (const { name, page } of views) {
      const nameless = await page.$$eval("button, a, input, select, [role=button], [role=img]", (all) =>
        all
          .filter((one) => {
            const labels = (one as HTMLInputElement).labels;
            const said = one.getAttribute("aria-label") ?? one.getAttribute("title") ?? one.textContent;
            return !said.trim() && !labels?.length;
          })
          .map((one) => one.outerHTML.slice(0, 120)),
      );
      expect(nameless, name).toEqual([]);
    }
  });
});

describe("each chart", () => {
  interface Seen {
    id: string;
    title: string;
    label: string;
    texts: string[];
    choices: number;
  }

  const charts = (page: Page) =>
    page.$$eval("figure.chart", (all) =>
      all.map(
        (one): Seen => ({
          id: one.id.replace(/^figure-/, ""),
          title: (one.querySelector("figcaption")?.textContent.trim() ?? "").replace(/\s/g, " "),
          label: (one.querySelector("svg")?.getAttribute("aria-label") ?? "").replace(/\s/g, " "),
          texts: [...one.querySelectorAll(".chart-drawing svg text")].map((text) => text.textContent),
          choices: one.querySelectorAll("select").length,
        }),
      ),
    );

  it("has a title that says something, the same for a screen reader, and both axes labelled", async () => {
    const seen = new Set<string>();
    for (const { name, page } of views) {
      for (const chart of await charts(page)) {
        seen.add(chart.id);
        const where = `${name}: ${chart.id}`;
        expect(chart.title.length, where).toBeGreaterThan(15);
        expect(chart.label, where).toBe(chart.title);
        const figure = figures.get(chart.id);
        if (!figure) continue;
        const drawn = chart.texts.join(" ");
        for (const { label } of [figure.x, figure.y]) expect(drawn, where).toContain(label.split(/\s/)[0]!);
      }
    }
    // The points of this curve are drawn in `stability-consistency`.
    seen.add("stability-consistency-curve");
    expect([...figures.keys()].filter((id) => !seen.has(id))).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });

  it("is saved by the browser under its name", async () => {
    const { page } = views.find(({ name }) => name === "overview/numbers")!;
    const chart = page.locator("figure.chart").first();
    const id = (await chart.getAttribute("id"))!.replace("figure-", "");
    for (const kind of ["csv", "svg"]) {
      const button = chart.locator(".chart-tools button", { hasText: kind.toUpperCase() });
      const { name, text } = await download(page, () => button.press("Enter"));
      expect(name).toBe(`${id}.${kind}`);
      expect(text.length).toBeGreaterThan(100);
    }
  });

  it("shows exactly its rows behind the toggle, and gives them as CSV and itself as SVG", async () => {
    const checked = new Set<string>();
    for (const { name, page } of views) {
      await catchFiles(page);
      for (const { id, title, choices } of await charts(page)) {
        if (checked.has(id)) continue;
        checked.add(id);
        const where = `${name}: ${id}`;
        const chart = page.locator(`[id="figure-${id}"]`);
        const [csv, svg] = [
          await caughtFile(page, () => press(chart.locator(".chart-tools button", { hasText: "CSV" }))),
          await caughtFile(page, () => press(chart.locator(".chart-tools button", { hasText: "SVG" }))),
        ];
        expect(csv.name).toBe(`${id}.csv`);
        expect(svg.name).toBe(`${id}.svg`);
        expectCsv(csv.text, figures.get(id), where);
        await expectSvg(page, svg.text, title, where);
        const table = await openTable(page, id);
        expectTable(table, parseCsv(csv.text), choices > 0, where);
      }
    }
    expect(checked.size).toBeGreaterThan(20);
    expect(watched.faults).toEqual([]);
    expect(watched.requests).toEqual([]);
  }, 240_000);

  /** By a key: a pointer would have to wait until the page stands still. */
  const press = (button: Locator) => button.press("Enter");

  async function openTable(page: Page, id: string): Promise<string[][]> {
    const chart = page.locator(`[id="figure-${id}"]`);
    const toggle = chart.locator(".chart-tools button", { hasText: "Data" });
    expect(await chart.locator(".chart-table").count()).toBe(0);
    await press(toggle);
    expect(await toggle.getAttribute("aria-expanded")).toBe("true");
    const more = chart.locator("button.more");
    if (await more.count()) await press(more);
    const rows = await chart
      .locator(".chart-table tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    await press(toggle);
    expect(await chart.locator(".chart-table").count()).toBe(0);
    return rows;
  }

  function expectCsv(text: string, figure: Figure | undefined, where: string): void {
    const [head, ...rows] = parseCsv(text);
    expect(rows.length, where).toBeGreaterThan(0);
    for (const row of rows) expect(row, where).toHaveLength(head!.length);
    for (const cell of rows.flat()) if (Number.isNaN(Number(cell))) expect(cell, where).not.toMatch(/^[=+\-@\t\r]/);
    if (!figure) return;
    expect(rows, where).toHaveLength(figure.rows.length);
    for (const [i, row] of figure.rows.entries()) {
      for (const [name, value] of Object.entries(row)) {
        expect(rows[i]![head!.indexOf(name)], `${where} ${name}`).toBe(value === null ? "" : String(value));
      }
    }
  }

  async function expectSvg(page: Page, text: string, title: string, where: string): Promise<void> {
    const found = await page.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
      const elements = [...parsed.querySelectorAll("*")];
      return {
        root: parsed.documentElement.nodeName,
        space: parsed.documentElement.namespaceURI,
        title: parsed.querySelector("title")?.textContent.replace(/\s/g, " "),
        shapes: parsed.querySelectorAll("path,rect,circle,line,text").length,
        odd: elements
          .filter((one) => /^(?:parsererror|script|foreignObject|image|use|a|iframe)$/i.test(one.localName))
          .map((one) => one.localName),
        attributes: elements.flatMap((one) =>
          one.getAttributeNames().filter((attribute) => /^on|href|^src$/i.test(attribute)),
        ),
      };
    }, text);
    expect(found, where).toMatchObject({
      root: "svg",
      space: "http://www.w3.org/2000/svg",
      title,
      odd: [],
      attributes: [],
    });
    expect(found.shapes, where).toBeGreaterThan(5);
    expect(text, where).not.toMatch(/var\(--|="[^"]*(?:NaN|undefined|Infinity)|url\((?!["']?#)/);
  }

  /** The table is the CSV with numbers cut to six digits; of a choice, those rows that were chosen. */
  function expectTable(table: string[][], [, ...csv]: string[][], isChosen: boolean, where: string): void {
    const short = csv.map((row) => row.map(shortCell).join("|"));
    if (isChosen) {
      const known = new Set(short.map((row) => row.split("|").filter(Boolean).sort().join("|")));
      expect(table.length, where).toBeGreaterThan(0);
      for (const row of table) {
        const cells = row.map(plainCell).filter(Boolean).sort().join("|");
        expect(known.has(cells), `${where}: ${cells}`).toBe(true);
      }
    } else
      expect(
        table.map((row) => row.map(plainCell).join("|")),
        where,
      ).toEqual(short);
  }

  const shortCell = (cell: string) =>
    cell !== "" && Number.isFinite(Number(cell)) ? String(Number(Number(cell).toPrecision(6))) : oneMinus(cell);
  const plainCell = (cell: string) =>
    cell === "–" ? "" : cell === "yes" ? "true" : cell === "no" ? "false" : oneMinus(cell);
  const oneMinus = (text: string) => text.replaceAll("−", "-");
});
