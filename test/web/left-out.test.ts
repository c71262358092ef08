import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
import { cliOk, temporaryFolder } from "../support/cli.js";
import { pageData } from "../support/page-data.js";
import { demoReport } from "./reports.js";
import { places } from "./views.js";

const folder = temporaryFolder();
const workspace = join(folder, "ws");
let run: string;
let browser: Browser;
let watched: WatchedContext;
let page: Page;

beforeAll(async () => {
  const made = await demoReport();
  cpSync(made.workspace, workspace, { recursive: true });
  run = pageData(made.html).report.run.run_id!;
  browser = await launchBrowser();
  watched = await watchedContext(browser);
  page = await watched.newPage();
});

afterAll(leaveBrowser);

function report(name: string, ...flags: string[]): string {
  const html = join(folder, name);
  cliOk(["report", "--workspace", workspace, "--run", run, "--html", html, ...flags]);
  return html;
}

async function textAt(hash: string): Promise<string> {
  await followHash(page, hash);
  return page.$eval("main", (main) => (main as HTMLElement).innerText.replaceAll("\u00a0", " "));
}

describe("a report on one cohort", () => {
  it("says of calibration, gate and experiments that they are left out, and asks for none of them", async () => {
    cliOk(["cohort", "create", "half", "--random", "150", "--seed", "7", "--workspace", workspace]);
    const html = report("half.html", "--cohort", "half");
    const leftOut: string[] = [];
    await openView(page, html, "#/overview");
    for (const { name, hash } of places(pageData(html))) {
      const text = await textAt(hash);
      expect(text, name).not.toMatch(
        /No gate (?:in force|computed)|Activate a gate|No calibration fits|Calibrate the auditor|not been tried|has not audited|To have it: defensible (?!audit)|No person has rated/,
      );
      if (text.includes("left out in a report on one cohort")) leftOut.push(name);
    }
    expect(leftOut).toEqual(
      expect.arrayContaining([
        "automation",
        "trust/calibration",
        "trust/stability",
        "rules/wording",
        "trust/gap",
        "one rule",
      ]),
    );
    expect(watched.faults).toEqual([]);
  });
});

describe("a report on a workspace with ratings, of which no report was made", () => {
  it("counts them and gives the command, and says without ratings how they come", async () => {
    rmSync(join(workspace, "experiments", "humans.json"));
    const people = async (name: string) => {
      await openView(page, report(name), "#/trust/people");
      return page.$eval(".nothing", (one) => (one as HTMLElement).innerText.replace(/\s+/g, " "));
    };
    expect(await people("rated.html")).toMatch(
      /^People rated 24 of the decisions listed here.*Run defensible humans report$/,
    );
    // As the report of ratings reads them: without a rater it takes none.
    const labels = join(workspace, "labels.jsonl");
    const [first] = readFileSync(labels, "utf8").split("\n");
    writeFileSync(labels, first!.replace(/"rater":"[^"]*"/, '"rater":null'));
    expect(await people("nameless.html")).toMatch(/^This experiment was not run/);
    rmSync(labels);
    expect(await people("unrated.html")).toMatch(
      /^This experiment was not run.*humans sample, humans import.*Run defensible humans report$/,
    );
  });
});

describe("a report on a workspace that was changed after the run", () => {
  it("says so where a text stands that need not be the one that was audited, and nowhere before", async () => {
    const rules = join(workspace, "rules");
    const decisions = join(workspace, "decisions.jsonl");
    const about = places(pageData(report("same.html"))).filter(({ name }) => /^one (?:rule|decision)$/.test(name));
    const texts = async (html: string) => {
      const found: string[] = [];
      await openView(page, html, "#/overview");
      for (const { hash } of about) found.push(await textAt(hash));
      return found;
    };
    expect((await texts(join(folder, "same.html"))).join()).not.toContain("after this run");
    for (const name of readdirSync(rules)) {
      const path = join(rules, name);
      writeFileSync(path, readFileSync(path, "utf8").replace(/title: .*/, "title: CHANGED"));
    }
    writeFileSync(decisions, readFileSync(decisions, "utf8").replace(/"content":"/, '"content":"CHANGED '));
    const [rule, decision] = await texts(report("changed.html"));
    expect(rule).toContain("Rules were added or edited after this run");
    expect(decision).toContain("Rules were added or edited after this run");
    expect(decision).toContain("Decisions were added or edited after this run");
    expect(pageData(join(folder, "changed.html")).notes.join()).toContain(
      "Rules and decisions were added or edited after this run",
    );
  });
});
