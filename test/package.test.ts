import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/cli.js";

const ROOT = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

describe("the package", () => {
  it("exports every room by its folder, with types", async () => {
    const entries = Object.entries(manifest.exports as Record<string, string | { types: string; default: string }>);
    expect(
      entries
        .map(([name]) => name.slice(2))
        .sort()
        .join(" "),
    ).toBe(
      " audit auditors calibration client domain experiments figures gate grounding ledger measures metrics package.json prompt reports server signals simulation stability stats workspace",
    );
    for (const [name, target] of entries) {
      if (typeof target === "string") continue;
      expect(existsSync(join(ROOT, target.types)), `${name}: ${target.types}`).toBe(true);
      const module = await import(join(ROOT, target.default));
      expect(Object.keys(module).length, name).toBeGreaterThan(0);
    }
  });

  it("has types that need no optional package, also where declarations of libraries are checked", () => {
    const folder = temporaryFolder();
    const modules = join(folder, "node_modules");
    const isFolderOrType = (path: string) => /\.d\.ts$/.test(path) || !/\.[a-z]+$/.test(path);
    cpSync(join(ROOT, "dist"), join(modules, "defensible", "dist"), { recursive: true, filter: isFolderOrType });
    cpSync(join(ROOT, "package.json"), join(modules, "defensible", "package.json"));
    for (const name of [...Object.keys(manifest.dependencies), "@types/node"]) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
    }
    const entries = Object.keys(manifest.exports).filter((name) => name !== "./package.json");
    const file = join(folder, "imports.mts");
    writeFileSync(file, entries.map((name) => `import "defensible${name.slice(1)}";\n`).join(""));
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2023", "--module", "nodenext"];
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, ...flags, "--types", "node", file], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stdout.split("\n").filter((line) => /^node_modules\/defensible|^imports/.test(line))).toEqual([]);
  });

  it("has a command", () => {
    expect(existsSync(join(ROOT, manifest.bin.defensible))).toBe(true);
    expect(readFileSync(join(ROOT, manifest.bin.defensible), "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
  });

  it("ships what it needs and no tests", () => {
    const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    const files: string[] = JSON.parse(output)[0].files.map((file: { path: string }) => file.path);
    for (const wanted of [
      "dist/cli/main.js",
      "dist/web/app.js",
      "dist/web/draw-files.js",
      "dist/web/LICENSES.txt",
      "examples/commons/decisions.jsonl",
      "examples/commons-hard/decisions.jsonl",
      "docs/formats.md",
      "LICENSE",
      "README.md",
    ]) {
      expect(files).toContain(wanted);
    }
    expect(files.filter((file) => /\.(test|suite)\.|^test\/|^src\//.test(file))).toEqual([]);
  });

  it("names the licence of everything that is inside its bundles", () => {
    const licenses = readFileSync(join(ROOT, "dist", "web", "LICENSES.txt"), "utf8");
    for (const name of ["react", "react-dom", "@observablehq/plot", "d3-scale", "linkedom"]) {
      expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|ISC)\\)$`, "m"));
    }
    expect(licenses).toContain("Permission is hereby granted, free of charge");
  });

  it("defends each runtime dependency, and names no registry in its lock file", () => {
    const defended = readFileSync(join(ROOT, "design", "dependencies.md"), "utf8");
    for (const name of Object.keys(manifest.dependencies)) expect(defended).toContain(`\`${name}\``);
    expect(readFileSync(join(ROOT, "package-lock.json"), "utf8")).not.toMatch(/"resolved"/);
  });
});
