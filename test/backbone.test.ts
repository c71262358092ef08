import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../src/cli/command-list.js";
import { FORMATS } from "../src/core/schemas.js";
import { SCHEMAS } from "../src/entry/schemas.js";
import { backboneDocument } from "../src/experiments/backbone/document.js";
import { backboneSchema } from "../src/experiments/backbone/result.js";
import { commandOf, EXPERIMENTS, experimentFormats, loadSteps, stepNames } from "../src/experiments/registry.js";
import type { Screen } from "../src/present/document/document.js";
import { type Piece, sentenceText } from "../src/present/words/sentence.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const ROOT = join(import.meta.dirname, "..");
const EXPERIMENTS_AT = join(ROOT, "src", "experiments");

describe("an experiment is one folder and one line", () => {
  it("is known to its own folder, the registry and the list of formats alone", () => {
    const files = ["src", "web"].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(tsx?|mjs)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const knowing = files.filter((file) =>
      /"backbone"|\/backbone\/|\bbackbone:|backboneSchema/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    const outside = knowing.filter((file) => !file.startsWith(join("src", "experiments", "backbone")));
    // The library's formats are listed without loaders, and held equal to the registry below.
    const lists = [join("src", "entry", "schemas.ts"), join("src", "experiments", "registry.ts")];
    expect(outside.sort()).toEqual(lists);
    expect(files.filter((file) => file.includes(join("experiments", "backbone"))).length).toBeLessThanOrEqual(7);
  });

  const list = readFileSync(join(ROOT, "src", "experiments", "registry.ts"), "utf8");
  const folders = new Set(
    [...list.matchAll(/import\("\.\/(\w+)\/(?:\w+\/)?result\.js"\)/g)].map(([, folder]) => folder!),
  );
  const importing = (room: string, pattern: RegExp) =>
    readdirSync(join(ROOT, "src", room), { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.(test|suite))\.ts$/.test(name))
      .filter((name) => pattern.test(readFileSync(join(ROOT, "src", room, name), "utf8")))
      .sort();
  const anyFolder = `(?:${[...folders].join("|")})/`;

  it("has no command, no format and no result of its own name listed elsewhere", () => {
    expect(folders.size).toBeGreaterThan(9);
    // Use cases that lend a part of an experiment, not its command.
    const lent = ["commands/measure/decide.ts", "commands/measure/prompts.ts", "demo/steps.ts"];
    expect(importing("cli", new RegExp(`/experiments/${anyFolder}`))).toEqual(lent);
    // A report has a section of its own for stability.
    expect(importing("core", new RegExp(`/experiments/${anyFolder}`))).toEqual(["results/report.ts"]);
    const shared = importing("experiments", new RegExp(`"\\./${anyFolder}`)).filter((name) => !name.includes("/"));
    expect(shared).toEqual(["registry.ts"]);
  });

  it("has its command where its name says, made from its folder", async () => {
    for (const [name, { load }] of Object.entries(EXPERIMENTS)) {
      const [first, second] = commandOf(name).split(" ") as [string, string?];
      const command = await COMMANDS[first]!.load();
      const meant = second === undefined ? command : command.commands.find((one) => one.name() === second);
      const loaded = await load();
      const slice = "commands" in loaded ? loaded.commands[second!]! : loaded;
      const flags = meant?.options.map(({ flags }) => flags);
      expect(flags, name).toEqual(expect.arrayContaining(Object.keys(slice.options)));
    }
  });

  it("gives study its steps and their order", async () => {
    const order =
      "calibration gap signal gate tiers scopes stability attack dual humans validate circularity tokens backbone";
    expect(stepNames()).toEqual(order.split(" "));
    expect((await loadSteps()).map(({ name }) => name)).toEqual(stepNames());
    const listing = readdirSync(join(ROOT, "src", "experiments", "study", "run")).filter((file) =>
      /from "\.\.\/\.\.\/(?!registry|audits|refusals|simulate|study)\w+\//.test(
        readFileSync(join(ROOT, "src", "experiments", "study", "run", file), "utf8"),
      ),
    );
    expect(listing, "files that know the folder of an experiment").toEqual([]);
  });

  it("has a screen in the report, and a format for the library", async () => {
    const places = readdirSync(EXPERIMENTS_AT, { recursive: true, encoding: "utf8" });
    const screens = await Promise.all(
      places.filter((name) => name.endsWith("/document.ts")).map((name) => import(join(EXPERIMENTS_AT, name))),
    );
    const named = screens.map(({ default: { kind, command } }: { default: Screen }) => [kind, command] as const);
    expect(named.map(([kind]) => kind).sort()).toEqual(Object.keys(EXPERIMENTS).sort());
    for (const [kind, command] of named)
      expect(command).toContain(`defensible ${commandOf(kind).split(" ")[0]} `.trim());
    expect(Object.keys(SCHEMAS).sort()).toEqual([...Object.keys(FORMATS), ...Object.keys(experimentFormats())].sort());
  });

  it("is described for every experiment in the docs", () => {
    const docs = readdirSync(join(ROOT, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => readFileSync(join(ROOT, "docs", name), "utf8"))
      .join("\n");
    for (const name of Object.keys(EXPERIMENTS)) expect(docs, name).toContain(name);
  });
});

describe("experiment backbone", () => {
  const world = join(temporaryFolder(), "world");
  const at = { cwd: world };
  const DECIDERS = ["simulated:house", "gpt-4.1-mini"];

  beforeAll(() => {
    cliOk(["simulate", world]);
    const file = join(world, "decisions.jsonl");
    const decisions = readFileSync(file, "utf8").trim().split("\n");
    const changed = decisions.map((line, i) =>
      JSON.stringify({ ...JSON.parse(line), decider: { kind: "model", id: DECIDERS[i % 2] } }),
    );
    writeFileSync(file, `${changed.join("\n")}\n`);
    cliOk(["audit", "--auditor", "simulated:columns"], at);
  }, 60_000);

  it("says what is missing while there is one auditor", () => {
    const { status, stderr } = cli(["experiment", "backbone"], at);
    expect(status).toBe(1);
    expect(stderr).toContain("needs runs of two or more different auditors");
  });

  it("crosses deciders with the newest run of each auditor, and is kept, shown and redacted like every other", () => {
    cliOk(["audit", "--auditor", "baseline", "--new"], at);
    const result = backboneSchema.parse(JSON.parse(cliOk(["experiment", "backbone", "--json"], at)));
    expect(result.auditors.map(({ auditor }) => auditor).sort()).toEqual(["baseline", "simulated:columns"]);
    expect(result.cells).toHaveLength(4);
    const rate = (decider: string, auditor: string) =>
      result.cells.find((cell) => cell.decider === decider && cell.auditor === auditor)!.defensibility_index.estimate!;
    const [own, other] = DECIDERS as [string, string];
    expect(result.own.defensibility_index.estimate).toBeCloseTo(
      rate(own, "simulated:columns") -
        rate(own, "baseline") -
        rate(other, "simulated:columns") +
        rate(other, "baseline"),
      10,
    );
    expect(result.own.defensibility_index).toMatchObject({ cluster: { method: "jackknife, t" } });
    const { data, blocks } = backboneDocument(result);
    const tables = blocks.filter((block) => block.kind === "table");
    const cells = tables.flatMap(({ rows }) => rows.flatMap((row) => row.slice(1)));
    // Deciders by decisions and auditors, three times.
    expect(cells).toHaveLength(3 * 2 * 3);
    for (const cell of cells) expect(sentenceText(data, [cell as Piece])).toMatch(/^[+−]?\d/);
    expect(cliOk(["report", "--verbose"], at)).toContain("defensible experiment backbone");
    const redacted = JSON.parse(cliOk(["report", "--redact", "--json"], at)).experiments.backbone;
    expect(JSON.stringify(redacted)).not.toContain("gpt-4.1-mini");
    expect(redacted.auditors).toEqual(result.auditors);
    expect(JSON.parse(cliOk(["schema", "backbone"]))).toMatchObject({ title: "backbone" });
  }, 60_000);
});
