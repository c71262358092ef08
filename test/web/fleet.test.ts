import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, leaveBrowser, openView, type WatchedContext, watchedContext } from "../support/browser.js";
import { cliOk } from "../support/cli.js";
import { markedNumbers, mismatches, resolve } from "./marked-numbers.js";
import { fleetReport, type MadeReport } from "./reports.js";

let made: MadeReport;
let browser: Browser;
let watched: WatchedContext;
let page: Page;
let run: string;

beforeAll(async () => {
  made = await fleetReport();
  run = JSON.parse(readFileSync(made.json, "utf8")).run.run_id;
  browser = await launchBrowser();
  watched = await watchedContext(browser);
  page = await watched.newPage();
  // A few steps from where the tests move the limits to.
  await openView(page, made.html, "#/automation?di=0.53&ai=0.56");
});

afterAll(leaveBrowser);

function gateOf(...flags: string[]): { communities: { community: string; passes: Record<string, boolean> }[] } {
  return JSON.parse(cliOk(["gate", "--run", run, "--dry-run", "--json", "--workspace", made.workspace, ...flags]));
}

/** Moves a slider from where it is, step by step, as a keyboard does. Each step counts the whole fleet anew. */
async function slide(name: string, to: number): Promise<void> {
  const slider = page.getByRole("slider", { name, exact: true });
  await slider.focus();
  const from = Number(await slider.inputValue());
  const steps = Math.round((to - from) / 0.01);
  for (let i = 0; i < Math.abs(steps); i++) await page.keyboard.press(steps > 0 ? "ArrowRight" : "ArrowLeft");
  expect(Number(await slider.inputValue())).toBeCloseTo(to, 10);
}

/** What is shown may be a step behind the slider. */
const settled = () => page.waitForSelector(".view.fleet[aria-busy=false]");

describe("the limits of the gate, moved by keyboard", () => {
  it.each([
    ["certified", "p"],
    ["shrunk", "c"],
    ["paper", "r"],
  ])("recompute coverage, risk, states and passes as the command line does, in mode %s", async (mode, letter) => {
    await slide("Defensibility at least", 0.5);
    await slide("Ambiguity at most", 0.6);
    await page.getByLabel("Gate mode").focus();
    await page.keyboard.press(letter);
    expect(await page.getByLabel("Gate mode").inputValue()).toBe(mode);
    await settled();
    const gate = gateOf("--mode", mode, "--di", "0.5", "--ai", "0.6");
    const shown = (await markedNumbers(page)).filter(({ pointer }) => pointer.startsWith("/gate/"));
    const pointers = new Set(shown.map(({ pointer }) => pointer.split("/").slice(0, 4).join("/")));
    for (const one of ["/gate/fleet/estimates", "/gate/fleet/counts", `/gate/by_mode/${mode}`]) {
      expect(
        [...pointers].some((pointer) => pointer.startsWith(one)),
        one,
      ).toBe(true);
    }
    expect([...pointers].filter((pointer) => pointer.startsWith("/gate/states/")).length).toBeGreaterThanOrEqual(4);
    expect(mismatches(shown, (pointer) => resolve({ gate }, pointer))).toEqual([]);
    expect(await page.evaluate(() => location.hash)).toMatch(/di=0\.5/);
  });

  it("say of each community whether it passes, in every mode", async () => {
    const gate = gateOf("--mode", "paper", "--di", "0.5", "--ai", "0.6");
    const table = page.locator("table#communities");
    await page.getByRole("button", { name: "Show all 300 rows" }).click();
    const head = await table.locator("thead th").allTextContents();
    const rows = await table
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
    const shown = new Map(rows.map((cells) => [cells[0], cells]));
    expect(shown.size).toBe(300);
    expect(gate.communities).toHaveLength(300);
    for (const [mode, name] of [
      ["paper", "raw"],
      ["shrunk", "cautious"],
      ["certified", "proven"],
    ] as const) {
      const column = head.findIndex((text) => text.toLowerCase().includes(`passes, ${name}`));
      for (const { community, passes } of gate.communities) {
        expect(shown.get(community)![column], `${community}, ${mode}`).toBe(passes[mode] ? "yes" : "no");
      }
      expect(gate.communities.filter(({ passes }) => passes[mode]).length, mode).toBeGreaterThan(5);
    }
  });

  it("go back to the report's own with Reset", async () => {
    await page.getByRole("button", { name: "Reset" }).click();
    await settled();
    const shown = (await markedNumbers(page)).filter(({ pointer }) => pointer.startsWith("/gate/"));
    const gate = gateOf();
    expect(mismatches(shown, (pointer) => resolve({ gate }, pointer))).toEqual([]);
    expect(await page.evaluate(() => location.hash)).not.toMatch(/di=|ai=|mode=/);
  });
});

describe("a fleet of 300 communities and 2,000 listed decisions", () => {
  it("is a file to mail: under 3 MB", () => {
    expect(readFileSync(made.html).length).toBeLessThan(3_000_000);
  });

  it.each(["automation", "review", "rules", "automation/proof", "overview"])(
    "draws no more of %s than can be looked at",
    async (view) => {
      await openView(page, made.html, `#/${view}`);
      const size = await page.evaluate(() => ({
        elements: document.querySelectorAll("main *").length,
        rows: Math.max(0, ...[...document.querySelectorAll("main tbody")].map((body) => body.children.length)),
      }));
      expect(size.rows).toBeLessThanOrEqual(100);
      expect(size.elements).toBeLessThan(8_000);
    },
  );

  it("has every community in the list, and finds one", async () => {
    await openView(page, made.html, "#/automation");
    const names = gateOf().communities.map(({ community }) => community);
    expect(names).toHaveLength(300);
    const wanted = names[217]!;
    await page.getByLabel("Search communities").fill(wanted);
    await page.waitForFunction(() => document.querySelectorAll("table#communities tbody tr").length < 50);
    expect(await page.locator("table#communities tbody").textContent()).toContain(wanted);
    await page.waitForFunction(() => location.hash.includes("search="));
  });

  it("did all this without an error or a request", () => {
    expect(watched.faults).toEqual([]);
    expect(watched.requests).toEqual([]);
  });
});
