import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  followHash,
  launchBrowser,
  leaveBrowser,
  openView,
  type WatchedContext,
  watchedContext,
} from "../support/browser.js";
import { pageData } from "../support/page-data.js";
import { unfold } from "./open-views.js";
import { demoReport, type MadeReport } from "./reports.js";
import { type Place, places } from "./views.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let made: MadeReport;
let browser: Browser;
let all: Place[];

beforeAll(async () => {
  made = await demoReport();
  all = places(pageData(made.html));
  browser = await launchBrowser();
});

afterAll(leaveBrowser);

/** Goes through all views in one page, which a reader does too. */
async function through(page: Page, check: (place: Place) => Promise<void>): Promise<void> {
  await openView(page, made.html, all[0]!.hash);
  for (const place of all) {
    await followHash(page, place.hash);
    await check(place);
  }
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe-core calls serious or critical, in few words. */
async function serious(page: Page, rules?: readonly string[]): Promise<string[]> {
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as {
      axe: { run(root: Document, options: object): Promise<{ violations: Violation[] }> };
    };
    return (await axe.run(document, { resultTypes: ["violations"], ...(runOnly && { runOnly }) })).violations;
  }, rules);
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary.slice(0, 160)}`),
    );
}

describe("axe-core", () => {
  /** The page's policy lets no foreign script in; only this check may pass it. */
  async function axePage(colorScheme: "light" | "dark"): Promise<Page> {
    const { newPage } = await watchedContext(browser, { colorScheme, bypassCSP: true });
    const page = await newPage();
    await page.addInitScript(AXE);
    return page;
  }

  it.each([
    ["light", undefined],
    // What changes with the theme is colour.
    ["dark", ["color-contrast", "link-in-text-block"]],
  ] as const)(
    "finds nothing serious or critical in any view, %s, with the data of its charts open",
    async (scheme, rules) => {
      const page = await axePage(scheme);
      const found: Record<string, string[]> = {};
      await through(page, async ({ name }) => {
        await page.$$eval(".chart-tools button[aria-expanded=false]", (all) => {
          for (const one of all) (one as HTMLElement).click();
        });
        // Rows of a table are alike; hundreds of them take axe-core minutes.
        await page.$$eval("tbody tr:nth-child(n + 9)", (rows) => {
          for (const row of rows) (row as HTMLElement).hidden = true;
        });
        const violations = await serious(page, rules);
        if (violations.length > 0) found[name] = violations;
      });
      expect(found).toEqual({});
      await page.context().close();
    },
    180_000,
  );

  it("would find a field without a name, and words too pale to read", async () => {
    const page = await axePage("light");
    await openView(page, made.html, "#/overview");
    await page.evaluate(() => {
      const lead = document.querySelector("p.lead") as HTMLElement;
      lead.style.color = "#ddd";
      lead.append(document.createElement("input"));
    });
    const found = await serious(page);
    expect(found.some((text) => text.startsWith("label:"))).toBe(true);
    expect(found.some((text) => text.startsWith("color-contrast:"))).toBe(true);
    await page.context().close();
  });
});

describe("light and dark", () => {
  const colours = (page: Page) =>
    page.evaluate(() => {
      const paper = getComputedStyle(document.documentElement).backgroundColor;
      return { paper, ink: getComputedStyle(document.body).color };
    });
  const brightness = (colour: string) =>
    [...colour.matchAll(/[\d.]+/g)].slice(0, 3).reduce((sum, [part]) => sum + Number(part), 0);

  it("follow the system, and the reader's choice before it, also the next time", async () => {
    const { newPage, context } = await watchedContext(browser, { colorScheme: "dark" });
    const page = await newPage();
    await openView(page, made.html, "#/overview");
    const dark = await colours(page);
    expect(brightness(dark.paper)).toBeLessThan(brightness(dark.ink));
    await page.emulateMedia({ colorScheme: "light" });
    const light = await colours(page);
    expect(brightness(light.paper)).toBeGreaterThan(brightness(light.ink));
    await page.getByLabel("Theme").selectOption("dark");
    expect(await colours(page)).toEqual(dark);
    await page.reload();
    await page.waitForSelector("main h1");
    expect(await colours(page)).toEqual(dark);
    await context.close();
  });
});

describe("a screen 400 pixels wide", () => {
  it("scrolls sideways in no view", async () => {
    const { newPage, context } = await watchedContext(browser, { viewport: { width: 400, height: 800 } });
    const page = await newPage();
    const wide: Record<string, unknown> = {};
    await through(page, async ({ name }) => {
      const { width, outside } = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        outside: [...document.querySelectorAll("body *")]
          .filter((one) => one.getBoundingClientRect().right > 400.5)
          .filter((one) => !one.closest(".table-scroll, .chart-drawing, svg, .menu, .term-meaning, .visually-hidden"))
          .map((one) => `${one.tagName.toLowerCase()}.${one.className}`)
          .slice(0, 3),
      }));
      if (width > 400) wide[name] = { width, outside };
    });
    expect(wide).toEqual({});
    await context.close();
  });
});

describe("on paper", () => {
  let watched: WatchedContext;
  let page: Page;
  beforeAll(async () => {
    watched = await watchedContext(browser, { colorScheme: "dark" });
    page = await watched.newPage();
  });

  it("there is no menu, no button and no dark, and no chart is cut", async () => {
    await page.setViewportSize({ width: 700, height: 1000 });
    const found: Record<string, unknown> = {};
    await through(page, async ({ name }) => {
      await page.emulateMedia({ media: "print" });
      const seen = await page.evaluate(() => ({
        shown: [...document.querySelectorAll("nav.menu, .skip, .theme-switch, .chart-tools, button.more, button.hold")]
          .filter((one) => (one as HTMLElement).offsetParent !== null)
          .map((one) => one.className),
        cut: [...document.querySelectorAll(".chart-drawing")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1)
          .map((one) => one.closest("figure")?.id),
        paper: getComputedStyle(document.documentElement).backgroundColor,
      }));
      await page.emulateMedia({ media: null });
      if (seen.shown.length > 0 || seen.cut.length > 0) found[name] = seen;
      const light = /255, 255, 255|^rgba\(.*, 0\)$/.test(seen.paper);
      if (!light) found[name] = seen;
    });
    expect(found).toEqual({});
  });

  it("it makes a PDF of several pages", async () => {
    await openView(page, made.html, "#/overview");
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.slice(0, 5)).toBe("%PDF-");
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeGreaterThan(1);
    expect(watched.faults).toEqual([]);
  });
});

describe("a reader without a mouse, or with a finger", () => {
  it("finds heads that sort of 24 pixels and more, and keeps the place after asking for all rows", async () => {
    const { context, newPage } = await watchedContext(browser);
    const page = await newPage();
    await openView(page, made.html, "#/automation");
    for (const hash of ["#/automation", "#/review", "#/trust/stability", "#/rules"]) {
      if (hash !== "#/automation") await followHash(page, hash);
      const small = await page.$$eval("main th button", (all) =>
        all
          .map((one) => ({ name: one.ariaLabel ?? one.textContent, box: one.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 24 || box.height < 24)
          .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
      );
      expect(small, hash).toEqual([]);
    }
    await followHash(page, "#/trust/attacks");
    await unfold(page);
    await page.$$eval(".chart-tools button[aria-expanded=false]", (all) => {
      for (const one of all) (one as HTMLElement).click();
    });
    const more = page.locator(".chart-table .more").first();
    await more.focus();
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.closest(".chart-table") !== null)).toBe(true);
    await context.close();
  });
});
