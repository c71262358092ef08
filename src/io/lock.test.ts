import { execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { BusyError } from "../core/errors.js";
import { acquireLock } from "./lock.js";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, linkSync: vi.fn(fs.linkSync) };
});

const folder = () => mkdtempSync(join(tmpdir(), "lock-"));

/** Takes the lock again and again; whoever has it makes a file that must not be there yet, and every third time dies as a holder. */
const WORKER = `
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { acquireLock } from "./io/lock.js";
const [path, crash] = process.argv.slice(2);
const until = Date.now() + 1500;
let held = 0, two = 0;
while (Date.now() < until) {
  let release;
  try { release = acquireLock(path, "x"); } catch (error) { if (error.name !== "BusyError") throw error; continue; }
  held++;
  try { closeSync(openSync(path + ".inside", "wx")); for (let i = 0; i < 5000; i++); rmSync(path + ".inside"); } catch { two++; }
  if (crash === "yes" && held % 3 === 0) {
    writeFileSync(path + process.pid, JSON.stringify({ pid: 2 ** 22 + 7, host: hostname(), started: null, token: process.pid + " " + held }));
    renameSync(path + process.pid, path);
  } else release();
}
console.log(JSON.stringify({ held, two }));
`;

/** The sources that a lock needs, for processes of their own. */
function compiled(): string {
  const to = folder();
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");
  const options = "--ignoreConfig --noCheck --module esnext --target es2022 --rootDir src --outDir".split(" ");
  execFileSync(process.execPath, [tsc, ...options, to, "src/io/lock.ts"], { cwd: root });
  writeFileSync(join(to, "package.json"), '{"type":"module"}');
  writeFileSync(join(to, "worker.js"), WORKER);
  return to;
}

function worker(code: string, ...args: string[]): Promise<{ held: number; two: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(code, "worker.js"), ...args]);
    let out = "";
    let err = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      err += data;
    });
    child.on("close", (status) => (status === 0 ? resolve(JSON.parse(out)) : reject(new Error(err))));
  });
}

describe("a lock", () => {
  it.each(["no", "yes"])(
    "has one holder at a time among processes in a tight loop; holders die: %s",
    async (crash) => {
      const code = compiled();
      const path = join(folder(), "lock");
      const seen = await Promise.all([1, 2, 3, 4].map(() => worker(code, path, crash)));
      expect(seen.reduce((sum, { held }) => sum + held, 0)).toBeGreaterThan(100);
      expect(seen.map(({ two }) => two)).toEqual([0, 0, 0, 0]);
    },
    20_000,
  );

  it("is refused to a second taker until it is released, and leaves nothing behind", () => {
    const path = join(folder(), "lock");
    const release = acquireLock(path, "the gate");
    expect(() => acquireLock(path, "the gate")).toThrow(/the gate: another process is writing it/);
    expect(readdirSync(dirname(path))).toEqual(["lock"]);
    release();
    acquireLock(path, "the gate")();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("that names nobody is one being written while it is young, and nobody's later", () => {
    const path = join(folder(), "lock");
    writeFileSync(path, "");
    expect(() => acquireLock(path, "x")).toThrow(BusyError);
    utimesSync(path, 1, 1);
    acquireLock(path, "x")();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("of a dead holder is taken over although the process that was about to do so died as well", () => {
    const path = join(folder(), "lock");
    const dead = (token: string) => JSON.stringify({ pid: 2 ** 22 + 7, host: hostname(), started: null, token });
    writeFileSync(path, dead("1"));
    vi.mocked(linkSync).mockImplementationOnce((_, claim) => {
      writeFileSync(claim, dead("2"));
      throw Object.assign(new Error("file exists"), { code: "EEXIST" });
    });
    acquireLock(path, "x")();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("of a dead holder is left to the process that took it over in the meantime", () => {
    const path = join(folder(), "lock");
    const holder = (pid: number) => JSON.stringify({ pid, host: hostname(), started: null });
    writeFileSync(path, holder(2 ** 22 + 7));
    // Between the reading of the dead lock and the claim on it another process removes it and takes the lock.
    vi.mocked(linkSync).mockImplementationOnce((from, claim) => {
      copyFileSync(from, claim);
      rmSync(path);
      writeFileSync(path, holder(process.ppid));
    });
    expect(() => acquireLock(path, "x")).toThrow(new RegExp(`process ${process.ppid}`));
    expect(readFileSync(path, "utf8")).toBe(holder(process.ppid));
    expect(readdirSync(dirname(path))).toEqual(["lock"]);
  });

  it("works on a file system without links", () => {
    const path = join(folder(), "lock");
    vi.mocked(linkSync).mockImplementationOnce(() => {
      throw Object.assign(new Error("not supported"), { code: "EPERM" });
    });
    const release = acquireLock(path, "x");
    expect(() => acquireLock(path, "x")).toThrow(BusyError);
    release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("is not released by a process that has lost it", () => {
    const path = join(folder(), "lock");
    const release = acquireLock(path, "x");
    writeFileSync(path, JSON.stringify({ pid: process.ppid, host: hostname(), started: null }));
    release();
    expect(readdirSync(dirname(path))).toEqual(["lock"]);
  });
});
