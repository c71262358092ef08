import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, leaveBrowser, openView, watchedContext } from "../support/browser.js";
import { cliOk, temporaryFolder } from "../support/cli.js";
import { recordedDemo } from "../support/recorded-demo.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let html: string;
let browser: Browser;

beforeAll(async () => {
  html = join((await recordedDemo()).workspace, "report.html");
  browser = await launchBrowser();
});

afterAll(leaveBrowser);

async function overview(options: Parameters<typeof watchedContext>[1] = {}) {
  const watched = await watchedContext(browser, options);
  const page = await watched.newPage();
  return { ...watched, page, open: () => openView(page, html, "#/overview") };
}

/** Words of page one that are the program's: not posts and quoted rules. `all`: those too. */
const ownWords = (page: Page, all = false) =>
  page.evaluate((withQuotes) => {
    const texts = document.createTreeWalker(document.querySelector("main .view")!, NodeFilter.SHOW_TEXT);
    const words: string[] = [];
    while (texts.nextNode()) {
      const of = texts.currentNode.parentElement!;
      const unseen = `.visually-hidden, .interval-text, .term-meaning${withQuotes ? "" : ", .quoted"}`;
      if (!of.closest("h1, .overview") || of.closest(unseen)) continue;
      if (!of.checkVisibility()) continue;
      words.push(texts.currentNode.textContent ?? "");
    }
    return words
      .join(" ")
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word));
  }, all);

describe("page one of the demo", () => {
  it("shows three posts with decision, label, rule and reason, in one screen, with at most 140 words of its own", async () => {
    const { page, open, faults, requests } = await overview({ viewport: { width: 1280, height: 900 } });
    await open();
    const cards = await page.$$eval(".trap-post", (all) =>
      all.map((card) => ({
        head: card.querySelector("h2")!.textContent,
        post: card.querySelector(".post")!.textContent.length,
        sides: card.querySelector(".post-sides")!.textContent,
        rule: card.querySelector(".post-rule a")!.textContent,
        quote: card.querySelector(".post-rule q")!.textContent.length,
      })),
    );
    expect(cards.map(({ head }) => head.replace(/\s+/g, " "))).toEqual([
      expect.stringMatching(/^\d+ counted as errors, yet the rules support them$/),
      expect.stringMatching(/^\d+ counted as successes, yet no rule supports them$/),
      expect.stringMatching(/^\d+ where the rules allow both$/),
    ]);
    for (const card of cards) {
      expect(card.sides).toMatch(/decided\s(remove|approve) · moderator\s(remove|approve)/);
      expect(card.rule).toMatch(/^[RP]\d$/);
      expect(card.quote).toBeLessThanOrEqual(90);
      expect(Math.min(card.post, card.quote)).toBeGreaterThan(11);
    }
    expect((await ownWords(page)).length).toBeLessThanOrEqual(140);
    expect((await ownWords(page, true)).length).toBeLessThanOrEqual(265);
    expect(await page.$eval(".overview", (one) => one.getBoundingClientRect().bottom)).toBeLessThanOrEqual(900);
    const bars = await page.$$eval(".overview-numbers .interval-drawn", (all) =>
      all.map((bar) => [bar.querySelector<HTMLElement>(".interval-range")!.offsetWidth > 0, bar.textContent]),
    );
    expect(bars).toEqual(Array(3).fill([true, expect.stringMatching(/^ \(\d+% to \d+%$/)]));
    const payOff = await page.$eval(".pay-off", (one) => one.textContent.replace(/\s+/g, " "));
    expect(payOff).toContain("25% → 0%15 → 0 of 60; 2 become indefensible");
    expect({ faults, requests }).toEqual({ faults: [], requests: [] });
  });

  it.each([1280, 390])("has nothing serious for axe-core, and no sideways scrolling, %i pixels wide", async (width) => {
    const { page, open } = await overview({ viewport: { width, height: 900 }, bypassCSP: true });
    await page.addInitScript(AXE);
    await open();
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run(root: Element): Promise<{ violations: { id: string; impact: string }[] }> };
      };
      return (await axe.run(document.querySelector(".view")!)).violations;
    });
    expect(found.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});

describe("page one of decisions without labels", () => {
  it("says that there is nothing to agree with, and praises no agreement", async () => {
    const root = join(temporaryFolder(), "plain");
    cliOk(["init", root]);
    writeFileSync(
      join(root, "rules.yaml"),
      'scope: platform\nversion: "1"\nrules:\n  - {id: P1, title: No advertising, description: Posts that sell goods are removed.}\n',
    );
    const line = (id: string) =>
      JSON.stringify({ id, community: "garden", content: "Cheap watches", decision: "remove" });
    writeFileSync(join(root, "new.jsonl"), `${line("a")}\n${line("b")}\n`);
    for (const args of [["import", "rules.yaml", "new.jsonl"], ["audit"], ["report", "--html", "page.html"]]) {
      cliOk(args, { cwd: root });
    }
    const page = await (await watchedContext(browser)).newPage();
    await openView(page, join(root, "page.html"), "#/overview");
    const shown = await page.$eval(".overview", (one) => one.textContent);
    expect(shown).toContain("No decision has a human label");
    expect(shown).toContain("undefined: no verdict has a human label");
    expect(shown).not.toContain("agrees with its label");
  });
});
