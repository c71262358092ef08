import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configSchema } from "../../core/config.js";
import { writeActions } from "./config-file.js";
import { failure, tempFolder, tempWorkspace } from "./in-temp-folder.suite.js";
import { createWorkspace, findWorkspace, openWorkspace } from "./workspace.js";

describe("createWorkspace", () => {
  it("writes a configuration that says the defaults of the schema, and the template of new workspaces", () => {
    expect(tempWorkspace().config).toEqual(configSchema.parse({ version: 1, template: "guided" }));
    // A configuration that names no template was written before there was another.
    expect(configSchema.parse({ version: 1 }).template).toBe("paper");
  });

  it("explains every key in a comment", () => {
    const text = readFileSync(tempWorkspace().paths.config, "utf8");
    for (const key of Object.keys(configSchema.shape)) expect(text).toMatch(new RegExp(`^# .*\\n(# )?${key}:`, "m"));
  });

  it("takes other actions, also such that YAML would take for something else", () => {
    const { config } = tempWorkspace({ actions: { positive: "no", negative: "yes: really #1" } });
    expect(config.actions).toEqual({ positive: "no", negative: "yes: really #1" });
  });

  it("refuses a folder that holds a workspace, and actions that differ in case alone", async () => {
    const { root } = tempWorkspace();
    expect((await failure(() => createWorkspace(root))).message).toContain("already holds one");
    const same = { positive: "Remove", negative: "remove" };
    expect((await failure(() => createWorkspace(join(root, "x"), { actions: same }))).code).toBe("bad_actions");
  });

  it("takes a folder with other files in it, and refuses a file", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "notes.txt"), "mine");
    expect(createWorkspace(folder).root).toBe(folder);
    expect((await failure(() => createWorkspace(join(folder, "notes.txt")))).code).toMatch(/not_a_folder|file_enotdir/);
  });
});

describe("findWorkspace", () => {
  it("is the nearest folder upward", () => {
    const { root } = tempWorkspace();
    const deep = join(root, "a", "b");
    mkdirSync(deep, { recursive: true });
    expect(findWorkspace(deep)).toBe(root);
    expect(findWorkspace(root)).toBe(root);
  });

  it("says how to make one where there is none", async () => {
    expect((await failure(() => findWorkspace(tempFolder()))).remedy).toContain("defensible init");
  });
});

describe("openWorkspace", () => {
  const withConfig = (text: string) => {
    const folder = tempFolder();
    writeFileSync(join(folder, "defensible.yaml"), text);
    return () => openWorkspace(folder);
  };

  it("fills in what the file leaves out", () => {
    expect(withConfig("version: 1\n")().config.tier).toBe("wiki");
  });

  it.each([
    ["version: 1\ntier: book\n", /defensible\.yaml:2:7: tier: got "book", expected title or sidebar or wiki/],
    ["version: 1\n\nauditr: x\n", /defensible\.yaml:3:1: .*unknown key "auditr"/],
    ["version: 1\nactions:\n  positive: a\n  negative: a\n", /:3:3: actions: the two actions must differ/],
    ["version: 1\ntemperature: 7\n", /:2:14: temperature: got 7, expected at most 2/],
    ["version: 1\ngate:\n  ai: 1\n", /:3:7: gate\.ai: got 1, expected less than 1/],
    ["version: 1\ngate:\n  delta: 0\n", /:3:10: gate\.delta: got 0, expected more than 0/],
    ["version: 1\ngate:\n  min_decisions: 0\n", /:3:18: gate\.min_decisions: got 0, expected (at least 1|more than 0)/],
    ["version: [1\ntier: wiki\n", /defensible\.yaml:2:1: not valid YAML/],
    ["", /version: is missing; expected 1/],
    ["tier: wiki\n", /version: is missing; expected 1/],
    ["- a\n", /defensible\.yaml:1:1: got a list, expected an object/],
    ["version: 2\n", /:1:10: version: got 2, expected 1/],
  ])("tells where %j is wrong", async (text, message) => {
    expect((await failure(withConfig(text))).message).toMatch(message);
  });

  it("names the known keys beside an unknown one", async () => {
    expect((await failure(withConfig("version: 1\nauditr: x\n"))).remedy).toContain("auditor");
  });

  it("refuses a configuration that unfolds or nests without end", async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdef"].map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcde"[i]}`)}]`).join("\n")}\n`;
    expect((await failure(withConfig(bomb))).message).toContain("aliases");
    expect((await failure(withConfig("{".repeat(20_000)))).message).toContain("nested");
    expect((await failure(withConfig("- ".repeat(20_000)))).message).toContain("nested");
  });
});

describe("writeActions", () => {
  it("changes the actions and not a comment", () => {
    const { root, paths } = tempWorkspace();
    const before = readFileSync(paths.config, "utf8");
    writeActions(paths.config, { positive: "deny", negative: "grant" });
    const after = readFileSync(paths.config, "utf8");
    expect(after).toBe(before.replace("remove", "deny").replace("approve", "grant"));
    expect(openWorkspace(root).config.actions).toEqual({ positive: "deny", negative: "grant" });
  });

  it("adds actions to a file that has none", () => {
    const { root, paths } = tempWorkspace();
    writeFileSync(paths.config, "# mine\nversion: 1\n");
    writeActions(paths.config, { positive: "deny", negative: "grant" });
    expect(openWorkspace(root).config.actions.positive).toBe("deny");
    expect(readFileSync(paths.config, "utf8")).toContain("# mine");
  });
});
