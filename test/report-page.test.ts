import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { MARK, writtenWorkspace } from "../src/cli/report/page.suite.js";
import { cli, cliOk } from "./support/cli.js";
import { makeAudit } from "./support/make-audit.js";
import { pageData } from "./support/page-data.js";

const folder = mkdtempSync(join(tmpdir(), "report-page-cli-"));
const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), "utf8");

describe("report --html", () => {
  let root: string;
  beforeAll(async () => {
    root = await writtenWorkspace();
  });

  it("writes one file whose data are the report and its decisions, and says how large it is", () => {
    const args = ["report", "--workspace", root, "--html", file("r.html"), `--json=${file("r.json")}`];
    const { status, stdout, stderr } = cli(args);
    expect([status, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(/^Wrote .*r\.html \(\d\.\d MB; 3 of 3 decisions\)$/m);
    const page = pageData(file("r.html"));
    expect(page.report).toEqual(JSON.parse(read("r.json")));
    expect(page.decisions.map((one) => one.id)).toEqual(["failed", "plain", "parts"]);
    expect(JSON.stringify(page).includes(MARK)).toBe(true);
    expect(read("r.html").includes(MARK)).toBe(false);
  });

  it("carries the script that its policy lets run, and refers to nothing outside", () => {
    const html = read("r.html");
    const [, script = ""] = /<script type="module">([\s\S]*?)<\/script>/.exec(html)!;
    expect(script.length).toBeGreaterThan(100_000);
    const hash = createHash("sha256").update(script).digest("base64");
    expect(html.slice(0, 1_000)).toContain(`script-src 'sha256-${hash}'`);
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html)!;
    const besides = html.replace(script, "").replace(style, "");
    expect(
      besides.match(/<(link|img|iframe|object|embed|base|form|a)\b|\b(src|href|action|srcset)=|https?:/i),
    ).toBeNull();
    expect(style.match(/@import|url\((?!["']?(data:|#))/i)).toBeNull();
    expect([besides.match(/<script\b/gi)?.length, html.match(/<\/script/gi)?.length]).toEqual([2, 2]);
  });

  it("takes what somebody wrote out of everything that the same command writes", () => {
    const files = ["--html", file("out.html"), `--json=${file("out.json")}`, `--md=${file("out.md")}`];
    cliOk(["report", "--workspace", root, "--redact", ...files, "--figures", file("figures")]);
    const figures = readdirSync(file("figures")).map((name) => read(join("figures", name)));
    const texts = [
      read("out.html"),
      JSON.stringify(pageData(file("out.html"))),
      read("out.json"),
      read("out.md"),
      ...figures,
    ];
    expect(texts.filter((text) => text.toLowerCase().includes(MARK.toLowerCase()))).toEqual([]);
    expect(pageData(file("out.html")).report).toEqual(JSON.parse(read("out.json")));
    // The key stays behind.
    expect(texts.join()).not.toContain(readFileSync(join(root, "redaction.key"), "utf8").trim());
  });

  it("replaces figures of an older report, and no other file that has the name of one", () => {
    const asked = ["report", "--workspace", root, "--html", file("never.html"), "--figures"];
    cliOk(["report", "--workspace", root, "--figures", file("figures")]);
    mkdirSync(file("foreign"));
    writeFileSync(file("foreign/notes.txt"), "mine");
    writeFileSync(file("foreign/levels.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const { status, stderr } = cli([...asked, file("foreign")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("levels.svg is there already")]);
    expect(readdirSync(file("foreign")).sort()).toEqual(["levels.svg", "notes.txt"]);
    expect(existsSync(file("never.html"))).toBe(false);
  });

  it("says of how many decisions the workspace has no record any more", async () => {
    const other = await writtenWorkspace();
    const [first] = readFileSync(join(other, "decisions.jsonl"), "utf8").split("\n");
    const told = () => cli(["report", "--workspace", other, "--html", file("lost.html")]).stderr;
    expect(told()).not.toContain("no longer has the record");
    writeFileSync(join(other, "decisions.jsonl"), `${first}\n{"id": "parts", "comm`);
    expect(told()).toContain("Of 2 of 3 decisions listed here the workspace no longer has the record");
    expect(pageData(file("lost.html")).notes.join()).toContain("Of 2 of 3 decisions");
    rmSync(join(other, "decisions.jsonl"));
    expect(told()).toContain("Of 3 of 3 decisions");
  });

  it("leaves single decisions out", () => {
    const { stderr } = cli(["report", "--workspace", root, "--no-decisions", "--html", file("none.html")]);
    expect(stderr).toContain("no single decisions");
    expect(pageData(file("none.html"))).toMatchObject({ decisions: [], decisions_of: null });
  });

  it("is made of an audits file too, and says what is missing", () => {
    const rows = ["__proto__", "</script>", "😀"].map((decision_id) => makeAudit({ decision_id }));
    writeFileSync(file("audits.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const { stderr } = cli(["report", "--audits", file("audits.jsonl"), "--redact", "--html", file("audits.html")]);
    expect(stderr).toContain("Made from a file of audits");
    expect(stderr).toContain("a key that is not kept");
    const page = pageData(file("audits.html"));
    expect(page.decisions.map((one) => one.id)).toEqual(["</script>", "__proto__", "😀"]);
    expect(page.decisions.every((one) => one.body === null && one.audit.logic_chain?.text === null)).toBe(true);
    expect(page.gate_input.look).toBe("once");
  });

  it("is refused at once where it could not be written, and with what it cannot be used with", () => {
    const refused = (...args: string[]) => {
      const { status, stderr } = cli(["report", "--workspace", root, ...args]);
      expect(status).toBe(1);
      return stderr;
    };
    expect(refused("--html", folder)).toContain("is a folder");
    expect(refused("--html", join(folder, "no", "where.html"))).toContain("no such file or folder");
    expect(refused("--redact")).toContain("--redact: requires --html");
    expect(refused("--no-decisions")).toContain("--no-decisions: requires --html");
    expect(refused("--html", file("x.html"), "--decisions", "0")).toContain("from 1 to 5000");
    expect(refused("--html", file("x.html"), "compare", "a", "b")).toContain('"a"');
    expect(existsSync(file("x.html"))).toBe(false);
    expect(refused("--no-decisions", "compare", "a", "b")).toContain("--no-decisions: cannot be used with compare");
    expect(refused("--decisions", "5", "compare", "a", "b")).toContain(
      "error: --decisions: cannot be used with compare",
    );
  });

  it("is refused where flags contradict each other, in either order, and where one would do nothing", () => {
    const refused = (...args: string[]) => {
      const { status, stderr } = cli(["report", "--html", file("never.html"), ...args]);
      expect([status, existsSync(file("never.html"))]).toEqual([1, false]);
      return stderr;
    };
    const contradiction = "--no-decisions: cannot be used with --decisions";
    expect(refused("--workspace", root, "--no-decisions", "--decisions", "5")).toContain(contradiction);
    expect(refused("--workspace", root, "--decisions=5", "--no-decisions")).toContain(contradiction);
    expect(refused("--workspace", root, "--json=")).toContain("--json=: the name of the file is empty");
    expect(refused("--workspace", root, "--json", "--md")).toContain("both would be printed");
    expect(refused("--workspace", root, "--rows", "3")).toContain("--rows: requires tables");
    expect(refused("--workspace", root, "--audits", "a.csv")).toContain("--workspace: cannot be used with --audits");
    const inside = join(root, "rules", "out.json");
    expect(refused("--workspace", root, `--json=${inside}`)).toContain("workspace's own files");
    expect(existsSync(inside)).toBe(false);
  });
});
