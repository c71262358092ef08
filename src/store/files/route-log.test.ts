import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { all, failure, tempFile, tempFolder } from "./in-temp-folder.suite.js";
import { RouteLog, readRoutes } from "./log-files.js";

const line = (id: string) => `${JSON.stringify({ at: "2026-11-01T00:00:00Z", decision_id: id })}\n`;
const idsIn = async (path: string) => (await all(readRoutes(path))).map((route) => route.decision_id);

describe("the log of routes", () => {
  it("is made with its folder, and only grows", async () => {
    const path = join(tempFolder(), "gate", "routes.jsonl");
    for (const id of ["a", "b"]) {
      const log = new RouteLog(path);
      log.append(line(id));
      log.append("");
      await log.close();
    }
    expect(readFileSync(path, "utf8")).toBe(line("a") + line("b"));
  });

  it("begins a new line behind half a line and cuts nothing: another process may be writing it", async () => {
    const half = line("torn").slice(0, 20);
    const path = tempFile("routes.jsonl", line("a") + half);
    const log = new RouteLog(path);
    appendFileSync(path, line("torn").slice(20));
    log.append(line("b"));
    await log.close();
    expect(readFileSync(path, "utf8")).toBe(`${line("a")}${line("torn")}\n${line("b")}`);
    expect(await idsIn(path)).toEqual(["a", "torn", "b"]);
  });

  it("passes over what a crash left of a line", async () => {
    const path = tempFile("routes.jsonl", line("a") + line("torn").slice(0, 20));
    const log = new RouteLog(path);
    log.append(line("b"));
    log.append(line("c"));
    await log.close();
    expect(await idsIn(path)).toEqual(["a", "b", "c"]);
  });

  it("keeps every line of several processes that write at once whole", async () => {
    const path = join(tempFolder(), "routes.jsonl");
    // The same way of writing, in plain JavaScript: batches of whole lines, one write each, in append mode.
    const script = join(tempFolder(), "writer.mjs");
    writeFileSync(
      script,
      `import { openSync, writeSync } from "node:fs";
       const file = openSync(process.argv[2], "a+");
       for (let i = 0; i < 300; i++) {
         const lines = Array.from({ length: 40 }, (_, k) => JSON.stringify({ decision_id: process.argv[3] + "-" + (40 * i + k), pad: "x".repeat(k * 20) }));
         const bytes = Buffer.from(lines.join("\\n") + "\\n");
         if (writeSync(file, bytes) !== bytes.length) process.exit(9);
       }`,
    );
    const done = ["a", "b", "c"].map(
      (name) => new Promise((resolve) => spawn(process.execPath, [script, path, name]).on("close", resolve)),
    );
    let opened = 0;
    let over = false;
    const running = Promise.all(done).finally(() => {
      over = true;
    });
    // Opened again and again in the middle of their work: nothing of theirs may be lost by it.
    while (!over) {
      const log = new RouteLog(path);
      log.append(line(`own-${opened++}`));
      await log.close();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await running).toEqual([0, 0, 0]);
    const ids = await idsIn(path);
    expect(new Set(ids).size).toBe(3 * 12_000 + opened);
    expect(ids.length).toBe(3 * 12_000 + opened);
  });

  it("is begun anew under its name where it is deleted or moved away, and what is written is there", async () => {
    const path = join(tempFolder(), "routes.jsonl");
    const log = new RouteLog(path);
    log.append(line("a"));
    rmSync(path);
    log.append(line("b"));
    expect(readFileSync(path, "utf8")).toBe(line("b"));
    renameSync(path, `${path}.old`);
    log.append(line("c"));
    writeFileSync(`${path}.new`, line("d").slice(0, -1));
    renameSync(`${path}.new`, path);
    log.append(line("e"));
    await log.close();
    expect(readFileSync(`${path}.old`, "utf8")).toBe(line("b"));
    expect(await idsIn(path)).toEqual(["d", "e"]);
  });

  it("is not begun anew where its folder is gone: nothing is automated then", async () => {
    const folder = join(tempFolder(), "gate");
    const log = new RouteLog(join(folder, "routes.jsonl"));
    log.append(line("a"));
    rmSync(folder, { recursive: true });
    expect(await failure(() => log.append(line("b")))).toMatchObject({ code: "no_route_log" });
    await log.close();
  });

  it("says what is wrong where it cannot be written, and that nothing is automated then", async () => {
    const folder = await failure(() => new RouteLog(tempFolder()));
    expect(folder).toMatchObject({ code: "no_route_log" });
    expect(folder.message).toMatch(/is a folder.*nothing is automated without a line in the log/);
    // A device that is always full.
    const full = await failure(() => new RouteLog("/dev/full").append(line("a")));
    expect(full.message).toMatch(/no space left on the disk; nothing is automated/);
  });
});
