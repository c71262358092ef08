import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack } from "../../src/present/words/pack.js";
import { fileUrl, launchBrowser, leaveBrowser, openView, ready, watchedContext } from "../support/browser.js";
import { cliOk, temporaryFolder } from "../support/cli.js";
import { pageData } from "../support/page-data.js";
import { unfold } from "./open-views.js";
import { demoReport, type MadeReport } from "./reports.js";
import { MENU, screens } from "./views.js";

const folder = temporaryFolder();
let made: MadeReport;
let html: string;
let browser: Browser;
let files = 0;

beforeAll(async () => {
  made = await demoReport();
  html = readFileSync(made.html, "utf8");
  browser = await launchBrowser();
});

afterAll(leaveBrowser);

/** What a reader sees of a file in the end. */
async function seen(content: string, javaScriptEnabled = true): Promise<string> {
  files += 1;
  const path = join(folder, `broken-${files}.html`);
  writeFileSync(path, content);
  const { context, newPage } = await watchedContext(browser, { javaScriptEnabled });
  const page = await newPage();
  await page.goto(fileUrl(path));
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "visible" });
  const text = await page.locator("body").innerText();
  await context.close();
  return text;
}

describe("a report that cannot be shown", () => {
  it("says so wherever the file was cut off", async () => {
    const ends = {
      style: html.indexOf("<style>", html.indexOf('id="root"')) + 2_000,
      data: html.indexOf("report-data") + 100_000,
      script: html.indexOf('<script type="module">') + 100_000,
      last: html.length - 40,
    };
    const texts = await Promise.all(Object.values(ends).map((end) => seen(html.slice(0, end))));
    expect(texts.map((text) => text.includes("the file was cut off"))).toEqual([true, true, true, true]);
  });

  it("says that its data are damaged, and not that something could not be fetched", async () => {
    const at = html.indexOf('id="report-data">') + 5_000;
    const damaged = [
      `${html.slice(0, at)}AAAA${html.slice(at + 4)}`,
      html.replace(/(id="report-data">)[^<]*/, "$1"),
      html.replace(/(id="report-data">)[^<]*/, "$1no base64: é"),
    ];
    for (const one of damaged) {
      const text = await seen(one);
      expect(text).toContain("The data in this page are damaged");
      expect(text).not.toContain("fetch");
    }
  });

  it("says so where anything outside of a view fails, and where scripts are switched off", async () => {
    const empty = gzipSync(JSON.stringify(pack({ format: 1 }))).toString("base64");
    const text = await seen(html.replace(/(id="report-data">)[^<]*/, `$1${empty}`));
    expect(text).toContain("This report cannot be shown");
    expect(await seen(html, false)).toContain("JavaScript is switched off");
  });
});

describe("a calibration of another version", () => {
  it("loses the sections that it lacks something of, and no other", async () => {
    const page = pageData(made.html);
    const lacking = [
      "choice.folds",
      "evaluation.n",
      "baselines.pds.reliability",
      "paper.h_w.contributions",
      "classwise.raw.levels",
    ];
    const whole = page.report.calibration as unknown as Record<string, unknown>;
    for (const path of lacking) {
      const names = path.split(".");
      const owner = names.slice(0, -1).reduce((of, name) => of[name] as Record<string, unknown>, whole);
      expect(owner, path).toHaveProperty(names.at(-1)!);
      delete owner[names.at(-1)!];
    }
    const data = gzipSync(JSON.stringify(pack(page))).toString("base64");
    const path = join(folder, "calibration.html");
    writeFileSync(path, html.replace(/(id="report-data">)[^<]*/, `$1${data}`));
    const { context, newPage } = await watchedContext(browser);
    const tab = await newPage();
    await openView(tab, path, "#/trust/calibration");
    const text = await tab.locator("main").innerText();
    expect(text).toContain("This section cannot be shown from these data");
    expect(text).not.toMatch(/This view cannot be shown|NaN/);
    expect(await tab.locator("#figure-score-by-level").count()).toBe(1);
    expect((await tab.locator("main h2").allInnerTexts()).length).toBeGreaterThan(4);
    await context.close();
  });
});

describe("a browser of 2023", () => {
  /** What came after Firefox 115, Chrome 111 and Safari 16.4. */
  const LATER = [
    "delete String.prototype.toWellFormed; delete String.prototype.isWellFormed; delete Array.fromAsync;",
    "delete Object.groupBy; delete Map.groupBy; delete Promise.withResolvers; delete Promise.try; delete URL.canParse; delete URL.parse;",
    "for (const name of ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']) delete Set.prototype[name];",
    "for (const name of ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find']) delete Iterator.prototype[name];",
    "delete globalThis.Iterator; delete Uint8Array.fromBase64; delete Intl.DurationFormat; delete AbortSignal.any; delete Response.prototype.bytes; delete Blob.prototype.bytes;",
  ].join("\n");

  it("shows the report, every view of it", async () => {
    const { context, newPage, faults } = await watchedContext(browser);
    await context.addInitScript(LATER);
    const page = await newPage();
    await openView(page, made.html, "#/overview");
    const menu = await page.$$eval("nav.menu a", (all) => all.map((one) => one.getAttribute("href")!));
    expect(menu).toHaveLength(MENU.length);
    for (const { hash: view } of screens()) {
      await page.evaluate((next) => {
        location.hash = next;
      }, view);
      await ready(page);
      expect(await page.locator("main").innerText(), view).not.toContain("cannot be shown");
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe("a whole report", () => {
  it("never shows for a moment what a broken one says", async () => {
    const { context, newPage } = await watchedContext(browser);
    const page = await newPage();
    await page.addInitScript(() => {
      const look = () => {
        const waiting = document.getElementById("waiting");
        if (waiting && getComputedStyle(waiting).visibility === "visible")
          document.documentElement.dataset.flashed = "1";
        requestAnimationFrame(look);
      };
      look();
    });
    await openView(page, made.html, "#/overview");
    expect(
      await page.evaluate(() => [document.documentElement.dataset.flashed, document.getElementById("waiting")]),
    ).toEqual([undefined, null]);
    await context.close();
  });
});

describe("Back", () => {
  const y = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

  it("leads to where one was, with the link that one followed in focus; a link leads to the top", async () => {
    const { context, newPage, faults } = await watchedContext(browser);
    const page = await newPage();
    await openView(page, made.html, "#/automation");
    const link = page.locator("table#communities tbody a").nth(3);
    await link.scrollIntoViewIfNeeded();
    const before = await y(page);
    expect(before).toBeGreaterThan(300);
    const name = await link.innerText();
    await link.click();
    await page.locator("main h1", { hasText: name }).waitFor();
    expect(await y(page)).toBe(0);
    await page.goBack();
    await page.waitForFunction((at) => Math.abs(window.scrollY - at) < 2, before);
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).innerText)).toBe(name);
    await page.goForward();
    await page.locator("main h1", { hasText: name }).waitFor();
    await page.waitForFunction(() => window.scrollY === 0);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe("with colours of the reader's own", () => {
  it("every word that is marked can be read", async () => {
    const { context, newPage } = await watchedContext(browser, { forcedColors: "active", colorScheme: "dark" });
    const page = await newPage();
    const { decisions } = pageData(made.html);
    const cited = decisions.find(({ audit }) => (audit.citation?.overlap ?? 0) > 0)!;
    await openView(page, made.html, `#/review/${encodeURIComponent(cited.id)}`);
    const marks = await page.$$eval("main mark", (all) =>
      all.map((one) => {
        const { color, backgroundColor } = getComputedStyle(one);
        const paper = getComputedStyle(document.documentElement).backgroundColor;
        const under = /^rgba\(.*, 0\)$/.test(backgroundColor) ? paper : backgroundColor;
        return { text: one.textContent, color, under };
      }),
    );
    expect(marks.length).toBeGreaterThan(2);
    expect(marks.filter(({ color, under }) => color === under)).toEqual([]);
    await context.close();
  });
});

describe("the focus", () => {
  it("stays on a button that has reached its end, and goes to the table that a button has opened", async () => {
    const { context, newPage } = await watchedContext(browser);
    const page = await newPage();
    await openView(page, made.html, "#/review?decisions.page=7");
    const next = page.getByRole("button", { name: "Next rows" });
    await next.focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("Enter");
    expect(await next.getAttribute("aria-disabled")).toBe("true");
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).innerText)).toBe("Next rows");
    await openView(page, made.html, "#/trust/stability");
    await unfold(page);
    await page.locator("button.more").first().focus();
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("table-scroll");
    await context.close();
  });
});

describe("names", () => {
  const NAMES = [
    "filmclub",
    "film\u200bclub",
    "film\u00adclub",
    "\u200b\u202e",
    "C".repeat(200_000),
    `b${"\u0301".repeat(400)}`,
  ];

  it("that differ look different, none looks like nothing, and none widens a narrow screen", async () => {
    const audits = join(folder, "names.jsonl");
    const rows = NAMES.flatMap((community, of) =>
      [1, 2, 3].map((level) => ({
        decision_id: `${of} ${level}`,
        community,
        auditor: "x",
        outcome: "verdict",
        decision: level === 1 ? "approve" : "remove",
        level,
        inverse: false,
      })),
    );
    writeFileSync(audits, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const path = join(folder, "names.html");
    cliOk(["report", "--audits", audits, "--actions", "remove,approve", "--html", path]);
    const { context, newPage, faults } = await watchedContext(browser, { viewport: { width: 320, height: 800 } });
    const page = await newPage();
    for (const view of ["overview", "automation", "rules", "review", "automation/proof"]) {
      await openView(page, path, `#/${view}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBe(320);
    }
    await openView(page, path, "#/automation");
    const shown = await page.locator("table#communities tbody td:first-child a").allInnerTexts();
    expect(new Set(shown).size).toBe(NAMES.length);
    expect(shown.every((name) => name.trim() !== "" && name.length <= 60)).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });
});
