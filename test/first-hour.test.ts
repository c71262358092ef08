import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CLI, cli, cliOk, temporaryFolder } from "./support/cli.js";

const DECISIONS = "id,community,content,decision\na,general,hello,approve\nb,general,buy now,remove\n";
const RULES = "# Rules\n\n1. No spam. Do not post ads.\n2. Be kind to other members.\n\n## Contact\n\nWrite to us.\n";

/** A workspace, and files in it. */
function workspaceWith(files: Record<string, string>): string {
  const cwd = join(temporaryFolder(), "ws");
  cliOk(["init", cwd]);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

const config = (cwd: string) => readFileSync(join(cwd, "defensible.yaml"), "utf8");
const addToConfig = (cwd: string, text: string) => writeFileSync(join(cwd, "defensible.yaml"), `${config(cwd)}${text}`);

describe("a selection", () => {
  it("with a community that no decision has is refused, also next to one that there is", () => {
    const cwd = workspaceWith({ "d.csv": DECISIONS, "g.md": RULES });
    cliOk(["import", "d.csv", "g.md"], { cwd });
    const { status, stderr } = cli(["audit", "--communities", "general", "generl", "--flip", "0"], { cwd });
    expect(status).toBe(1);
    expect(stderr).toContain("communities: no decision is of generl\nDid you mean general?");
    expect(cli(["audit", "--communities", "zebra"], { cwd }).stderr).toContain("Communities: general.");
  });
});

describe("a date of rules that is none", () => {
  it("is refused before anything is audited", () => {
    const set = "scope: platform\nversion: '1'\neffective_from: 01/02/2026\nrules: [{id: a, title: No cats}]\n";
    const cwd = workspaceWith({ "d.csv": DECISIONS, "r.yaml": set });
    cliOk(["import", "d.csv"], { cwd });
    const said = 'effective_from: got "01/02/2026", expected a day such as 2026-01-31';
    const imported = cli(["import", "r.yaml"], { cwd });
    expect([imported.status, imported.stderr.includes(said)]).toEqual([1, true]);
    writeFileSync(join(cwd, "rules", "r.yaml"), set);
    const audited = cli(["audit"], { cwd });
    expect([audited.status, audited.stderr.includes(said)]).toEqual([1, true]);
  });
});

describe("percents", () => {
  it("are taken in defensible.yaml, and a slip is asked about", () => {
    const cwd = workspaceWith({});
    const before = config(cwd);
    addToConfig(cwd, "gate: {di: 95%, ai: 12.5%, risk: 5%, delta: 1%, q: 10%, review_share: 0%}\n");
    expect(cli(["runs"], { cwd }).status).toBe(0);
    for (const [written, said] of [
      ["di: 0.9%", 'gate.di: got "0.9%"; did you mean 90%? To ask for so little, write 0.009'],
      ["di: 120%", 'gate.di: got "120%", expected less than 1'],
      ["ai: many", 'gate.ai: got "many", expected a number'],
    ]) {
      writeFileSync(join(cwd, "defensible.yaml"), `${before}gate: {${written}}\n`);
      expect(cli(["runs"], { cwd }).stderr).toContain(said);
    }
  });

  it("of a least share below one percent are asked about", () => {
    for (const command of [["gate"], ["plan", "gate"]]) {
      const { status, stderr } = cli([...command, "--di", "0.9%"]);
      expect(status).toBe(1);
      expect(stderr).toContain("did you mean 90%? To ask for so little, write 0.009.");
    }
  });
});

describe("the configuration", () => {
  it("names an unknown key of a profile, and the known ones there", () => {
    const cwd = workspaceWith({ "d.csv": DECISIONS });
    addToConfig(cwd, "import:\n  x:\n    vlaue: {kept: approve}\n");
    const { stderr } = cli(["import", "d.csv", "--profile", "x"], { cwd });
    expect(stderr).toContain('import.x: unknown key "vlaue"');
    expect(stderr).toContain("Did you mean value? Known keys: map, set, id_from, value, map_value.");
  });

  it("that is read-only is left alone, and nothing is imported", () => {
    const cwd = workspaceWith({ "d.csv": DECISIONS });
    chmodSync(join(cwd, "defensible.yaml"), 0o444);
    const { status, stderr } = cli(["import", "d.csv", "--yes", "--save-profile", "x"], { cwd });
    expect(status).toBe(1);
    expect(stderr).toMatch(/defensible\.yaml: is read-only, so nothing can be kept in it\nMake it writable/);
    expect(cliOk(["import", "d.csv"], { cwd })).toContain("Imported 2 decisions");
  });

  it("keeps the ends of its lines", () => {
    const cwd = workspaceWith({ "d.csv": DECISIONS.replace("content", "text") });
    writeFileSync(join(cwd, "defensible.yaml"), config(cwd).replaceAll("\n", "\r\n"));
    for (const name of ["x", "y"]) cliOk(["import", "d.csv", "--yes", "--save-profile", name], { cwd });
    expect(config(cwd)).toMatch(/import:\r\n {2}x:\r\n[\s\S]* {2}y:\r\n/);
    expect(config(cwd).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });
});

describe("pages of rules", () => {
  it("in the folder of rules are read like drafted ones", () => {
    const cwd = workspaceWith({ "d.csv": DECISIONS, "rules/guidelines.md": RULES });
    cliOk(["import", "d.csv"], { cwd });
    expect(cliOk(["rules", "lint", "--json"], { cwd })).toContain('"version": "md-');
    cliOk(["audit", "--flip", "0"], { cwd });
    const html = "<h1>Rules</h1><ol><li>No spam.</li><li>Be kind.</li></ol>";
    writeFileSync(join(cwd, "rules", "more.html"), html);
    expect(cli(["audit", "--new"], { cwd }).stderr).toContain(
      "rules/guidelines.md and rules/more.html are both in force without a date",
    );
  });

  it("are compared with a list of what is in no rule", () => {
    const cwd = workspaceWith({ "d.csv": DECISIONS, "g.md": RULES, "new.md": RULES.replace("Be kind", "Be nice") });
    cliOk(["import", "d.csv", "g.md"], { cwd });
    const { stderr } = cli(["rules", "diff", "new.md", "--dry-run"], { cwd });
    expect(stderr).toContain("new.md: 1 passage is in no rule and left out:\n  line 6: Contact Write to us.\n");
  });

  it("cannot turn text around: what would act is an escape in the draft", () => {
    const hidden = "\u202espam\u202c";
    const cwd = workspaceWith({ "g.md": RULES.replace("spam", hidden).replace("to us", `to \u2066us\u2069`) });
    const printed = cliOk(["rules", "draft", "g.md", "--out", "rules.yaml"], { cwd });
    const drafted = readFileSync(join(cwd, "rules.yaml"), "utf8");
    expect(drafted + printed).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(drafted).toContain('title: "No \\u202espam\\u202c"');
    expect(drafted).toContain("to \\u2066us\\u2069");
    cliOk(["import", "rules.yaml"], { cwd });
    expect(cli(["import", "g.md"], { cwd }).stdout).toContain("1 duplicate");
  });
});

describe("import", () => {
  it("says what comes next where there are rules and no decisions yet", () => {
    const cwd = workspaceWith({ "d.csv": DECISIONS, "g.md": RULES });
    const next = "note: the workspace has no decisions yet. Import them next: `defensible import decisions.csv`";
    expect(cli(["import", "g.md"], { cwd }).stderr).toContain(next);
    expect(cli(["import", "d.csv"], { cwd }).stderr).not.toContain(next);
    expect(cli(["import", "g.md"], { cwd }).stderr).not.toContain(next);
  });

  it("refuses a number that is beyond every double as what it is", () => {
    const row = (id: string) => `{"id":${id},"community":"g","content":"1e400 of 1e999","decision":"approve"}\n`;
    const cwd = workspaceWith({ "e.jsonl": row("1e400") + row("1e3") + row('"1e400"') });
    const { status, stdout, stderr } = cli(["import", "e.jsonl"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain("Imported 2 decisions; 0 duplicates, 1 rejected.");
    expect(stderr).toContain("has a number that is too large: 1e400; write it as text if it is a name");
  });

  it.each([";", ",", "\t"])("understands the line in which Excel names its delimiter: %j", (mark) => {
    const cwd = workspaceWith({
      "e.csv": `\uFEFFsep=${mark}\r\n${DECISIONS.replaceAll(",", mark).replaceAll("\n", "\r\n")}`,
    });
    expect(cliOk(["import", "e.csv"], { cwd })).toContain("Imported 2 decisions; 0 duplicates, 0 rejected.");
  });

  it("reads standard input, be it records or a page of rules", () => {
    const cwd = workspaceWith({ "g.md": RULES });
    expect(cliOk(["import", "-", "g.md"], { cwd, input: DECISIONS })).toContain("Imported 2 decisions and 1 rule set");
    const other = workspaceWith({});
    expect(cliOk(["import", "-"], { cwd: other, input: RULES })).toContain("Imported 1 rule set");
    const empty = cli(["import", "-"], { cwd, input: "" });
    expect([empty.status, empty.stderr]).toEqual([1, expect.stringContaining("-: the file is empty")]);
    const asked = cli(["import", "-"], { cwd, input: "post,forum,text,action\n1,g,hello,approve\n" });
    expect(asked.stderr).toContain("defensible import - --map");
  });
});

describe("demo", () => {
  it("ends with 130 when it is interrupted", async () => {
    const folder = join(temporaryFolder(), "demo");
    const child = spawn(process.execPath, [CLI, "demo", folder], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const ended = once(child, "exit");
    while (!existsSync(join(folder, "runs"))) await setTimeout(20);
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(said).toContain("Interrupted. Repeat the command to continue.");
  });
});
