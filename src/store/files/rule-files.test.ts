import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failure, tempWorkspace } from "./in-temp-folder.suite.js";
import { loadRuleSets, parseRuleSet } from "./rule-files.js";

const PLATFORM = "scope: platform\nversion: '1'\nrules:\n  - id: P1\n    title: Be kind\n";

describe("parseRuleSet", () => {
  it("reads YAML and JSON alike", () => {
    const json = JSON.stringify({ scope: "platform", version: "1", rules: [{ id: "P1", title: "Be kind" }] }, null, 2);
    expect(parseRuleSet(json, "a.json")).toEqual(parseRuleSet(PLATFORM, "a.yaml"));
  });

  it("takes a BOM, CRLF, and a JSON text that starts with a BOM", () => {
    expect(parseRuleSet(`\uFEFF${PLATFORM.replaceAll("\n", "\r\n")}`, "a.yaml")).toEqual(parseRuleSet(PLATFORM, "a"));
  });

  it("keeps numbers as they were written: version 1.10 is not 1.1, and rule 1 is the id 1", () => {
    const set = parseRuleSet(
      "scope: platform\nversion: 1.10\neffective_from: 2024-01-01\nrules:\n  - id: 007\n    title: 404\n",
      "a",
    );
    expect(set).toMatchObject({ version: "1.10", effective_from: "2024-01-01", rules: [{ id: "007", title: "404" }] });
  });

  it("keeps keys of one's own", () => {
    const set = parseRuleSet(`${PLATFORM}    x_owner: {team: safety}\nx_maintainer: us\n`, "a");
    expect(set).toMatchObject({ x_maintainer: "us", rules: [{ x_owner: { team: "safety" } }] });
  });

  it.each([
    ["scope: platform\nversion: '1'\nrules: [\n  {id: a, title: b}\n", /^r\.yaml:\d+:\d+: not valid YAML/],
    ["scope: platform\n\tversion: 1\n", /^r\.yaml:2:1: not valid YAML; tabs/],
    ["scope: platform\nscope: community\nrules: []\n", /^r\.yaml:2:1: not valid YAML; map keys must be unique/],
    ["a: 1\n---\nb: 2\n", /^r\.yaml: not a rule set; expected an object with `scope` and `rules`$/],
    ["version: *x\n", /^r\.yaml: unresolved alias/],
    [`${PLATFORM}  - id: P2\n    title: ''\n`, /^r\.yaml:7:12: rule 2 \(P2\): title: is empty$/],
    [`${PLATFORM}  - id: P2\n    title: "  "\n`, /^r\.yaml:7:12: rule 2 \(P2\): title: is empty$/],
    [`${PLATFORM}  - id: P2\n    title:\n`, /^r\.yaml:7:\d+: rule 2 \(P2\): title: is missing; expected text$/],
    [`${PLATFORM}  - title: x\n`, /^r\.yaml:6:5: rule 2: id: is missing; expected text$/],
    [
      `${PLATFORM}  - id: P1\n    title: Again\n`,
      /^r\.yaml:6:9: rule 2 \(P1\): id: rule id "P1" is used twice in this set$/,
    ],
    [
      `${PLATFORM}    kind: law\n`,
      /^r\.yaml:6:11: rule 1 \(P1\): kind: got "law", expected prohibition or requirement/,
    ],
    [`${PLATFORM}    never_automate: maybe\n`, /never_automate: got "maybe", expected a boolean/],
    [PLATFORM.replace("platform", "town"), /^r\.yaml:1:8: scope: got "town", expected platform or community$/],
    [
      PLATFORM.replace("rules:", "effective_from: 01/02/2026\nrules:"),
      /^r\.yaml:3:17: effective_from: got "01\/02\/2026", expected a day such as 2026-01-31$/,
    ],
    [PLATFORM.replace("rules:", "effective_from: 2026-02-30\nrules:"), /effective_from: got "2026-02-30"/],
    [PLATFORM.replace("platform", "community"), /community: a community rule set must name its community/],
    [PLATFORM.replace("version: '1'\n", ""), /version: is missing; expected text/],
    ["scope: platform\nversion: '1'\nrules: none\n", /rules: got "none", expected a list/],
    ["scope: platform\nversion: '1'\nrules: [1]\n", /rule 1: got 1, expected an object/],
    ["just a sentence", /^r\.yaml: not a rule set; expected an object with `scope` and `rules`$/],
    ["", /not a rule set/],
    ["[".repeat(210), /nested more than 200 levels/],
  ])("tells what is wrong with %j", async (text, message) => {
    expect((await failure(() => parseRuleSet(text, "r.yaml"))).message).toMatch(message);
  });

  it("refuses an alias bomb", async () => {
    const lines = [..."abcdefgh"].map(
      (key, i, keys) => `${key}: &${key} [${Array(9).fill(i ? `*${keys[i - 1]}` : "lol")}]`,
    );
    expect(
      (await failure(() => parseRuleSet(`${lines.join("\n")}\nscope: platform\nrules: *h\n`, "r"))).message,
    ).toContain("aliases");
  });

  it("makes lone surrogates well-formed", () => {
    expect(parseRuleSet(PLATFORM.replace("Be kind", '"a\\ud800b"'), "a").rules[0]!.title).toBe("a\uFFFDb");
  });
});

describe("loadRuleSets", () => {
  it("reads every YAML and JSON file and every page of rules, in the order of names, and nothing else", () => {
    const workspace = tempWorkspace();
    const put = (name: string, text: string) => writeFileSync(join(workspace.paths.rules, name), text);
    put("b.yml", PLATFORM);
    put("a.JSON", JSON.stringify({ scope: "community", community: "garden", version: "1", rules: [] }));
    put("guidelines.md", "# Garden\n\n## Forum: ponds\n\n1. No fish.\n2. Be kind.\n");
    put("README.md", "How these rules came about");
    put("notes.doc", "not a rule set");
    put(".hidden.yaml", "not: one");
    expect(loadRuleSets(workspace).map(({ file, set }) => [file, set.scope])).toEqual([
      ["rules/a.JSON", "community"],
      ["rules/b.yml", "platform"],
      ["rules/guidelines.md", "community"],
    ]);
  });

  it("refuses a page without rules, and says where it belongs", async () => {
    const workspace = tempWorkspace();
    writeFileSync(join(workspace.paths.rules, "notes.txt"), "Ask Kim about the new rules.");
    const { message, remedy } = await failure(() => loadRuleSets(workspace));
    expect(message).toBe("rules/notes.txt: no rule was found; expected headings with text, or numbered items");
    expect(remedy).toMatch(/Keep other files elsewhere, or name them README\.$/);
  });

  it("names both files of one set", async () => {
    const workspace = tempWorkspace();
    for (const name of ["x.yaml", "y.yaml"]) writeFileSync(join(workspace.paths.rules, name), PLATFORM);
    const { message } = await failure(() => loadRuleSets(workspace));
    expect(message).toBe("rules: rules/x.yaml and rules/y.yaml are both platform, version 1");
  });

  it("says which file is not UTF-8", async () => {
    const workspace = tempWorkspace();
    writeFileSync(join(workspace.paths.rules, "l.yaml"), Buffer.from(PLATFORM.replace("kind", "gentil\xe9"), "latin1"));
    expect((await failure(() => loadRuleSets(workspace))).message).toBe("rules/l.yaml: is not UTF-8 text");
  });

  it("is empty where there are none", () => {
    expect(loadRuleSets(tempWorkspace())).toEqual([]);
  });
});
