import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf } from "./support/imports-of.js";

const ROOT = join(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

const FILES = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|suite)\.tsx?$/.test(name))
  .sort()
  .map((name) => ({ name, code: bare(readFileSync(join(SRC, name), "utf8")) }));

/** Code without its comments. */
function bare(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

/** Nothing is left when what is imported and passed on is taken away. */
const onlyPassesOn = (code: string) => code.replace(/^\s*(?:export|import)\b[^;]* from "[^"]+";/gm, "").trim() === "";

/** Files of which more than types are imported when a file is loaded. */
const valueImports = (code: string) =>
  [...code.matchAll(/^(?:import|export)\s+(?!type\b)([^;"]*?)\s*from\s*"(\.[^"]+)";/gm)]
    .filter(([, names]) => !/^\{(?:\s*type\s+[^,}]+,?)*\s*\}$/.test(names!.trim()))
    .map(([, , target]) => target!);

const named = (test: (file: { name: string; code: string }) => boolean) => FILES.filter(test).map(({ name }) => name);
const inRooms = (rooms: readonly string[]) => (name: string) => rooms.some((room) => name.startsWith(`${room}/`));

/** Files that may read or write files: their rooms, and auditors that are a file or take one. */
const READS_FILES = inRooms([
  "io",
  "store",
  "analysis",
  "cli",
  "server",
  "auditors/answers",
  "auditors/gguf",
  "auditors/recorded",
  "auditors/simulated",
  "auditors/openai",
]);

/** Reasons of what is undefined, of rejected rows and of refused answers, and parts of error messages. May only fall. */
const SENTENCES = 30;
/** Sentences that views of the page still have in their elements. */
const PAGE_SENTENCES = 58;

/** Flags of ours, and of other programs, in stores, analyses and I/O. May only fall. */
const FLAGS = 43;

const SQL =
  /\b(SELECT\s+[\s\S]{0,200}?\bFROM\b|CREATE\s+(OR REPLACE\s+)?(TEMP\s+)?(TABLE|VIEW)|INSERT INTO|COPY \(|DELETE FROM)/;

describe("the house", () => {
  it("keeps the terminal, flags and exit codes out of the application", () => {
    const terminal = /process\.(stdout|stderr|stdin|exitCode|exit\b|argv)|\bconsole\.|from "commander"/;
    expect(named(({ name, code }) => name.startsWith("app/") && terminal.test(code))).toEqual([]);
  });

  it("takes time and ids from the context in the application", () => {
    const secrets = [
      // The key that says which decisions are reviewed at random: no one may be able to make it again.
      "app/gate/activate-gate.ts",
      "app/route/gate.ts",
      // Salts of the chain, so that an entry says nothing about what it stands for.
      "app/evidence/seal.ts",
    ];
    const own = /new Date\(\)|Date\.now|randomBytes|randomUUID|process\.env/;
    expect(named(({ name, code }) => name.startsWith("app/") && own.test(code)).sort()).toEqual(secrets.sort());
  });

  it("names flags in no remedy outside of the command line", () => {
    // A flag, and no `--depth === 0`.
    const flag = /[`"'( ]--(?:\$\{|[a-z][a-z-]+(?![a-z-]| [=>]))/g;
    const found = FILES.flatMap(({ name, code }) => (code.match(flag) ?? []).map((match) => `${name}: ${match}`));
    expect(found.filter((one) => inRooms(["app", "audit", "auditors"])(one))).toEqual([]);
    const others = found.filter((one) => inRooms(["store", "analysis", "io"])(one));
    expect(others.length <= FLAGS ? "fell" : others).toBe("fell");
  });

  it("says what happened in codes: no note, warning or notice is worded in the application", () => {
    const said = /\b(notes?|warnings?|notices?|say|tell|remarks?)(\.push)?\(\s*["'`]/i;
    expect(named(({ name, code }) => name.startsWith("app/") && said.test(code))).toEqual([]);
  });

  it("has no more sentences outside of errors in the application than it had", () => {
    // Words that are looked for in what others wrote.
    const vocabulary = /^app\/import\/(foreign-words|guess-columns|sample-columns)\.ts$/;
    const errors = /(?:new \w*(?:Error|Refusal|Problem)|bad)\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/g;
    const left = FILES.filter(({ name }) => name.startsWith("app/") && !vocabulary.test(name)).flatMap(
      ({ name, code }) =>
        [...code.replace(errors, "").matchAll(/(["`])((?:(?!\1)[^\n\\])*)\1/g)]
          .filter(([, , text]) => /[A-Za-z]{2,}(?: [A-Za-z]+){3,}/.test(text!.replace(/\$\{[^}]*\}/g, "X")))
          .map(([, , text]) => `${name}: ${text}`),
    );
    expect(left.length <= SENTENCES ? "fell" : left).toBe("fell");
  });

  it("has no more sentences in the elements of the page than it had: words live in documents", () => {
    const sentence = />[^<>{}]*[A-Za-z,’']+(?:\s+[A-Za-z,’']+){4,}[^<>{}]*</g;
    const left = readdirSync(join(ROOT, "web"), { recursive: true, encoding: "utf8" })
      .filter((name) => /^(views|parts)\/.*\.tsx$/.test(name))
      .flatMap((name) => readFileSync(join(ROOT, "web", name), "utf8").match(sentence) ?? []);
    expect(left.length).toBeGreaterThan(10);
    expect(left.length <= PAGE_SENTENCES ? "fell" : left).toBe("fell");
  });

  it("touches files only where files are kept", () => {
    const found = named(({ name, code }) => /from "node:fs(\/promises)?"/.test(code) && !READS_FILES(name));
    expect(found).toEqual([]);
  });

  it("reaches stores by their ports in use cases and commands", () => {
    // What opens a workspace and gives its stores, and the engine of the analysis.
    const byFile = /"[./]*store\/files\/(?!(stores|workspace|duckdb)\.js")[\w-]+\.js"/;
    expect(named(({ name, code }) => inRooms(["app", "cli", "present"])(name) && byFile.test(code))).toEqual([]);
  });

  it("has SQL for analysis in analysis alone", () => {
    expect(named(({ name, code }) => SQL.test(code) && !inRooms(["analysis", "store"])(name))).toEqual([]);
  });

  it("reads the parts of a verdict's cell in one place", () => {
    expect(named(({ code }) => /cell\b[^\n]*\/\/ \d+ % \d/.test(code))).toEqual(["analysis/audit-select.ts"]);
  });

  it("gives no SQL over the border of the analysis: no conditions or columns in use cases, commands and the server", () => {
    const part =
      /["'`(](?:SELECT|WHERE|NOT \(|CASE WHEN|GROUP BY|ORDER BY|count\(\*\))[ $(]|::(?:INTEGER|DOUBLE|VARCHAR)\b|\bsql(?:Name|String)\(/;
    expect(named(({ name, code }) => inRooms(["app", "cli", "server"])(name) && part.test(code))).toEqual([]);
  });

  it("has files that only pass on what others have at public entry points alone", () => {
    const entry = /^(entry\/|index\.ts$|server\/index\.ts$)/;
    const found = named(({ code }) => onlyPassesOn(code));
    expect(found).toContain("entry/prompt.ts");
    expect(found.filter((name) => !entry.test(name))).toEqual([]);
  });

  it("imports no entry point of the package from inside", () => {
    const wrong = FILES.flatMap(({ name, code }) =>
      importsOf(code)
        .filter((target) => target.startsWith("."))
        .map((target) => relative(SRC, join(SRC, dirname(name), target)))
        .filter((target) => target.startsWith("entry/") && !name.startsWith("entry/") && name !== "index.ts")
        .map((target) => `${name} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has no files that need each other in a circle", () => {
    const uses = new Map(
      FILES.map(({ name, code }) => [
        name,
        valueImports(code).map((to) => join(dirname(name), to).replace(/js$/, "ts")),
      ]),
    );
    expect(uses.get("cli/run.ts")).toContain("core/errors.ts");
    // What uses nothing that is left is in no circle.
    for (let before = -1; before !== uses.size; ) {
      before = uses.size;
      for (const [name, targets] of uses) if (!targets.some((target) => uses.has(target))) uses.delete(name);
    }
    expect([...uses.keys()]).toEqual([]);
  });

  it("has no more large folders, common prefixes, files and long commands than it had", () => {
    const folders = new Map<string, string[]>();
    for (const { name } of FILES) folders.set(dirname(name), [...(folders.get(dirname(name)) ?? []), name]);
    const large = [...folders].filter(([, files]) => files.length > 25).map(([folder]) => folder);
    const prefixed = [...folders.values()].flatMap((files) => {
      const counts = new Map<string, number>();
      for (const file of files) {
        const prefix = file.slice(file.lastIndexOf("/") + 1).split("-")[0]!;
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      }
      return [...counts.values()].filter((count) => count >= 4);
    });
    const lines = (name: string) => readFileSync(join(SRC, name), "utf8").split("\n").length;
    // The list of commands is the text of the help.
    const long = named(({ name }) => name.startsWith("cli/") && name !== "cli/command-list.ts" && lines(name) > 150);
    expect({
      large,
      prefixed: prefixed.length <= 6,
      // The rooms of the live service, the adapters and the evidence come on top.
      files:
        FILES.filter(
          ({ name }) =>
            !inRooms([
              ...["store/postgres", "queue", "server", "app/live", "cli/serve"],
              ...["adapters", "evidence", "app/evidence", "store/files/erasure"],
            ])(name),
        ).length <= 672,
      long,
    }).toEqual({ large: [], prefixed: true, files: true, long: [] });
  });
});

describe("where things are added", () => {
  const page = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const section = page.slice(
    page.indexOf("## Where do I add"),
    page.indexOf("\n## ", page.indexOf("## Where do I add") + 5),
  );
  const paths = [...section.matchAll(/`((?:src|test|docs|web|data|scripts|bench|examples)\/[^`*<]*)`/g)].map(
    ([, path]) => path!,
  );

  it("names paths that exist", () => {
    expect(paths.length).toBeGreaterThan(15);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("answers for a provider, a metric, an experiment, a store and an adapter", () => {
    for (const thing of ["provider", "metric", "experiment", "store", "adapter"]) {
      expect(section, thing).toMatch(new RegExp(`^\\| .*${thing}`, "m"));
    }
  });
});
