import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { embeddedDatabase } from "./embedded.js";

const folder = mkdtempSync(join(tmpdir(), "embedded-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isRunning = (pid: number) => spawnSync("kill", ["-0", String(pid)]).status === 0;

describe("a server of our own", () => {
  it("is stopped by the process that started it, or by the one that adopts it after that was killed", async () => {
    const started = await embeddedDatabase(folder, { sync: false });
    const { pid } = started;
    const guest = await embeddedDatabase(folder);
    expect([guest.started, guest.pid]).toEqual([false, pid]);
    await guest.stop();
    expect(isRunning(pid)).toBe(true);
    // Its process is gone.
    writeFileSync(join(folder, "owner.pid"), String(spawnSync("true").pid));
    const heir = await embeddedDatabase(folder);
    expect([heir.started, heir.pid]).toEqual([false, pid]);
    await (await embeddedDatabase(folder)).stop();
    expect(isRunning(pid)).toBe(true);
    await heir.stop();
    expect(isRunning(pid)).toBe(false);
    await started.stop();
  }, 60_000);
});
