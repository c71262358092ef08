import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CELLS } from "../../src/measures/metrics/tally.js";
import { launchBrowser, leaveBrowser, watchedContext } from "../support/browser.js";
import { expectSame, findExamples, SRC } from "../support/examples.js";
import { type GateCall, gateCalls, tallyCells } from "./pure-inputs.js";
import { bundleRooms } from "./pure-rooms.js";

type Rooms = Record<string, Record<string, (...args: unknown[]) => unknown>>;

let browser: Browser;
let page: Page;
const examples = findExamples();
/** What each example gives in the browser, and what it promises. */
let ran: { value: unknown; promise: unknown }[];

beforeAll(async () => {
  browser = await launchBrowser();
  const watched = await watchedContext(browser);
  page = await watched.newPage();
  await page.goto("about:blank");
  await page.addScriptTag({ content: await bundleRooms() });
  ran = await page.evaluate((all) => {
    const rooms = (window as unknown as { rooms: Rooms }).rooms;
    return all.map(({ file, code, promised }) => {
      const exported = rooms[file]!;
      const names = Object.keys(exported);
      const evaluate = (text: string) =>
        new Function(...names, `return (${text})`)(...names.map((name) => exported[name]));
      return { value: evaluate(code), promise: evaluate(promised) };
    });
  }, examples);
  expect(watched.faults).toEqual([]);
  expect(watched.requests).toEqual([]);
});

afterAll(leaveBrowser);

describe("the formula rooms run in a browser", () => {
  it("all of the examples in their doc blocks, of which there are many", () => {
    expect(ran.length).toBe(examples.length);
    expect(ran.length).toBeGreaterThanOrEqual(100);
  });

  it("keep every promise of the doc blocks there", () => {
    for (const [i, { code, decimals }] of examples.entries()) {
      try {
        expectSame(ran[i]!.value, ran[i]!.promise, decimals);
      } catch (cause) {
        throw new Error(`${code}: ${(cause as Error).message}`);
      }
    }
  });

  it("give the same values as in Node", async () => {
    const apart: { path: string; by: number }[] = [];
    for (const [i, { file, code }] of examples.entries()) {
      const exported = (await import(join(SRC, file))) as Record<string, unknown>;
      const names = Object.keys(exported);
      const value = new Function(...names, `return (${code})`)(...names.map((name) => exported[name]));
      apart.push(...differences(json(value), json(ran[i]!.value), code));
    }
    expect(apart.filter(({ by }) => by > 1e-12)).toEqual([]);
    // Engines may differ in the last bit of exp and log; nearly nothing depends on it.
    expect(apart.length).toBeLessThan(examples.length / 20);
  });
});

/** What is compared: run here and there with the same source. It sees the rooms by file, and gives text. */
const GATES = (rooms: Rooms, calls: readonly GateCall[]): string[] =>
  calls.map(({ cohorts, options }) => JSON.stringify(rooms["entry/gate.ts"]!.evaluateGate!(cohorts, options)));

const RATES = (rooms: Rooms, communities: readonly (readonly number[])[]): string[] => {
  const metrics = rooms["entry/metrics.ts"]!;
  const tallies = communities.map((cells, i) => ({
    ...(metrics.emptyTally!(`c${i}`) as object),
    cells: Float64Array.from(cells),
  }));
  return ["defensibilityIndex", "ambiguityIndex", "pureAmbiguity", "f1", "accuracy", "kappa"].map(
    (name) => `${name} ${JSON.stringify(metrics[name]!(tallies))}`,
  );
};

async function here(): Promise<Rooms> {
  const names = ["entry/gate.ts", "entry/metrics.ts"];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await import(join(SRC, name))])));
}

/** The same function over the same input in the browser. */
async function there<Input>(run: (rooms: Rooms, input: Input) => string[], input: Input): Promise<string[]> {
  return page.evaluate(`(${run.toString()})(window.rooms, ${JSON.stringify(input)})`);
}

/** As it is written into a file. */
function json(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** What is not the same to the last bit, and how far numbers are apart relative to their size; all else is infinitely far. */
function differences(a: unknown, b: unknown, path = ""): { path: string; by: number }[] {
  if (Object.is(a, b)) return [];
  if (typeof a === "number" && typeof b === "number") {
    return [{ path, by: Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b)) }];
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return [{ path, by: Infinity }];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) =>
    differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}/${key}`),
  );
}

/** Numbers of the gate that come from exp, log and fits: alike, where all others are the same to the last bit. */
const ROUNDED = /^\/(?:shrinkage|communities\/\d+\/(?:shrunk|certified)|.*\/cluster)\//;

describe("browser and Node agree", () => {
  it("on every mode of the gate, over thirty fleets", async () => {
    const calls = gateCalls(30);
    const results = GATES(await here(), calls).map((text) => JSON.parse(text));
    const others = (await there(GATES, calls)).map((text) => JSON.parse(text));
    const apart = results.flatMap((result, i) => differences(result, others[i]));
    expect(apart.filter(({ path }) => !ROUNDED.test(path))).toEqual([]);
    expect(apart.filter(({ by }) => by > 1e-6)).toEqual([]);
    expect(results.filter(({ fleet }) => fleet.passing > 0).length).toBeGreaterThan(5);
    expect(results.filter(({ fleet }) => fleet.passing === 0).length).toBeGreaterThan(0);
  });

  it("to the last bit on indices and on agreement", async () => {
    const cells = tallyCells(12, CELLS.length);
    const results = RATES(await here(), cells);
    expect(await there(RATES, cells)).toEqual(results);
    expect(results.join("\n")).toMatch(/defensibilityIndex .*"estimate":0\.\d+/);
  });
});
