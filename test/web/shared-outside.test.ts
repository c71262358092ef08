import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Decision } from "../../src/core/records/decision.js";
import {
  followHash,
  launchBrowser,
  leaveBrowser,
  openView,
  type WatchedContext,
  watchedContext,
} from "../support/browser.js";
import { cliOk, temporaryFolder } from "../support/cli.js";
import { pageData } from "../support/page-data.js";
import { domText } from "./no-harm.js";
import { demoReport } from "./reports.js";
import { screens } from "./views.js";

const folder = temporaryFolder();
const workspace = join(folder, "ws");
const html = { redacted: join(folder, "redacted.html"), without: join(folder, "without.html") };
let run: string;
let written: string[];
let browser: Browser;
let watched: WatchedContext;

beforeAll(async () => {
  const made = await demoReport();
  // A key of the workspace is made with the first redacted report.
  cpSync(made.workspace, workspace, { recursive: true });
  run = JSON.parse(readFileSync(made.json, "utf8")).run.run_id;
  const report = ["report", "--run", run, "--workspace", workspace, "--html"];
  cliOk([...report, html.redacted, "--redact"]);
  cliOk([...report, html.without, "--no-decisions"]);
  written = whatPeopleWrote();
  browser = await launchBrowser();
  watched = await watchedContext(browser);
});

afterAll(leaveBrowser);

/** Beginnings of all that authors and moderators wrote about decisions, but for words of the rules, which stay. */
function whatPeopleWrote(): string[] {
  const rules = JSON.stringify(pageData(html.without).rule_sets);
  const decisions = readFileSync(join(workspace, "decisions.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Decision);
  return decisions
    .flatMap(({ content, rationale, gold, appeal }) => [
      ...(typeof content === "string" ? [content] : [content.title, content.body, ...(content.context ?? [])]),
      rationale,
      gold?.note,
      appeal?.text,
    ])
    .filter((text) => text !== null && text !== undefined && text.length > 25)
    .map((text) => text!.slice(0, 40))
    .filter((part) => !rules.includes(part));
}

describe("a report for outside", () => {
  it("with --redact has nothing of what people wrote, neither in its data nor in any view", async () => {
    expect(written.length).toBeGreaterThan(400);
    const data = pageData(html.redacted);
    const text = JSON.stringify(data);
    expect(written.filter((part) => text.includes(JSON.stringify(part).slice(1, -1)))).toEqual([]);
    const page = await watched.newPage();
    const some = data.decisions.slice(0, 10).map(({ id }) => `#/review/${encodeURIComponent(id)}`);
    await openView(page, html.redacted, "#/overview");
    for (const hash of [...screens().map(({ hash }) => hash), ...some]) {
      await followHash(page, hash);
      const shown = await domText(page);
      expect(
        written.filter((part) => shown.includes(part)),
        hash,
      ).toEqual([]);
      expect(shown, hash).toContain("texts redacted");
    }
    expect(await domText(page)).toMatch(/Redacted: [\d,]+ characters?, hash [0-9a-f]{16}/);
  });

  it("with --redact says the same numbers", () => {
    expect(pageData(html.redacted).report.defensibility_index).toEqual(
      pageData(html.without).report.defensibility_index,
    );
  });

  it("with --no-decisions has none, and says so where they would be", async () => {
    const data = pageData(html.without);
    expect(data.decisions).toEqual([]);
    expect(data.decisions_of).toBeNull();
    const page = await watched.newPage();
    await openView(page, html.without, "#/review");
    expect(await page.locator("main").innerText()).toMatch(/left out/i);
    await openView(
      page,
      html.without,
      `#/automation/community/${encodeURIComponent(data.report.communities[0]!.community)}`,
    );
    expect(await page.locator("main a[href^='#/review/']").count()).toBe(0);
  });

  it("opens without an error or a request", () => {
    expect(watched.faults).toEqual([]);
    expect(watched.requests).toEqual([]);
  });
});
