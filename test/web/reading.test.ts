import { describe, expect, it } from "vitest";
import { followHash, openView } from "../support/browser.js";
import { parseCsv } from "./csv.js";
import { demoPage } from "./demo-page.js";
import { unfold } from "./open-views.js";
import { download } from "./saved-files.js";
import { places } from "./views.js";

const demo = demoPage();

describe("the search of decisions", () => {
  const rows = () => demo.page.locator("main tbody tr").count();

  it("finds ids, contents and citations, whatever their case and accents, and stands in the address", async () => {
    const { id, body, audit } = demo.data.decisions.find((one) => /[áéíóúñ]\w/i.test(one.body?.text ?? ""))!;
    const word = body!.text!.match(/\p{L}*[áéíóúñ]\p{L}+/iu)![0];
    const plain = word
      .normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .toUpperCase();
    for (const search of [id.toUpperCase(), plain, `${plain} ${audit.citation!.rule_id}`]) {
      await openView(demo.page, demo.made.html, "#/review");
      const box = demo.page.getByLabel("Search decisions");
      expect(await box.getAttribute("placeholder")).toBe("ids, titles, contents, citations");
      await box.fill(search);
      await demo.page.waitForFunction(() => location.hash.includes("q="));
      expect(await demo.page.locator("main tbody td:first-child a:first-child").allInnerTexts(), search).toContain(id);
      expect(await rows(), search).toBeLessThan(50);
    }
  });
});

describe("the list of decisions", () => {
  it("is saved as the filters leave it, and what a spreadsheet would obey is guarded", async () => {
    const { community } = demo.data.report.communities[0]!;
    await openView(demo.page, demo.made.html, `#/review?community=${community}`);
    const wanted = demo.data.decisions.filter((one) => one.community === community);
    const { name, text } = await download(demo.page, () => demo.page.getByRole("button", { name: /^CSV of/ }).click());
    const [head, ...rows] = parseCsv(text);
    expect(name).toBe("decisions.csv");
    expect(rows.map(([id]) => id)).toEqual(wanted.map(({ id }) => id));
    expect(rows.map((row) => row[head!.indexOf("level")])).toEqual(wanted.map(({ audit }) => String(audit.level)));
    expect(head).toContain("text");
    for (const cell of rows.flat()) if (Number.isNaN(Number(cell))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    await demo.page.getByLabel("Blur content").check();
    const blurred = await download(demo.page, () => demo.page.getByRole("button", { name: /^CSV of/ }).click());
    await demo.page.getByLabel("Blur content").uncheck();
    expect(parseCsv(blurred.text)[0]).not.toContain("text");
  });

  it("is walked through with j and k, and opened with Enter", async () => {
    await openView(demo.page, demo.made.html, "#/review");
    const focused = () => demo.page.evaluate(() => document.activeElement?.textContent);
    for (const key of ["j", "j", "j", "k"]) await demo.page.keyboard.press(key);
    expect(await focused()).toBe(demo.data.decisions[1]!.id);
    await demo.page.keyboard.press("Enter");
    await demo.page.waitForFunction(() => /#\/review\/./.test(location.hash));
    // The address changes before the view does.
    await demo.page.locator("main h1", { hasText: demo.data.decisions[1]!.id }).waitFor();
  });
});

describe("paper", () => {
  const print = () => demo.page.emulateMedia({ media: "print" });
  const visible = (selector: string) =>
    demo.page.$$eval(selector, (all) =>
      all.filter((one) => one.getClientRects().length > 0).map((one) => (one as HTMLElement).innerText),
    );

  it("has nothing to operate, in any view", async () => {
    await print();
    for (const { name, hash } of places(demo.data)) {
      await followHash(demo.page, hash);
      expect(await visible("main :is(button, select, input)"), name).toEqual([]);
    }
  });

  it("says what was chosen, and how rows are sorted", async () => {
    const { community } = demo.data.report.communities[0]!;
    await openView(demo.page, demo.made.html, `#/review?community=${community}&q=R1&decisions.sort=-p_defensible`);
    await print();
    const told = (await visible("main .chosen")).join("; ");
    expect(told).toContain("Search decisions: “R1”");
    expect(told).toContain(`Community: ${community} (`);
    expect(await visible("main th[aria-sort=descending]")).toEqual([
      expect.stringMatching(/^P\(defensible\), raw\s*▾$/),
    ]);
    await openView(demo.page, demo.made.html, "#/trust/stability");
    await unfold(demo.page);
    await print();
    expect((await visible("#figure-stability-temperature-sweep .chosen")).join("; ")).toMatch(/^quantity: .+; score: /);
  });
});
