import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { configSchema } from "../../src/core/config.js";
import { GraphileQueue, migrateQueue } from "../../src/queue/graphile-queue.js";
import { listen } from "../../src/server/serve.js";
import { Service } from "../../src/server/service.js";
import { makePages, startWorker } from "../../src/server/worker.js";
import { createLogin } from "../../src/store/postgres/access.js";
import { fileAppeal } from "../../src/store/postgres/appeals.js";
import { testDatabase } from "../../src/store/postgres/database.suite.js";
import { createWorkspace } from "../../src/store/postgres/live.js";
import { vaultOf } from "../../src/store/postgres/secrets.js";
import { launchBrowser, leaveBrowser, type WatchedContext, watchedContext } from "../support/browser.js";
import { disguises, domText, expectNoHarm } from "./no-harm.js";
import { NAME_PAYLOADS, PAYLOADS } from "./payloads.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WORKSPACE = "bench";
/** Elements of the workbench with addresses of its own. */
const OWN = "head > link, body > script, a[href='/v1/report']";
const HOSTILE = PAYLOADS.filter((text) => text.length < 1000).slice(0, 24);
const PLAIN = 12;
const VIEWS = [
  "live",
  "queues",
  "case",
  "appeals",
  "gates",
  "risk",
  "reviewers",
  "activity",
  "keys",
  "jobs",
  "settings",
];
const REPORT = ["overview", "review", "rules", "automation", "trust", "method"];

const { database, folder } = await testDatabase();
await migrateQueue(database);
const service = new Service({
  database,
  queue: new GraphileQueue(database),
  vault: vaultOf("a secret for tests that is long enough"),
  cache: folder,
});
const { app, address } = await listen(service, { host: "127.0.0.1", port: 0 });
const worker = await startWorker(service, { pollMs: 50, concurrency: 4 });

let browser: Browser;
let ann: Person;
let bob: Person;

interface Person {
  watched: WatchedContext;
  page: Page;
}

async function person(name: string, role: string, options: Parameters<typeof watchedContext>[1] = {}): Promise<Person> {
  const watched = await watchedContext(browser, { ...options, server: address });
  const page = await watched.newPage();
  const token = await createLogin(database, { workspace: WORKSPACE, person: name, role });
  await page.goto(`${address}/sign-in?token=${token}`);
  await page.click(".live-sign-in button");
  // The page of the sign-in has a heading too.
  await page.waitForSelector(".live-menu", { state: "attached" });
  await page.waitForSelector("main h1");
  return { watched, page };
}

async function view(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    window.location.hash = to;
  }, `#/${hash}`);
  await page.waitForFunction(
    (to) => document.querySelector(`.live-menu a[href="#/${to}"][aria-current]`) !== null,
    hash.split(/[/?]/)[0],
  );
  await page.waitForFunction(() => document.querySelector("main h1") !== null && !document.querySelector(".live-wait"));
}

const count = async (sql: string): Promise<number> => {
  const [row] = await database.rows<{ n: number }>(sql, [WORKSPACE]);
  return row!.n;
};

beforeAll(async () => {
  await createWorkspace(database, WORKSPACE, configSchema.parse({ version: 1, platform: "Test <b>platform</b>" }));
  const { imports } = await service.context(WORKSPACE);
  const rules = [{ id: "1", title: "No advertising", detail: "Posts that offer goods for sale are removed." }];
  await imports.addRules({ scope: "platform", version: "1", rules }, null);
  const hostile = HOSTILE.map((content, i) => ({
    ...{ id: `h${i}`, community: NAME_PAYLOADS[i]!, content, decision: "remove", rationale: content },
  }));
  const plain = Array.from({ length: PLAIN }, (_, i) => ({
    ...{ id: `p${i}`, community: "garden", content: `Selling mower number ${i}.`, decision: "remove" },
  }));
  const desk = await service.desk(WORKSPACE);
  await Promise.all([...hostile, ...plain].map((one) => desk.route(one)));
  const waiting = () =>
    count(
      "select count(*) as n from defensible.review_item where workspace_id = $1 and state = 'open' and hold_until is null",
    );
  await vi.waitFor(async () => expect(await waiting()).toBe(HOSTILE.length + PLAIN), {
    timeout: 60_000,
    interval: 200,
  });
  await makePages(service, () => {});
  browser = await launchBrowser();
  [ann, bob] = [await person("ann", "admin"), await person("bob", "reviewer")];
}, 180_000);

afterAll(async () => {
  await leaveBrowser();
  await worker.stop();
  await app.close();
});

describe("hostile content", () => {
  it("is shown as text in the case view and in every list, blurred until it is revealed", async () => {
    const { page, watched } = ann;
    const items = await database.rows<{ item_id: number; decision_id: string }>(
      "select item_id, decision_id from defensible.review_item where workspace_id = $1 and decision_id like 'h%' order by item_id",
      [WORKSPACE],
    );
    await view(page, `case/${items[0]!.item_id}`);
    await page.getByRole("heading", { name: `Case ${items[0]!.item_id}`, exact: true }).waitFor();
    expect(await page.locator(".veil").count()).toBeGreaterThan(0);
    await page.getByLabel("Blur content").uncheck();
    const found: string[] = [];
    for (const { item_id } of items) {
      await view(page, `case/${item_id}`);
      await page.getByRole("heading", { name: `Case ${item_id}`, exact: true }).waitFor();
      found.push(await domText(page));
      expect(await disguises(page)).toEqual([]);
      await expectNoHarm(page, watched, 1, `case ${item_id}`, OWN);
    }
    const readable = (payload: string) =>
      (payload.match(/[\x21-\x7e]+(?: [\x21-\x7e]+)*/g) ?? []).sort((a, b) => b.length - a.length)[0]?.slice(0, 60) ??
      "";
    const all = found.join("\n");
    expect(HOSTILE.map(readable).filter((part) => !all.includes(part))).toEqual([]);
    for (const hash of [...VIEWS, ...REPORT]) {
      await view(page, hash);
      await expectNoHarm(page, watched, 1, hash, OWN);
      expect(await disguises(page), hash).toEqual([]);
    }
  }, 120_000);
});

describe("two people at once", () => {
  it("never get the same case, and together answer all of them, by keys alone", async () => {
    const waiting = () =>
      count(
        "select count(*) as n from defensible.review_item where workspace_id = $1 and state <> 'done' and gold_level is null",
      );
    const all = await waiting();
    const work = async ({ page }: Person): Promise<number[]> => {
      const done: number[] = [];
      await view(page, "case");
      const next = page.getByRole("button", { name: "Review the next case" });
      await next.and(page.locator(":enabled")).waitFor();
      await next.focus();
      await page.keyboard.press("Enter");
      for (;;) {
        await page.waitForFunction((last) => {
          const head = document.querySelector("main h1")?.textContent ?? "";
          const nothing = document.querySelector(".live-empty")?.textContent?.startsWith("Nothing waits") ?? false;
          return head === "Case" ? nothing : head !== `Case ${last}`;
        }, done.at(-1) ?? -1);
        const id = Number((await page.locator("main h1").textContent())!.replace("Case", ""));
        if (id === 0) return done;
        await page.locator(".case-answer").waitFor();
        await page.keyboard.press("Space");
        await page.keyboard.press(String(1 + (id % 3)));
        await page.keyboard.press("i");
        await page.keyboard.press("Control+Enter");
        done.push(id);
      }
    };
    const [first, second] = await Promise.all([work(ann), work(bob)]);
    expect(first.length).toBeGreaterThan(0);
    expect(second.length).toBeGreaterThan(0);
    expect(first.filter((id) => second.includes(id))).toEqual([]);
    expect(first.length + second.length).toBe(all);
    expect(await waiting()).toBe(0);
    expect(
      await count("select count(*) as n from defensible.review where workspace_id = $1 and gold_level is null"),
    ).toBe(all);
    expect([ann.watched.faults, bob.watched.faults]).toEqual([[], []]);
  }, 180_000);

  it("see each other's changes: the kill switch, and a case that another holds", async () => {
    await view(ann.page, "gates");
    await view(bob.page, "live");
    await ann.page.getByRole("button", { name: "Close all gates" }).click();
    await ann.page.getByLabel("Why must automation stop?").fill("A drill <img src=x onerror=alert(1)>");
    await ann.page.keyboard.press("Enter");
    await bob.page.getByText("All gates are closed.").waitFor({ timeout: 30_000 });
    await expectNoHarm(bob.page, bob.watched, 1, "closed", OWN);
    await ann.page.getByRole("button", { name: "Open the gates" }).click();
    await ann.page.getByLabel("Why is it safe to automate again?").fill("The drill is over");
    await ann.page.keyboard.press("Enter");
    await bob.page.getByText("All gates are closed.").waitFor({ state: "hidden", timeout: 30_000 });

    const desk = await service.desk(WORKSPACE);
    await desk.route({ id: "late", community: "garden", content: "A late post", decision: "remove" });
    await database.rows(
      "update defensible.review_item set hold_until = null where workspace_id = $1 and decision_id = 'late'",
      [WORKSPACE],
    );
    await view(ann.page, "queues");
    await ann.page.getByRole("button", { name: "Review the next case" }).click();
    await ann.page.locator(".case-answer").waitFor();
    const id = (await ann.page.locator("main h1").textContent())!.replace("Case ", "");
    await view(bob.page, `case/${id}`);
    await bob.page.getByText("Claimed by ann").waitFor();
    expect(await bob.page.locator(".case-answer").count()).toBe(0);
    // The claim runs out, the other takes the case, and the first cannot answer it any more.
    await database.rows(
      "update defensible.review_item set claim_until = now() - interval '1 s' where workspace_id = $1 and item_id = $2",
      [WORKSPACE, Number(id)],
    );
    await bob.page.getByRole("button", { name: "Claim this case" }).click({ timeout: 45_000 });
    await bob.page.locator(".case-answer").waitFor();
    await ann.page.locator("h1").click();
    await ann.page.keyboard.press("1");
    if ((await ann.page.locator(".case-answer").count()) > 0) await ann.page.keyboard.press("Control+Enter");
    await ann.page
      .getByText(/The claim has run out|Claimed by bob/)
      .first()
      .waitFor();
    await bob.page.locator("h1").click();
    // An outcome that was chosen stays with any level, and blurred content is not labelled.
    const said = bob.page.locator(".case-answer [role=alert]").first();
    await bob.page.keyboard.press("d");
    await bob.page.keyboard.press("2");
    expect(await bob.page.getByRole("radio", { name: "Overturned" }).isChecked()).toBe(true);
    await bob.page.keyboard.press("Control+Enter");
    expect(await said.textContent()).toContain("still blurred. Hold the space bar");
    await bob.page.keyboard.press("Space");
    expect(await said.textContent()).toContain("Name the rule that speaks against it, or write a note.");
    // An upheld decision that no rule supports: it is said at once, and not sent.
    await bob.page.keyboard.press("f");
    await bob.page.keyboard.press("3");
    expect(await said.textContent()).toContain("contradict each other");
    await bob.page.keyboard.press("Control+Enter");
    expect(await said.textContent()).toContain("contradict each other");
    await bob.page.keyboard.press("2");
    await bob.page.keyboard.press("Control+Enter");
    await bob.page.getByText(`Case ${id}: upheld`).waitFor();
    await bob.page.getByRole("link", { name: "Undo" }).click();
    await bob.page.getByRole("heading", { name: "Change your answer" }).waitFor();
    await bob.page.locator("h1").click();
    await bob.page.keyboard.press("3");
    await bob.page.keyboard.press("Control+Enter");
    await bob.page.getByRole("heading", { name: "Your answer: overturned" }).waitFor();
    const kept = await database.rows<{ outcome: string; replaces: number | null; saw_audit: boolean }>(
      "select outcome, replaces is not null as replaces, saw_audit from defensible.review where workspace_id = $1 and item_id = $2 order by review_id",
      [WORKSPACE, Number(id)],
    );
    expect(kept).toEqual([
      { outcome: "uphold", replaces: false, saw_audit: false },
      { outcome: "overturn", replaces: true, saw_audit: false },
    ]);
  }, 180_000);
});

describe("appeals", () => {
  it("are in one list: those that were filed, and cases whose decision came with one", async () => {
    const desk = await service.desk(WORKSPACE);
    const appeal = { filed_at: "2026-11-01T00:00:00Z", text: "It was a gift. <img src=x onerror=alert(1)>" };
    await desk.route({ id: "appealed", community: "garden", content: "A post", decision: "remove", appeal });
    // Its audit routes it again.
    const free = "workspace_id = $1 and decision_id = 'appealed' and state = 'open' and hold_until is null";
    await vi.waitFor(
      async () => expect(await count(`select count(*) as n from defensible.review_item where ${free}`)).toBe(1),
      { timeout: 60_000, interval: 200 },
    );
    const [{ item_id: id }] = (await database.rows(`select item_id from defensible.review_item where ${free}`, [
      WORKSPACE,
    ])) as [{ item_id: number }];
    const { appeal_id: filed } = await fileAppeal(database, WORKSPACE, {
      ...{ decisionId: "p0", community: "garden", filedAt: "2020-01-01T00:00:00Z", filedBy: null, filer: "cyd" },
      text: "Why?",
    });
    await view(bob.page, "appeals");
    const rows = bob.page.locator("tbody").first().locator("tr td:first-child");
    await bob.page.getByRole("link", { name: `Open case ${id}` }).waitFor();
    expect(await rows.allTextContents()).toEqual([`Appeal ${filed}`, `Case ${id}`]);
    await bob.page.getByRole("link", { name: `Open case ${id}` }).click();
    await bob.page.getByRole("button", { name: "Claim this case" }).waitFor();
    await bob.page.locator(".case-facts").getByText("Under appeal").waitFor();
    await bob.page.getByRole("heading", { name: "Appeal that came with the decision" }).waitFor();
    await expectNoHarm(bob.page, bob.watched, 1, "appealed", OWN);
    await view(bob.page, "queues");
    await bob.page.getByRole("cell", { name: "Under appeal" }).waitFor();
    await database.rows(
      "update defensible.review_item set state = 'withdrawn' where workspace_id = $1 and decision_id = 'appealed'",
      [WORKSPACE],
    );
  });
});

describe("every view", () => {
  const serious = async (page: Page) => {
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: {
          run(
            root: Document,
            options: object,
          ): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }>;
        };
      };
      for (const row of document.querySelectorAll("tbody tr:nth-child(n + 9)")) (row as HTMLElement).hidden = true;
      return (await axe.run(document, { resultTypes: ["violations"] })).violations;
    });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ target }) => target.join(" "))
            .join(", ")}`,
      );
  };
  const openCase = async () => {
    const desk = await service.desk(WORKSPACE);
    await desk.route({ id: `open ${Date.now()}`, community: "garden", content: "One more post", decision: "remove" });
    await database.rows("update defensible.review_item set hold_until = null where workspace_id = $1", [WORKSPACE]);
  };

  it.each(["light", "dark"] as const)(
    "has nothing that axe-core calls serious, %s",
    async (colorScheme) => {
      const { page } = await person(`axe ${colorScheme}`, "admin", { colorScheme, bypassCSP: true });
      await page.addScriptTag({ content: AXE });
      const found: Record<string, string[]> = {};
      for (const hash of VIEWS) {
        await view(page, hash);
        const violations = await serious(page);
        if (violations.length > 0) found[hash] = violations;
      }
      await openCase();
      await view(page, "queues");
      await page.getByRole("button", { name: "Review the next case" }).click();
      await page.locator(".case-answer").waitFor();
      await page.keyboard.press("?");
      const inCase = await serious(page);
      expect({ ...found, ...(inCase.length > 0 ? { case: inCase } : {}) }).toEqual({});
      await page.context().close();
    },
    90_000,
  );

  it("scrolls sideways on no screen of 390 pixels, and begins at its top", async () => {
    const { page, watched } = await person("phone", "admin", { viewport: { width: 390, height: 800 } });
    const wide: Record<string, number> = {};
    const low: Record<string, number> = {};
    const topOf = async (what: string) => Math.round((await page.locator(what).first().boundingBox())!.y);
    await openCase();
    for (const hash of [...VIEWS, ...REPORT]) {
      await view(page, hash);
      await page.evaluate(() => scrollTo(0, 0));
      const top = await topOf("main");
      if (top > 160) low[hash] = top;
      if (hash === "case") {
        await page.getByRole("button", { name: "Review the next case" }).click();
        await page.locator(".case-answer").waitFor();
        // What is to be answered begins after a screen or so, however long the rules are.
        await page.evaluate(() => scrollTo(0, 0));
        const answer = await topOf(".case-answer");
        if (answer > 1000) low.answer = answer;
      }
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 390) wide[hash] = width;
    }
    expect([wide, low]).toEqual([{}, {}]);
    expect([watched.faults, watched.requests]).toEqual([[], []]);
    await page.context().close();
  }, 180_000);

  it("is in the menu only for roles that may use it, and signing out ends the session", async () => {
    const { page } = await person("vic", "viewer");
    const menu = await page.locator(".live-menu a").allTextContents();
    expect(menu).toContain("Overview");
    for (const hidden of ["Case", "Keys", "Activity", "Reviewers"]) expect(menu).not.toContain(hidden);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.reload();
    await page
      .getByLabel("One-time token")
      .fill(await createLogin(database, { workspace: WORKSPACE, person: "vic", role: "viewer" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Live", exact: true }).waitFor();
    await page.context().close();
  });
});
