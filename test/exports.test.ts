import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf } from "./support/imports-of.js";

const ROOT = join(import.meta.dirname, "..");
const OWN = ["src", "web", "scripts"];
const OTHERS = ["test", "bench"];

/** Values, not types, that a file exports and no other file of these imports or passes on. Files by path. */
function unused(files: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, string[]>();
  for (const [path, code] of files) {
    for (const target of importsOf(code).filter((one) => one.startsWith("."))) {
      const at = join(dirname(path), target);
      const file = [at, at.replace(/\.js$/, ".ts"), at.replace(/\.js$/, ".tsx")].find((one) => files.has(one));
      if (file === undefined) continue;
      const all = code.includes(`export * from "${target}"`);
      importers.set(file, [...(importers.get(file) ?? []), all ? files.get(file)! : code]);
    }
  }
  return [...files].flatMap(([path, code]) =>
    [...code.matchAll(/^export (?:async )?(?:function\*?|const|let|class|enum) (\w+)/gm)]
      .map(([, name]) => name!)
      .filter((name) => !(importers.get(path) ?? []).some((other) => new RegExp(`\\b${name}\\b`).test(other)))
      .map((name) => `${path} ${name}`),
  );
}

function read(folder: string): [string, string][] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
    .map((name) => [join(folder, name), readFileSync(join(ROOT, folder, name), "utf8")]);
}

describe("what a file exports", () => {
  it("is missed by this test neither in its own file alone nor under a name that is only spoken of", () => {
    const files = new Map([
      [
        "a.ts",
        "export const used = 1;\nexport function mine() {}\nexport const spoken = mine;\nexport type Left = 1;\n",
      ],
      ["b/c.tsx", 'import {\n  used,\n} from "../a.js";\nexport class Lazy {}\n'],
      ["d.mjs", 'const { Lazy } = await import("./b/c.js");\n// spoken\n'],
      ["e.ts", "export let passed = 1;\n"],
      ["index.ts", 'export * from "./e.js";\n'],
    ]);
    expect(unused(files)).toEqual(["a.ts mine", "a.ts spoken"]);
  });

  it("is imported by another file", () => {
    const found = unused(new Map([...OWN, ...OTHERS].flatMap(read)));
    const notation = readFileSync(join(ROOT, "docs", "notation.md"), "utf8");
    const wrong = found.filter((one) => {
      const [path, name] = one.split(" ") as [string, string];
      return OWN.includes(path.split("/")[0]!) && !notation.includes(`\`${path}\` \`${name}\``);
    });
    expect(wrong).toEqual([]);
  });
});
