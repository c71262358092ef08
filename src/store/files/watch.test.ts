import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { watchStreams } from "../../measures/gate/drift/watch-streams.js";
import type { StoredWatch } from "../records/gate-event.js";
import { readWatch, writeWatch } from "./gate-files.js";
import type { Workspace } from "./workspace.js";

const gate = join(mkdtempSync(join(tmpdir(), "watch-store-")), "gate");
mkdirSync(gate);
const workspace = { paths: { gate } } as Workspace;
const path = join(gate, "watch.json");

function stored(): StoredWatch {
  const rows = ["a", "b"].flatMap((key) =>
    Array.from({ length: 60 }, (_, i) => ({
      key,
      time: i % 7 === 0 ? null : i,
      decided: i % 7 !== 0,
      x_indefensible: key === "a" ? 1 : 0,
      x_ambiguous: 0,
      version: `v${i % 3}`,
    })),
  );
  const { state } = watchStreams(rows, { p0: { indefensible: 0.1, ambiguous: 0.15 }, fleet: 8 });
  return { format: 1, by: ["community"], variable: "ai", runs: ["r1"], met: [], watch: state };
}

describe("the state of a watch", () => {
  it("is read as it was written, byte by byte", () => {
    expect(readWatch(workspace)).toBeNull();
    const watch = stored();
    expect(watch.watch.keys.map(({ suspended }) => suspended !== null)).toEqual([true, false]);
    writeWatch(workspace, watch);
    const text = readFileSync(path, "utf8");
    writeWatch(workspace, readWatch(workspace)!);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  const damages: [string, (watch: StoredWatch["watch"]) => unknown][] = [
    ["no keys", (watch) => ({ ...watch, keys: null })],
    ["no settings", ({ keys }) => ({ keys })],
    ["a key alone", (watch) => ({ ...watch, keys: [{ key: "a" }] })],
    ["statistics emptied", (watch) => ({ ...watch, keys: watch.keys.map((key) => ({ ...key, m: [] })) })],
    [
      "a statistic below zero",
      (watch) => ({ ...watch, keys: [{ ...watch.keys[0]!, m: watch.keys[0]!.m.map(() => -1e9) }] }),
    ],
    [
      "a statistic that is no number",
      (watch) => ({ ...watch, keys: [{ ...watch.keys[0]!, m: watch.keys[0]!.m.map(() => null) }] }),
    ],
    ["a key twice", (watch) => ({ ...watch, keys: [watch.keys[0], watch.keys[0]] })],
    ["a suspension of no time", (watch) => ({ ...watch, keys: [{ ...watch.keys[0]!, suspended: {} }] })],
    ["no rates", (watch) => ({ ...watch, settings: { ...watch.settings, p0: {} } })],
  ];
  it.each(damages)("is refused when it is damaged, and the remedy is one: %s", (_, damage) => {
    const watch = stored();
    writeFileSync(path, JSON.stringify({ ...watch, watch: damage(watch.watch) }));
    expect(() => readWatch(workspace)).toThrow(InputError);
    expect(() => readWatch(workspace)).toThrow(/watch\.json: not the state of a watch/);
    try {
      readWatch(workspace);
    } catch (error) {
      expect((error as InputError).remedy).toMatch(/delete it: the next `defensible gate watch`/);
    }
  });
});
