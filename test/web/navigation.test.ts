import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ReportPage } from "../../src/measures/report-page.js";
import {
  followHash,
  launchBrowser,
  leaveBrowser,
  openView,
  ready,
  type WatchedContext,
  watchedContext,
} from "../support/browser.js";
import { pageData } from "../support/page-data.js";
import { demoReport, type MadeReport } from "./reports.js";
import { MENU } from "./views.js";

let made: MadeReport;
let data: ReportPage;
let browser: Browser;
let watched: WatchedContext;
let page: Page;

beforeAll(async () => {
  made = await demoReport();
  data = pageData(made.html);
  browser = await launchBrowser();
  watched = await watchedContext(browser);
  page = await watched.newPage();
});

afterEach(() => {
  expect(watched.faults).toEqual([]);
  expect(watched.requests).toEqual([]);
});

afterAll(leaveBrowser);

const heading = () => page.locator("main h1").innerText();
const hash = () => page.evaluate(() => location.hash);
const link = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;

const go = (address: string) => followHash(page, address);

/** Links by the view that they lead to. */
function grouped(links: ReadonlySet<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const one of links) {
    const view = one
      .replace(/^#\//, "")
      .split(/[?/]/)
      .slice(0, one.includes("/community/") ? 2 : 1)
      .join("/");
    groups.set(view, [...(groups.get(view) ?? []), one]);
  }
  return groups;
}

describe("an address", () => {
  it("of every link in every view leads to something that the report has", async () => {
    await openView(page, made.html, "#/overview");
    const links = new Set<string>();
    for (const view of MENU) {
      await go(`#/${view}`);
      for (const one of await page.$$eval("main a[href]", (all) => all.map((each) => each.getAttribute("href")!))) {
        links.add(one);
      }
    }
    const kinds = grouped(links);
    for (const kind of ["automation/community", "rules", "review"])
      expect(kinds.get(kind)?.length, kind).toBeGreaterThan(5);
    for (const [kind, all] of kinds) {
      for (const one of all.slice(0, kind === "review" ? 12 : 25)) {
        await go(one);
        expect(await heading(), one).not.toBe("");
        expect(await page.locator("main").innerText(), one).not.toMatch(
          /There is no (?:view|community|rule|decision)/i,
        );
      }
    }
  });

  it("of a decision, a community, a rule shows it", async () => {
    const { id, community } = data.decisions[3]!;
    await openView(page, made.html, link("review", id));
    expect(await page.locator("main").innerText()).toContain(id);
    await openView(page, made.html, link("automation", "community", community));
    expect(await heading()).toContain(community);
    const rule = data.report.rules[2]!;
    await openView(page, made.html, link("rules", rule.scope, rule.community ?? "-", rule.rule_id));
    expect(await page.locator("main").innerText()).toContain(rule.title!);
  });

  it.each([
    ["view", "#/nonsense"],
    ["community", "#/automation/community/nobody"],
    ["decision", "#/review/nobody"],
    ["decision that is a name of JavaScript's", "#/review/__proto__"],
    ["community that is a name of JavaScript's", "#/automation/community/constructor"],
    ["rule", "#/rules/community/nobody/R99"],
    ["rule that is a name of JavaScript's", "#/rules/platform/-/toString"],
    ["address that is not well formed", "#/review/%E0%A4%A"],
    ["filter", "#/automation?di=many&ai=-3&min=1e99&mode=nobody&variable=x"],
    ["order of a table", "#/automation?communities.sort=-nothing"],
  ])("that there is not is answered in words: %s", async (_, address) => {
    await openView(page, made.html, address);
    const text = await page.locator("main").innerText();
    expect(text.trim().length).toBeGreaterThan(20);
    expect(text).not.toMatch(/\bNaN\b|\[object|\bundefined\b(?!:)/);
    await go("#/overview");
    expect(await heading()).not.toBe("");
  });

  it.each([
    ["#/summary", "#/overview"],
    ["#/fleet?mode=paper", "#/automation?mode=paper"],
    ["#/gate", "#/automation"],
    ["#/decision?level=3", "#/review?level=3"],
    ["#/specificity", "#/rules/wording"],
    ["#/humans", "#/trust/people"],
    ["#/adversarial", "#/trust/attacks"],
    ["#/experiments/dual", "#/trust/dual"],
    ["#/terms", "#/method"],
  ])("of an earlier report, %s, leads to %s", async (old, now) => {
    await openView(page, made.html, old);
    expect(await page.evaluate(() => location.hash)).toBe(now);
    expect(await page.locator("nav.menu a[aria-current=page]").getAttribute("href")).toBe(
      now.replace(/^(#\/\w+)[^?]*(\?mode=\w+)?.*/, "$1$2"),
    );
  });

  it("is kept by back and forward", async () => {
    await openView(page, made.html, "#/overview");
    const first = await heading();
    await page.locator("nav.menu a", { hasText: "Automation" }).click();
    await ready(page);
    const second = await heading();
    expect(second).not.toBe(first);
    expect(await page.locator("nav.menu a[aria-current=page]").innerText()).toBe("Automation");
    await page.goBack();
    await ready(page);
    expect(await heading()).toBe(first);
    await page.goForward();
    await ready(page);
    expect(await heading()).toBe(second);
  });

  it("goes back to the first page of a table that is sorted, searched or filtered anew", async () => {
    const third = "#/review?decisions.page=3";
    const first = async (change: () => Promise<unknown>) => {
      await go("#/overview");
      await go(third);
      await page.locator(".pager", { hasText: "101" }).first().waitFor();
      await change();
      await page.waitForFunction(() => !location.hash.includes("decisions.page"));
      expect(await page.locator("table#decisions tbody tr").count()).toBeGreaterThan(0);
    };
    await first(() => page.locator("table#decisions th button").first().click());
    await first(() => page.locator("main input[type=search]").fill("a"));
    await first(() => page.locator("main .controls select").nth(1).selectOption({ index: 1 }));
  });

  it("holds the filters, which survive a reload", async () => {
    await openView(page, made.html, "#/review");
    const selects = page.locator("main select");
    expect(await selects.count()).toBeGreaterThan(0);
    const before = await page.locator("main tbody tr").count();
    const option = await selects.first().locator("option").nth(2).getAttribute("value");
    await selects.first().selectOption(option!);
    await page.locator("main thead button").first().click();
    // The address follows at a distance.
    await page.waitForFunction(() => /\?.*sort=/.test(location.hash));
    const [text, address] = [await page.locator("main tbody").first().innerText(), await hash()];
    await page.reload();
    await ready(page);
    expect(await hash()).toBe(address);
    expect(await page.locator("main tbody").first().innerText()).toBe(text);
    expect(await selects.first().inputValue()).toBe(option);
    expect(before).toBeGreaterThan(0);
  });
});

describe("a keyboard", () => {
  interface Stop {
    tag: string;
    name: string;
    place: string;
    outline: boolean;
  }

  /** Where each press of Tab leads, and whether it can be seen there. */
  async function stops(count: number): Promise<Stop[]> {
    const found: Stop[] = [];
    for (let i = 0; i < count; i++) {
      await page.keyboard.press("Tab");
      found.push(
        await page.evaluate(() => {
          const one = document.activeElement as HTMLElement;
          const style = getComputedStyle(one);
          const place = one.closest("nav.menu,header,figure,table,form,main")?.tagName.toLowerCase() ?? "body";
          const outline = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0;
          return {
            tag: one.tagName.toLowerCase(),
            name: (one.getAttribute("aria-label") ?? one.innerText).slice(0, 60),
            place,
            outline,
          };
        }),
      );
    }
    return found;
  }

  it("reaches skip button, menu, sliders, heads of tables and chart buttons in this order, and one sees where", async () => {
    await openView(page, made.html, "#/automation");
    // After the last stop the browser itself has the focus.
    const found = (await stops(75)).filter(({ tag }) => tag !== "body");
    expect(found.filter(({ outline }) => !outline).map(({ tag, name }) => `${tag} ${name}`)).toEqual([]);
    expect(found[0]!.name).toContain("Skip");
    const first = (test: (stop: Stop) => boolean) => found.findIndex(test);
    const order = [
      first(({ place }) => place === "nav"),
      first(({ tag, place }) => tag === "input" && place === "form"),
      first(({ tag, place }) => tag === "button" && place === "table"),
      first(({ name, place }) => place === "figure" && /^Data of/.test(name)),
    ];
    expect(
      order.every((place) => place > 0),
      JSON.stringify(found.map(({ place, name }) => [place, name])),
    ).toBe(true);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it("skips the menu with the first button", async () => {
    await openView(page, made.html, "#/overview");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    const [next] = await stops(1);
    expect(next!.place).not.toBe("nav");
  });

  it("sorts a table with Enter, and turns the order round with the second", async () => {
    await openView(page, made.html, "#/automation");
    const head = page.locator("table#communities thead th:nth-child(4)");
    const numbers = async () =>
      (await page.locator("table#communities tbody tr td:nth-child(4)").allInnerTexts()).map((text) =>
        Number(text.replaceAll(",", "")),
      );
    await head.locator("button").focus();
    const order = await head.getAttribute("aria-sort");
    await page.keyboard.press("Enter");
    const turned = await numbers();
    expect(await head.getAttribute("aria-sort")).not.toBe(order);
    await page.keyboard.press("Enter");
    expect(await head.getAttribute("aria-sort")).toBe(order);
    expect(await numbers()).toEqual([...turned].sort((a, b) => (turned[0]! > turned.at(-1)! ? a - b : b - a)));
  });

  it("opens and closes the data of a chart", async () => {
    await openView(page, made.html, "#/overview/numbers");
    const toggle = page.locator(".chart-tools button", { hasText: "Data" }).first();
    await toggle.focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".chart-table").count()).toBe(1);
    await page.keyboard.press("Space");
    expect(await page.locator(".chart-table").count()).toBe(0);
  });

  it("reads a definition where a term has the focus", async () => {
    await openView(page, made.html, "#/overview");
    const term = page.locator("main .term-word").first();
    await term.focus();
    const meaning = page.locator("main .term-meaning").first();
    expect(await meaning.isVisible()).toBe(true);
    expect(await term.getAttribute("aria-describedby")).toBe(await meaning.getAttribute("id"));
  });
});

describe("audited content", () => {
  const body = () => data.decisions[0]!.body!.text!;
  const inDom = async (text: string) =>
    page.evaluate((part) => document.documentElement.outerHTML.includes(part), text.slice(0, 30));

  it("is shown by default; blurred, it is not in the page's elements until the button is held", async () => {
    await openView(page, made.html, link("review", data.decisions[0]!.id));
    expect(await inDom(body())).toBe(true);
    await page.getByLabel("Blur content").check();
    expect(await inDom(body())).toBe(false);
    const button = page.locator("button.hold").first();
    await button.scrollIntoViewIfNeeded();
    await button.hover();
    await page.mouse.down();
    await page.waitForFunction((part) => document.body.textContent.includes(part), body().slice(0, 30));
    await page.mouse.up();
    await page.waitForFunction((part) => !document.body.textContent.includes(part), body().slice(0, 30));
    await button.focus();
    await page.keyboard.down("Space");
    await page.waitForFunction((part) => document.body.textContent.includes(part), body().slice(0, 30));
    await page.keyboard.up("Space");
    await page.waitForFunction((part) => !document.body.textContent.includes(part), body().slice(0, 30));
  });

  it("stays blurred on every view with the switch, and is shown again without it", async () => {
    await openView(page, made.html, link("review", data.decisions[0]!.id));
    await page.getByLabel("Blur content").check();
    expect(await inDom(body())).toBe(false);
    await go(link("review", data.decisions[1]!.id));
    expect(await inDom(data.decisions[1]!.body!.text!)).toBe(false);
    await page.getByLabel("Blur content").uncheck();
    expect(await inDom(data.decisions[1]!.body!.text!)).toBe(true);
    await go("#/review");
    expect(await inDom((data.decisions[0]!.title ?? data.decisions[0]!.body)!.text!)).toBe(true);
    await page.getByLabel("Blur content").check();
    expect(await inDom((data.decisions[0]!.title ?? data.decisions[0]!.body)!.text!)).toBe(false);
  });

  it("of precedents is hidden like that of decisions, and revealed by their own button", async () => {
    const decision = data.decisions.find((one) => one.precedents.places.length > 0)!;
    const text = data.precedents[decision.precedents.places[0]!]!.text.text!.slice(0, 30);
    await openView(page, made.html, link("review", decision.id));
    await page.getByLabel("Blur content").check();
    const section = page.locator("[aria-labelledby=decision-precedents]");
    await section.locator("summary").first().click();
    await section.locator("summary").nth(1).click();
    expect(await section.textContent()).not.toContain(text);
    await section.locator("button.hold").focus();
    await page.keyboard.down("Space");
    await page.waitForFunction((part) => document.body.textContent.includes(part), text);
    await page.keyboard.up("Space");
    await page.waitForFunction((part) => !document.body.textContent.includes(part), text);
  });

  it("does not stand in the file as it was written", () => {
    const html = readFileSync(made.html, "utf8");
    for (const { body } of data.decisions.slice(0, 50)) expect(html).not.toContain(body!.text!.slice(0, 40));
    for (const { text } of data.precedents) expect(html).not.toContain(text.text!.slice(0, 40));
  });
});
