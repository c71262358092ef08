import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { followHash, launchBrowser, leaveBrowser, openView, watchedContext } from "../support/browser.js";
import { cliOk, temporaryFolder } from "../support/cli.js";
import { pageData } from "../support/page-data.js";
import { demoReport } from "./reports.js";

const root = join(temporaryFolder(), "ws");
const html = (name: string) => join(root, "..", `${name}.html`);
let browser: Browser;

/** The demo with a gate by other keys, once open and once closed. */
beforeAll(async () => {
  cpSync((await demoReport()).workspace, root, { recursive: true });
  const run = (...args: string[]) => cliOk([...args, "--workspace", root]);
  run("gate", "--by", "community,decision", "--apply", `--json=${join(root, "..", "ignored.json")}`);
  run("report", "--html", html("by"));
  run("gate", "--by", "community", "--apply", `--json=${join(root, "..", "ignored.json")}`);
  run("gate", "--close", "INCIDENT seven");
  run("report", "--html", html("closed"));
  browser = await launchBrowser();
});

afterAll(leaveBrowser);

const inMain = (page: Page) => page.locator("main").innerText();

describe("a gate by other keys than communities", () => {
  it("has no link to a community that does not exist, in the gate's view and in the fleet's", async () => {
    const { newPage } = await watchedContext(browser);
    const page = await newPage();
    const { report, gate_input } = pageData(html("by"));
    expect(gate_input.by).toEqual(["community", "decision"]);
    const known = new Set(report.communities.map(({ community }) => community));
    const cohort = gate_input.cohorts[0]!.key;
    expect(known.has(cohort)).toBe(false);
    await openView(page, html("by"), "#/automation");
    // Names the point that the slider below the picture stands at.
    await page.locator(".stepper input").press("ArrowRight");
    await page.locator(".stepper p", { hasText: "×" }).waitFor();
    for (const view of ["#/automation", "#/automation/proof"]) {
      if (view !== "#/automation") await followHash(page, view);
      const links = await page.$$eval("main a[href^='#/automation/community/']", (all) =>
        all.map((one) => one.getAttribute("href")!),
      );
      const named = links.map((link) =>
        decodeURIComponent(link.slice("#/automation/community/".length).split("?")[0]!),
      );
      expect(named.filter((name) => !known.has(name))).toEqual([]);
      await page.$$eval("details.fold", (all) => {
        for (const one of all) (one as HTMLDetailsElement).open = true;
      });
      expect(await inMain(page)).toContain("×");
    }
  });
});

describe("a closed gate", () => {
  it("is said in every view that speaks of what may run on its own", async () => {
    const { newPage } = await watchedContext(browser);
    const page = await newPage();
    const { report } = pageData(html("closed"));
    expect(report.gate!.closed!.reason).toBe("INCIDENT seven");
    await openView(page, html("closed"), "#/overview");
    expect(await inMain(page)).toContain("Every gate is closed: nothing may run on its own.");
    await followHash(page, "#/automation");
    const gate = await inMain(page);
    expect(gate).toMatch(/Every gate is closed since .*INCIDENT seven/);
    expect(gate).not.toMatch(/(?:is|are) automated by it/);
    await followHash(page, `#/automation/community/${encodeURIComponent(report.communities[0]!.community)}`);
    expect(await inMain(page)).toMatch(/The whole gate is closed since .*INCIDENT seven/);
  });

  it("is said in the terminal, in Markdown and in JSON too", () => {
    const told = [[], ["--md"], ["--json"]].map((flags) => cliOk(["report", "--workspace", root, ...flags]));
    expect(told.map((text) => text.includes("INCIDENT seven"))).toEqual([true, true, true]);
    expect(told[0]).toContain("Every gate is closed since");
  });
});
