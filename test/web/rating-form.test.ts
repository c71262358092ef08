import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RatingKey, ratingKeySchema } from "../../src/experiments/humans/result.js";
import { fileUrl, launchBrowser, leaveBrowser, type WatchedContext, watchedContext } from "../support/browser.js";
import { cliOk, temporaryFolder } from "../support/cli.js";
import { parseCsv } from "./csv.js";
import { hostileWorkspace } from "./hostile-workspace.js";
import { domText, expectNoHarm } from "./no-harm.js";

const folder = temporaryFolder();
const workspace = join(folder, "ws");
const sheet = join(folder, "sheet");
let browser: Browser;
let watched: WatchedContext;
let page: Page;
let key: RatingKey;

beforeAll(async () => {
  cpSync((await hostileWorkspace()).root, workspace, { recursive: true });
  const [baseline] = readdirSync(join(workspace, "runs")).sort();
  cliOk(["humans", "sample", "--run", baseline!, "--cases", "24", "--out", sheet, "--workspace", workspace]);
  const [name] = readdirSync(join(workspace, "humans"));
  key = ratingKeySchema.parse(JSON.parse(readFileSync(join(workspace, "humans", name!), "utf8")));
  browser = await launchBrowser();
  watched = await watchedContext(browser, { acceptDownloads: true });
  page = await watched.newPage();
  await page.goto(fileUrl(join(sheet, "form.html")));
});

afterAll(leaveBrowser);

describe("the rating form in a browser", () => {
  it("asks for a name first, and begins", async () => {
    await page.fill("#rater", "=Ana <script>");
    await page.press("#rater", "Enter");
    expect(await page.textContent("#who")).toBe("=Ana <script>");
    expect(await page.textContent("#place")).toBe(`Case 1 of ${key.cases.length} · 0 rated`);
    expect(await page.isDisabled("#export")).toBe(true);
  });

  it("takes a rating of every case, shows hostile content as text, and goes on after a reload", async () => {
    let shown = "";
    for (let i = 0; i < key.cases.length; i++) {
      shown += await domText(page);
      await page.check(`#rating input[name=level][value="${(i % 3) + 1}"]`);
      await page.check(`#rating input[name=inverse][value=${i % 2 ? "Yes" : "No"}]`);
      await page.fill("#comment", i === 3 ? '=cmd|"/C calc"!A0' : "");
      await expectNoHarm(page, watched, 2, `case ${i}`);
      if (i === 10) await page.reload();
      if (i < key.cases.length - 1) await page.click("#next");
    }
    expect(await page.textContent("#left")).toMatch(/^All cases are rated/);
    for (const text of ["<script>window.__pwned=1</script>", "onerror=", "javascript:", "=1+1"]) {
      expect(shown).toContain(text);
    }
  });

  it("saves a file that spreadsheets cannot be hurt by and that the import understands", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
    expect(download.suggestedFilename()).toMatch(/^ratings-[\w-]+-_Ana_script_\.csv$/);
    const file = join(folder, "ratings.csv");
    await download.saveAs(file);
    const [head, ...rows] = parseCsv(readFileSync(file, "utf8"));
    expect(head).toEqual(["sheet_id", "case", "rater", "level", "inverse", "comment", "rated_at"]);
    expect(rows).toHaveLength(key.cases.length);
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    const said = cliOk(["humans", "import", file, "--workspace", workspace]);
    expect(said).toContain(`Imported ${key.cases.length} ratings of 1 rater`);
    const labels = readFileSync(join(workspace, "labels.jsonl"), "utf8");
    expect(labels).toContain('"rater":"=Ana <script>"');
  });

  it("asked no server and opened nothing", () => {
    expect(watched.faults).toEqual([]);
    expect(watched.requests).toEqual([]);
  });
});
