import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf } from "./support/imports-of.js";
import { isPure, READS_REGISTRY, ROOMS, roomOf } from "./support/rooms.js";

const PURE_PACKAGES = ["zod", "pure-rand"];

const SRC = join(import.meta.dirname, "..", "src");
const WEB = join(import.meta.dirname, "..", "web");
const WEB_PACKAGES = [
  "react",
  "react/jsx-runtime",
  "react-dom/client",
  "@observablehq/plot",
  "linkedom",
  "virtual:notation",
];

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|suite)\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

describe("layers", () => {
  const files = sourceFiles(SRC).map((file) => ({ name: relative(SRC, file), file, code: readFileSync(file, "utf8") }));

  it("finds every form of import", () => {
    const code = `import a from "./a.js";\nimport { b,\n c } from '../b.js';\nimport "./c.js";\nexport * from "./d.js";\nconst e = await import("./e.js");\n// import "./no.js"\n`;
    expect(importsOf(code)).toEqual(["./a.js", "../b.js", "./c.js", "./d.js", "./e.js"]);
  });

  it("knows every room", () => {
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((folder) => folder.name).sort()).toEqual([...ROOMS].sort());
  });

  it("lets a room import only from rooms before it", () => {
    const wrong: string[] = [];
    for (const { name, file, code } of files) {
      const room = roomOf(name);
      if (!ROOMS.includes(room)) continue;
      for (const target of importsOf(code).filter((path) => path.startsWith("."))) {
        const resolved = relative(SRC, join(dirname(file), target)).replace(/\.js$/, ".ts");
        const other = roomOf(resolved);
        if (other === room) continue;
        if (resolved.startsWith("../data/") && resolved.endsWith(".json") && existsSync(join(SRC, resolved))) continue;
        if (resolved === "experiments/registry.ts" && READS_REGISTRY.includes(name)) continue;
        if (!(ROOMS.indexOf(other) >= 0 && ROOMS.indexOf(other) < ROOMS.indexOf(room)))
          wrong.push(`${name} imports ${resolved}`);
        if (!existsSync(join(SRC, resolved))) wrong.push(`${name} imports ${resolved}, which does not exist`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("keeps the rooms of formulas pure", () => {
    const wrong: string[] = [];
    for (const { name, code } of files) {
      if (!isPure(name)) continue;
      for (const target of importsOf(code)) {
        const foreign = !target.startsWith(".") && !PURE_PACKAGES.includes(target.split("/")[0]!);
        if (foreign) wrong.push(`${name} imports ${target}`);
      }
      const bare = code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");
      for (const forbidden of ["Math.random", "Date.now", "new Date()", "performance.now", "process.", "Buffer."]) {
        if (bare.includes(forbidden)) wrong.push(`${name} uses ${forbidden}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("keeps the evidence free of I/O: hashes and signatures are all it takes from Node", () => {
    const evidence = files.filter(({ name }) => name.startsWith("evidence/"));
    const foreign = evidence.flatMap(({ name, code }) =>
      importsOf(code)
        .filter((target) => !target.startsWith(".") && !["zod", "node:crypto"].includes(target))
        .map((target) => `${name} imports ${target}`),
    );
    expect(evidence.length).toBeGreaterThan(4);
    expect(foreign).toEqual([]);
  });

  it("lets the application import from the rooms of formulas alone, so that it runs in any browser", () => {
    const wrong: string[] = [];
    const application = sourceFiles(WEB);
    for (const file of application) {
      for (const target of importsOf(readFileSync(file, "utf8"))) {
        const resolved = relative(SRC, join(dirname(file), target));
        const inside = target.startsWith(".") && (resolved.startsWith("../web/") || isPure(resolved));
        if (!inside && !WEB_PACKAGES.includes(target)) wrong.push(`${relative(WEB, file)} imports ${target}`);
      }
    }
    expect(application.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  it("opens the stores of a workspace in one place", () => {
    const opening = files.filter(({ code }) => /new FileLedger\(|(?<!function )\bopenResponseCache\(/.test(code));
    expect(opening.map(({ name }) => name)).toEqual(["store/files/stores.ts"]);
  });

  it("loads providers, tokenizers and the database only when they are used", () => {
    const wrong: string[] = [];
    for (const { name, code } of files) {
      for (const match of code.matchAll(
        /^import (?!type)[^;]*from ["'](@duckdb\/[^"']+|openai|undici|@google\/genai|node-llama-cpp|gpt-tokenizer[^"']*)["']/gm,
      )) {
        wrong.push(`${name} imports ${match[1]} at its top`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
