import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TRAP_KINDS, trapExamples } from "../src/present/words/trap-examples.js";
import { cli, temporaryFolder } from "./support/cli.js";
import { pageData } from "./support/page-data.js";
import { type RecordedDemo, recordedDemo } from "./support/recorded-demo.js";

const ROOT = join(import.meta.dirname, "..");
const lines = (text: string) => text.trim().split("\n");
/** What was said but for progress, which a slow machine prints. */
const said = (stderr: string) => stderr.replace(/^[\d,]+ of [\d,]+ · .*\n/gm, "");

describe("defensible demo", () => {
  let first: RecordedDemo;
  let html: string;
  beforeAll(async () => {
    first = await recordedDemo();
    html = join(first.workspace, "report.html");
  });

  it("needs nothing, prints one screen and ends with the path of the page", () => {
    expect([first.status, said(first.stderr)]).toEqual([0, ""]);
    expect(lines(first.stdout).length).toBeLessThanOrEqual(30);
    expect(lines(first.stdout).at(-1)).toBe(`Report: ${html}`);
    expect(readdirSync(first.folder)).toEqual(["defensible-demo"]);
  });

  it("notes the page as written, so that an erasure deletes it", () => {
    const noted = lines(readFileSync(join(first.workspace, "outputs.jsonl"), "utf8"));
    expect(noted.map((line) => JSON.parse(line))).toMatchObject([{ path: "report.html", command: "demo" }]);
  });

  it("changes nothing in a folder that it did not make", () => {
    const own = temporaryFolder();
    expect(cli(["init", "mine", "--example"], { cwd: own }).status).toBe(0);
    const refused = cli(["demo", "mine"], { cwd: own });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("holds something else")]);
  });

  it("says the conclusion first, what the numbers are of, and whose answers these are", () => {
    expect(first.stdout).toMatch(/fictional sample platform\) · 892 decisions · recorded answers of/);
    expect(lines(first.stdout)[3]).toMatch(/^\d+ of 892 decisions \(\d+%\) follow from the rules\./);
    expect(first.stdout).toMatch(/Agreement with moderators is 87% \(F1\) and\smisjudges 99 of the 892\./);
    expect(first.stdout).toMatch(/P\(defensible\)\sis\soff\sby\s0\.1\spoints\son\saverage,\sbefore\sby\s10\.0/);
    expect(first.stdout).toMatch(/Wrongly removed: \d+ of \d+\. Wrongly left up: \d+ of \d+\./);
    expect(first.stdout).toMatch(/reference annotations give the same level in \d+ of 892/);
    expect(first.stdout).toMatch(/Gate \(dry run\): \d+ of 12 communities pass the cautious gate/);
    expect(first.stdout).toMatch(
      /Rewriting rule R7 of indie-games: open decisions go from 15 of 60\s\(25%\) to 0 of 60 \(0%\);\s2\sbecome\sindefensible/,
    );
    expect(first.stdout).not.toMatch(/human rating|people rated|undefined|null|NaN/);
  });

  const next = (text: string) => /^Go on: {2}npx defensible (.+)$/m.exec(text)![1]!;

  it("prints a command that works where it was started", () => {
    expect(next(first.stdout)).toBe("show --workspace defensible-demo --level 3");
    expect(cli(next(first.stdout).split(" "), { cwd: first.folder })).toMatchObject({ status: 0 });
  });

  it("writes a page of less than 1.5 MB with three decisions and what the rewrite gives", () => {
    expect(statSync(html).size).toBeLessThan(1_500_000);
    const page = pageData(html);
    const examples = trapExamples(page);
    for (const kind of TRAP_KINDS) {
      const { decision, title, text, quote, rule, because, confirmed } = examples[kind]!;
      expect(title ?? text, kind).toMatch(/\w{3}/);
      expect(decision.audit.citation?.grounded, kind).toBe(true);
      expect(rule, kind).toMatchObject({ rule_id: decision.audit.citation!.rule_id });
      expect(quote.length, kind).toBeGreaterThan(11);
      expect(decision.audit.logic_chain!.text, kind).toContain(because);
      expect(confirmed, kind).toBe(true);
    }
    const { error_supported: error, success_unsupported: success, both_allowed: both } = examples;
    expect(error!.decision.human_label).not.toBe(error!.decision.decision);
    expect([success!.decision.human_label, success!.decision.audit.level]).toEqual([success!.decision.decision, 3]);
    expect([both!.decision.community, both!.rule!.rule_id, both!.decision.audit.inverse]).toEqual([
      "indie-games",
      "R7",
      true,
    ]);
    expect(page.platform).toBe("Commons (fictional sample platform)");
    const { gate } = page.report.experiments!.diff!;
    expect(gate!.by_mode.paper.after.passing).toBe(gate!.by_mode.paper.before.passing + 1);
  });

  it("activates no gate, and can be repeated, which changes neither decisions nor rules, and quotes for a shell", () => {
    const cwd = temporaryFolder();
    const own = join(cwd, "it's mine");
    cpSync(first.workspace, own, { recursive: true });
    expect(existsSync(join(own, "gate", "current.json"))).toBe(false);
    const rules = join(own, "rules", "film-club.yaml");
    const edited = `${readFileSync(rules, "utf8")}# mine\n`;
    writeFileSync(rules, edited);
    writeFileSync(join(own, "report.html"), "<!doctype html>");
    const { status, stdout, stderr } = cli(["demo", "it's mine"], { cwd });
    expect(next(stdout)).toBe("show --workspace 'it'\\''s mine' --level 3");
    const renamed = stdout.replace(next(stdout), next(first.stdout)).replace(own, first.workspace);
    expect([status, renamed, said(stderr)]).toEqual([0, first.stdout, ""]);
    expect(readFileSync(rules, "utf8")).toBe(edited);
    expect(statSync(join(own, "report.html")).size).toBeGreaterThan(1_000_000);
    expect(readdirSync(join(own, "runs")).length).toBe(2);
  });

  it("writes nothing into a folder that holds something else", () => {
    const other = temporaryFolder();
    writeFileSync(join(other, "notes.txt"), "mine");
    expect(cli(["demo", other])).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("holds something else"),
    });
    expect(readdirSync(other)).toEqual(["notes.txt"]);
  });
});

describe("a read-only installation", () => {
  const installed = join(temporaryFolder(), "defensible");
  const all = (folder: string) => [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ];
  const own = () => all(installed).filter((path) => !path.includes("node_modules"));
  const modes = (add: number, remove: number) => {
    for (const path of own().reverse()) chmodSync(path, (statSync(path).mode | add) & ~remove);
  };

  afterAll(() => {
    modes(0o700, 0);
    rmSync(installed, { recursive: true });
  });

  it("is left as it is, and its demo can be written to", () => {
    for (const part of ["dist", "examples", "package.json"])
      cpSync(join(ROOT, part), join(installed, part), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(installed, "node_modules"));
    modes(0, 0o222);
    const before = own().map((path) => [path, statSync(path).mtimeMs]);
    const folder = temporaryFolder();
    const { status, stderr } = spawnSync(process.execPath, [join(installed, "dist", "cli", "main.js"), "demo", "try"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([status, said(stderr)]).toEqual([0, ""]);
    expect(own().map((path) => [path, statSync(path).mtimeMs])).toEqual(before);
    const locked = all(join(folder, "try")).filter((path) => (statSync(path).mode & 0o200) === 0);
    expect(locked).toEqual([]);
    expect(readFileSync(join(folder, "try", "report.html"), "utf8")).toContain("<!doctype html>");
  }, 60_000);
});
