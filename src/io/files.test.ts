import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { writeFileAtomic } from "./files.js";

const disk = vi.hoisted(() => ({ atOnce: Number.POSITIVE_INFINITY, room: Number.POSITIVE_INFINITY }));

/** A disk that takes what it has room for, as write(2) does: less than it was given, and an error only when it is full. */
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return {
    ...fs,
    writeSync: (file: number, data: string | Uint8Array, from = 0) => {
      const bytes = Buffer.from(data as Uint8Array).subarray(from);
      const length = Math.min(bytes.length, disk.atOnce, disk.room);
      if (length === 0 && bytes.length > 0) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
      disk.room -= length;
      return fs.writeSync(file, bytes, 0, length);
    },
  };
});

describe("a file that is written whole or not at all", () => {
  const folder = mkdtempSync(join(tmpdir(), "files-"));
  const path = join(folder, "report.html");
  const text = "größer ".repeat(1_000);

  beforeEach(() => Object.assign(disk, { atOnce: Number.POSITIVE_INFINITY, room: Number.POSITIVE_INFINITY }));

  it("is whole where the system takes it in parts", () => {
    disk.atOnce = 1_001;
    writeFileAtomic(path, text);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("stays as it was where the disk fills up on the way, and nothing is left beside it", () => {
    writeFileSync(path, "old");
    disk.room = 500;
    expect(() => writeFileAtomic(path, text)).toThrow("no space left on the disk");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["report.html"]);
  });
});
