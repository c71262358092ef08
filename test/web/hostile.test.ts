import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Decision } from "../../src/core/records/decision.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import {
  fileUrl,
  followHash,
  launchBrowser,
  leaveBrowser,
  openView,
  type WatchedContext,
  watchedContext,
} from "../support/browser.js";
import { cliOk, temporaryFolder } from "../support/cli.js";
import { pageData } from "../support/page-data.js";
import { parseCsv } from "./csv.js";
import { hostileWorkspace } from "./hostile-workspace.js";
import { disguises, domText, expectNoHarm } from "./no-harm.js";
import { PAYLOADS } from "./payloads.js";
import { catchFiles, caughtFile } from "./saved-files.js";
import { screens } from "./views.js";

const folder = temporaryFolder();
const html = join(folder, "report.html");
let root: string;
let decisions: readonly Decision[];
let data: ReportPage;
let browser: Browser;
let watched: WatchedContext;
let page: Page;
/** Everything that was shown, in all views, and of it the precedents. */
let shown = "";
let precedents = "";
const disguised: string[] = [];
/** Scripts that the page has of its own: its data and its program. */
const SCRIPTS = 2;

beforeAll(async () => {
  ({ root, decisions } = await hostileWorkspace());
  cliOk(["report", "--workspace", root, "--html", html]);
  data = pageData(html);
  browser = await launchBrowser();
  watched = await watchedContext(browser);
  page = await watched.newPage();
});

afterAll(leaveBrowser);

async function look(hash: string, where: string): Promise<void> {
  // The pointer rests where no picture shows a tip.
  await page.mouse.move(0, 0);
  await followHash(page, hash);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
  });
  shown += await domText(page);
  disguised.push(...(await disguises(page)).map((text) => `${where.slice(0, 40)}: ${text}`));
  await expectNoHarm(page, watched, SCRIPTS, where);
}

/** Control characters and the like are shown as signs; what is readable of a payload stands there as it was written. */
function readable(payload: string): string {
  const parts = payload.match(/[\x21-\x7e]+(?: [\x21-\x7e]+)*/g) ?? [];
  return parts.sort((a, b) => b.length - a.length)[0]?.slice(0, 60) ?? "";
}

const link = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;

describe("the corpus", () => {
  it("is large, and most of it does harm where it is taken for markup", async () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length);
    const naive = join(folder, "naive.html");
    const other = await watchedContext(browser);
    const victim = await other.newPage();
    let harmed = 0;
    for (const payload of PAYLOADS.filter((text) => text.includes("<") && text.length < 1000)) {
      writeFileSync(naive, `<!doctype html><title>t</title><body><p>${payload}</p>`);
      other.faults.length = 0;
      other.requests.length = 0;
      await victim.goto(fileUrl(naive)).catch(() => {});
      await expectNoHarm(victim, other, 0, "").catch(() => harmed++);
    }
    expect(harmed).toBeGreaterThan(30);
    await other.context.close();
  });
});

describe("a report of nothing but hostile text", () => {
  it("does nothing but show it, in every view", async () => {
    await openView(page, html, "#/review");
    for (const { name, hash } of screens()) await look(hash, name);
  });

  it("does nothing but show it, on the page of every decision", async () => {
    expect(data.decisions.length).toBe(decisions.length);
    for (const { id } of data.decisions) {
      await look(link("review", id), `decision ${id}`);
      precedents += await page.locator("[aria-labelledby=decision-precedents]").textContent();
    }
  });

  it("does nothing but show it, on the pages of communities and rules", async () => {
    expect(data.report.communities.length).toBeGreaterThan(60);
    for (const { community } of data.report.communities)
      await look(link("automation", "community", community), community);
    for (const { scope, community, rule_id } of data.report.rules.slice(0, 40)) {
      await look(link("rules", scope, community ?? "-", rule_id), rule_id);
    }
  });

  it("does nothing but show it, where the auditor quotes hostile rules itself", async () => {
    const own = join(folder, "baseline.html");
    const [baseline] = readdirSync(join(root, "runs")).sort();
    cliOk(["report", "--workspace", root, "--run", baseline!, "--html", own]);
    await openView(page, own, "#/review");
    for (const view of ["overview", "automation", "rules", "automation/proof"]) await look(`#/${view}`, view);
    for (const { id } of pageData(own).decisions.filter((_, i) => i % 4 === 0)) await look(link("review", id), id);
    await openView(page, html, "#/review");
  });

  it("shows every payload as text", () => {
    expect(PAYLOADS.map(readable).filter((part) => !shown.includes(part))).toEqual([]);
  });

  it("shows every payload as the text of a precedent too", () => {
    expect(data.precedents).toHaveLength(decisions.length);
    expect(PAYLOADS.map(readable).filter((part) => !precedents.includes(part))).toEqual([]);
  });

  it("has no character in its elements that could disguise what is there", () => {
    expect(disguised).toEqual([]);
  });

  it("is not widened by it, on a telephone either", async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    const wide: string[] = [];
    for (const { id } of data.decisions.filter((_, i) => i % 3 === 0)) {
      await look(link("review", id), `decision ${id}`);
      if (await page.evaluate(() => document.documentElement.scrollWidth > 400)) wide.push(id);
    }
    expect(wide).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("guards its downloads against spreadsheets", async () => {
    let cells = 0;
    await catchFiles(page);
    for (const view of ["automation", "rules", "overview"]) {
      await look(`#/${view}`, view);
      for (const button of await page.locator(".chart-tools button", { hasText: "CSV" }).all()) {
        const { name, text } = await caughtFile(page, () => button.press("Enter"));
        expect(name).toMatch(/^[\w.-]+$/);
        for (const cell of parseCsv(text).flat()) {
          cells++;
          if (Number.isNaN(Number(cell))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
        }
      }
    }
    expect(cells).toBeGreaterThan(100);
  });

  it("went nowhere, asked nobody and opened nothing", () => {
    expect(page.url().split("#")[0]).toBe(fileUrl(html));
    expect(watched.faults).toEqual([]);
    expect(watched.requests).toEqual([]);
    expect(watched.context.pages()).toHaveLength(1);
  });
});
