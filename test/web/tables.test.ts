import { describe, expect, it } from "vitest";
import { followHash, openView } from "../support/browser.js";
import { demoPage } from "./demo-page.js";
import { places } from "./views.js";

const demo = demoPage();

/** Tables whose frame cannot be reached by keyboard or has no name. Runs in the page. */
function unreachable(): string[] {
  return [...document.querySelectorAll("main table")]
    .filter((table) => {
      const frame = table.closest<HTMLElement>(".table-scroll");
      return frame?.tabIndex !== 0 || !frame.getAttribute("aria-label");
    })
    .map((table) => table.outerHTML.slice(0, 120));
}

/** Heads of columns that begin with a small letter, but for statistics that are written so. Runs in the page. */
function smallHeads(): string[] {
  return [...document.querySelectorAll<HTMLElement>("main thead th")]
    .map((head) => (head.innerText.split("\n").find((line) => line.trim() !== "") ?? "").trim())
    .filter((text) => /^\p{Ll}/u.test(text) && !/^[pqραβγ](?:\P{L}|$)/u.test(text));
}

describe("a table", () => {
  it("can be scrolled by keyboard and has a name, and its heads begin with capitals, in any view", async () => {
    // Names that the data gives to actions and cohorts stay as they are written there.
    const given = new Set([...demo.data.decisions.map(({ decision }) => decision), "all decisions"]);
    const found: Record<string, string[]> = {};
    for (const { name, hash } of places(demo.data)) {
      await followHash(demo.page, hash);
      const small = (await demo.page.evaluate(smallHeads)).filter((text) => !given.has(text));
      const wrong = [...(await demo.page.evaluate(unreachable)), ...small];
      if (wrong.length > 0) found[name] = wrong;
    }
    expect(found).toEqual({});
  });

  it("would be found out if it could not, or had others", async () => {
    await demo.page.evaluate(() => {
      const table = document.createElement("table");
      table.createTHead().insertRow().append(document.createElement("th"));
      table.querySelector("th")!.textContent = "state";
      document.querySelector("main")!.append(table);
    });
    expect(await demo.page.evaluate(unreachable)).toHaveLength(1);
    expect(await demo.page.evaluate(smallHeads)).toEqual(["state"]);
  });

  it("of decisions fits a screen of 1,280 pixels, with their contents", async () => {
    await openView(demo.page, demo.made.html, "#/review");
    const beyond = () =>
      demo.page.$eval("#decisions", ({ parentElement: frame }) => frame!.scrollWidth - frame!.clientWidth);
    expect(await beyond()).toBe(0);
    const { title, body } = demo.data.decisions[0]!;
    expect(await demo.page.locator("#decisions tbody tr").first().innerText()).toContain(
      (title?.text || body!.text!).slice(0, 20),
    );
    await demo.page.getByLabel("Blur content").check();
    expect(await beyond()).toBe(0);
    await demo.page.getByLabel("Blur content").uncheck();
  });
});

describe("the menu", () => {
  const current = () =>
    demo.page.$eval("nav.menu [aria-current=page]", (entry) => {
      const room = entry.closest("nav")!.getBoundingClientRect();
      const { left, right } = entry.getBoundingClientRect();
      return { name: entry.textContent, inView: left >= room.left && right <= room.right };
    });

  it("marks Automation on the page of a community", async () => {
    await openView(
      demo.page,
      demo.made.html,
      `#/automation/community/${encodeURIComponent(demo.data.report.communities[0]!.community)}`,
    );
    expect((await current()).name).toBe("Automation");
  });

  it("shows the entry of the view that a link leads to on a screen too narrow for all of them", async () => {
    await demo.page.setViewportSize({ width: 400, height: 800 });
    for (const view of ["automation/proof", "method", "overview"]) {
      await openView(demo.page, demo.made.html, `#/${view}`);
      expect(await current()).toMatchObject({ inView: true });
      expect(await demo.page.evaluate(() => window.scrollY)).toBe(0);
    }
    await demo.page.setViewportSize({ width: 1280, height: 900 });
  });
});
