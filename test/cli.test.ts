import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { reportSchema } from "../src/core/results/report.js";
import { SCHEMAS } from "../src/entry/schemas.js";
import { CLI, cli, cliOk, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
const sample = join(folder, "sample");

function copyOf(name: string): string {
  const path = join(folder, name);
  cpSync(sample, path, { recursive: true });
  return path;
}

beforeAll(() => {
  cliOk(["init", sample, "--example", "commons-hard"]);
});

describe("every command", () => {
  const commands = ["init", "import", "cohort", "audit", "report", "show", "runs", "export", "schema", "doctor"];

  it("has help with an example, and is listed", () => {
    const help = cliOk(["--help"]);
    for (const command of commands) {
      expect(help).toContain(`  ${command}`);
      expect(cliOk([command, "--help"])).toMatch(/Examples?:\n {2}\$ defensible/);
    }
  });

  it("ends with 1 and one sentence on a mistake, without a stack trace", () => {
    const mistakes = [
      ["nonsense"],
      ["audit", "--nonsense"],
      ["audit", "--limit", "0", "--workspace", sample],
      ["audit", "--limit", "many", "--workspace", sample],
      ["audit", "--tier", "poster", "--workspace", sample],
      ["audit", "--auditor", "oracle", "--workspace", sample],
      ["audit", "--filter", "colour=red", "--workspace", sample],
      ["audit", "--filter", "nonsense", "--workspace", sample],
      ["audit", "--cohort", "absent", "--workspace", sample],
      ["audit", "--communities", "nowhere", "--workspace", sample],
      ["audit", "--run", "absent", "--workspace", sample],
      ["report", "--workspace", join(folder, "absent")],
      ["report", "--audits", join(folder, "absent.csv")],
      ["report", "--audits", sample],
      ["report", "--workspace", sample],
      ["export", "--workspace", sample, "--format", "csv"],
      ["runs", "show", "absent", "--workspace", sample],
      ["schema", "absent"],
      ["init", sample],
      ["import", join(folder, "absent.jsonl"), "--workspace", sample],
    ];
    for (const args of mistakes) {
      const { status, stderr } = cli(args, { cwd: folder });
      expect(status, args.join(" ")).toBe(1);
      expect(stderr, args.join(" ")).toBeTruthy();
      expect(stderr, args.join(" ")).not.toMatch(/\n\s+at |internal error/);
    }
  });

  it("writes results in the format of the file's ending with --out, several at once, and with --json FILE", () => {
    const workspace = copyOf("out");
    cliOk(["audit", "--communities", "film-club", "quiet-corner", "--workspace", workspace]);
    const at = (name: string) => join(folder, `out-${name}`);
    const [json, md, html, svg] = [at("r.json"), at("r.md"), at("r.html"), join(folder, "levels.svg")];
    const files = [json, md, html, svg].flatMap((file) => ["--out", file]);
    const { stdout } = cli(["report", ...files, "--workspace", workspace]);
    expect(stdout).toBe("");
    expect(JSON.parse(readFileSync(json, "utf8")).counts.verdicts).toBeGreaterThan(0);
    expect(readFileSync(md, "utf8")).toMatch(/^# /);
    expect(readFileSync(html, "utf8")).toMatch(/^<!doctype html>/i);
    expect(readFileSync(svg, "utf8")).toMatch(/^<svg/);
    const runs = at("runs.json");
    cliOk(["runs", "--json", runs, "--workspace", workspace]);
    expect(JSON.parse(readFileSync(runs, "utf8"))).toBeInstanceOf(Array);
    const unknown = cli(["report", "--out", at("r.docx"), "--workspace", workspace]);
    expect([unknown.status, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/cannot be written as \.docx\nThis command writes \.json, \.md, \.html, \.svg\./),
    ]);
    const figure = cli(["report", "--out", at("nothing.svg"), "--workspace", workspace]);
    expect([figure.status, figure.stderr]).toEqual([
      1,
      expect.stringMatching(/no figure of this name\nName one of: .*levels/),
    ]);
  });

  it("shows technical notices with --verbose only, wherever it is written, and says that there are some", () => {
    const workspace = copyOf("verbose");
    writeFileSync(
      join(workspace, "pds_weights.json"),
      JSON.stringify({ alpha: 0.2, beta: 0.5, gamma: 0.3, component: "h_w" }),
    );
    const audit = (...args: string[]) => cli([...args, "--new", "--workspace", workspace]).stderr;
    const quiet = audit("audit", "--limit", "5");
    expect(quiet).toContain("1 technical notice left out; --verbose shows it.");
    expect(quiet).not.toContain("pds_weights.json");
    for (const args of [
      ["audit", "--verbose"],
      ["--verbose", "audit"],
    ]) {
      const told = audit(...args, "--limit", "5");
      expect(told).toContain("pds_weights.json does not say which auditor");
      expect(told).not.toContain("left out");
    }
  });

  it("finds runs by a part of their id and by how new they are, and guesses what a mistyped name means", () => {
    const workspace = copyOf("names");
    const audit = (...flags: string[]): { run_id: string } =>
      JSON.parse(cliOk(["audit", "--json", "--workspace", workspace, ...flags]));
    const first = audit("--communities", "quiet-corner");
    const second = audit("--tier", "title", "--communities", "quiet-corner");
    const shown = (name: string) =>
      JSON.parse(cliOk(["runs", "show", name, "--json", "--workspace", workspace])).run_id;
    expect(shown(first.run_id.slice(-4))).toBe(first.run_id);
    expect([shown("newest"), shown("newest~1")]).toEqual([second.run_id, first.run_id]);
    const part = second.run_id.slice(-4);
    for (const args of [["report"], ["show"], ["gate"], ["export", "--out", join(folder, "named.csv")]]) {
      expect(cli([...args, "--run", part, "--workspace", workspace]), args[0]).toMatchObject({ status: 0 });
    }
    const error = (...args: string[]) => cli([...args, "--workspace", workspace]).stderr;
    expect(error("report", "--run", first.run_id.slice(0, 4))).toMatch(/is the name of several\nWrite more of it: /);
    expect(error("report", "--run", "newst")).toContain("Did you mean newest?");
    expect(error("audit", "--communities", "quiet-cornre")).toContain("Did you mean quiet-corner?");
    expect(error("show", "--community", "quiet-cornre")).toContain("Did you mean quiet-corner?");
    expect(error("audit", "--auditor", "openia:gpt-4.1-mini")).toContain("Did you mean openai:gpt-4.1-mini?");
    // What the library calls `auditor` is a flag here.
    expect(error("audit", "--auditor", "openia:gpt-4.1-mini")).toContain("Name one of them as --auditor, or in");
    expect(error("route", join(workspace, "decision.jsonl"))).toContain(
      `Did you mean ${join(workspace, "decisions.jsonl")}?`,
    );
    expect(error("gate", "check", "--require", "community:quiet-cornre")).toContain("did you mean quiet-corner?");
    expect(error("gate", "aply")).toContain("Did you mean `gate apply`?");
  });

  it("prints JSON alone on stdout with --json, and into a file with --json=FILE", () => {
    const workspace = copyOf("json");
    const audit = cli(["audit", "--json", "--communities", "film-club", "--workspace", workspace]);
    expect(JSON.parse(audit.stdout)).toMatchObject({ status: "sealed", counts: { errors: 0 } });
    const out = join(folder, "report.json");
    const { stdout } = cli(["report", `--json=${out}`, "--workspace", workspace]);
    expect(stdout).toBe("");
    expect(reportSchema.safeParse(JSON.parse(readFileSync(out, "utf8"))).error).toBeUndefined();
    for (const args of [["runs"], ["cohort"], ["doctor"], ["runs", "list"]]) {
      expect(() => JSON.parse(cli([...args, "--json", "--workspace", workspace]).stdout), args.join(" ")).not.toThrow();
    }
  });

  it("survives a reader that goes away", async () => {
    const child = spawn("sh", ["-c", `node ${CLI} schema report | head -1`]);
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(stderr).toBe("");
  });

  it("prints the JSON Schema of every format", () => {
    for (const name of Object.keys(SCHEMAS)) expect(JSON.parse(cliOk(["schema", name]))).toHaveProperty("title", name);
  });
});

describe("audit", () => {
  it("says what it would do, does it, and does nothing when it is done", () => {
    const workspace = copyOf("audit");
    expect(cliOk(["audit", "--dry-run", "--workspace", workspace])).toMatch(/382 audits planned/);
    expect(existsSync(join(workspace, "runs")) ? readdirSync(join(workspace, "runs")) : []).toEqual([]);
    expect(cliOk(["audit", "--workspace", workspace])).toMatch(/Finished run .*: 382 verdicts, 0 unscored, 0 errors/);
    expect(cliOk(["audit", "--workspace", workspace])).toMatch(/is complete/);
    expect(readdirSync(join(workspace, "runs"))).toHaveLength(1);
    cliOk(["audit", "--new", "--workspace", workspace]);
    cliOk(["audit", "--tier", "title", "--workspace", workspace]);
    expect(readdirSync(join(workspace, "runs"))).toHaveLength(3);
    expect(cliOk(["runs", "--workspace", workspace])).toMatch(/sealed/);
  });

  it("can be narrowed by community, filter, cohort, sample and limit", () => {
    const workspace = copyOf("narrow");
    const count = (args: string[]) =>
      JSON.parse(cliOk(["audit", "--dry-run", "--json", ...args, "--workspace", workspace])).counts.planned;
    expect(count(["--communities", "film-club", "quiet-corner"])).toBe(56);
    expect(count(["--filter", "decision=remove", "--filter", "community=film-club"])).toBeLessThan(28);
    expect(count(["--filter", "tags=appeal"])).toBeGreaterThan(20);
    expect(count(["--limit", "5"])).toBe(5);
    expect(count(["--sample", "20", "--seed", "3"])).toBe(20);
    expect(count(["--limit", "4", "--replicates", "3"])).toBe(12);
    expect(count(["--humans"])).toBe(382 + 127);
    cliOk(["cohort", "create", "some", "--random", "30", "--workspace", workspace]);
    expect(count(["--cohort", "some"])).toBe(30);
    expect(count(["--cohort", "some", "--communities", "film-club"])).toBeLessThan(30);
  });

  it("refuses a second process on the same run politely, and the run is whole", async () => {
    const workspace = copyOf("two");
    const big = readFileSync(join(workspace, "decisions.jsonl"), "utf8").trim().split("\n");
    const lines = Array.from({ length: 4 }, (_, copy) =>
      big.map((line) => JSON.stringify({ ...JSON.parse(line), id: `${copy}-${JSON.parse(line).id}` })).join("\n"),
    );
    writeFileSync(join(workspace, "decisions.jsonl"), `${lines.join("\n")}\n`);
    const first = spawn(process.execPath, [CLI, "audit", "--workspace", workspace], { stdio: "ignore" });
    const ended = new Promise<number | null>((resolve) => first.on("close", resolve));
    const runs = join(workspace, "runs");
    while (!existsSync(runs) || readdirSync(runs).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    while (!existsSync(join(runs, readdirSync(runs)[0]!, "lock")))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const second = cli(["audit", "--workspace", workspace]);
    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(/another process is writing it/);
    expect(await ended).toBe(0);
    expect(JSON.parse(cliOk(["runs", "--json", "--workspace", workspace]))[0].counts.verdicts).toBe(4 * 382);
  });

  it("stops on Ctrl-C with 130, keeps what is done and goes on when repeated", async () => {
    const workspace = join(folder, "two");
    const child = spawn(process.execPath, [CLI, "audit", "--new", "--workspace", workspace], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const runs = join(workspace, "runs");
    const size = () =>
      Math.max(
        0,
        ...readdirSync(runs).map((run) =>
          existsSync(join(runs, run, "audits.jsonl")) ? readFileSync(join(runs, run, "audits.jsonl")).length : 0,
        ),
      );
    while (size() < 100_000) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(output).toMatch(/Stopped: run .* has \d+ of 1,528 audits. Repeat the command to continue/);
    expect(cliOk(["audit", "--workspace", workspace])).toMatch(/Continued and finished run .*: 1,528 verdicts/);
  });

  it("audits a community without rules against the platform's alone, and says so", () => {
    const workspace = copyOf("ruleless");
    appendFileSync(
      join(workspace, "decisions.jsonl"),
      `${JSON.stringify({ id: "x", community: "new-place", content: "hello", decision: "approve" })}\n`,
    );
    const { status, stderr } = cli(["audit", "--communities", "new-place", "--workspace", workspace]);
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /1 community has no rules of its own and is audited against the platform's alone: new-place/,
    );
    const report = JSON.parse(cliOk(["report", "--json", "--workspace", workspace]));
    expect(report.flags.no_community_rules).toBe(1);
  });

  it("says when the last decision of the file is cut off", () => {
    const workspace = copyOf("torn");
    const path = join(workspace, "decisions.jsonl");
    writeFileSync(path, readFileSync(path, "utf8").slice(0, -100));
    const { status, stderr } = cli(["audit", "--communities", "trail-hiking", "--workspace", workspace]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/last line is cut off/);
    expect(cli(["doctor", "--workspace", workspace]).status).toBe(1);
  });

  it("tells a workspace without decisions what to do", () => {
    const workspace = join(folder, "empty");
    cliOk(["init", workspace]);
    const { status, stderr } = cli(["audit", "--workspace", workspace]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/the workspace has none\n.*defensible import/);
  });

  it("gives the same audits again for the same seed", () => {
    const rows = (name: string) => {
      const workspace = copyOf(name);
      writeFileSync(join(workspace, "content.key"), `${"5a".repeat(32)}\n`);
      cliOk(["audit", "--communities", "film-club", "--temperature", "1", "--workspace", workspace]);
      const out = join(folder, `${name}.jsonl`);
      cliOk(["export", "--format", "jsonl", "--out", out, "--workspace", workspace]);
      return readFileSync(out, "utf8").replace(/"(run_id|created_at)":"[^"]*"|"latency_ms":[\d.]+/g, "");
    };
    expect(rows("seed-a")).toBe(rows("seed-b"));
  });
});

describe("report", () => {
  it("works in a workspace that cannot be written to", () => {
    const workspace = copyOf("readonly");
    cliOk(["audit", "--communities", "film-club", "--workspace", workspace]);
    for (const path of [
      workspace,
      join(workspace, "runs"),
      join(workspace, "runs", readdirSync(join(workspace, "runs"))[0]!),
    ])
      chmodSync(path, 0o555);
    // Root writes anyway; what is tested is that the report does not try to.
    const before = readdirSync(workspace, { recursive: true });
    expect(cliOk(["report", "--against", "gold", "--workspace", workspace])).toMatch(/Defensibility Index/);
    expect(readdirSync(workspace, { recursive: true })).toEqual(before);
    for (const path of [workspace, join(workspace, "runs")]) chmodSync(path, 0o755);
  });

  it("says how far to trust the verdicts, and where that can be asked, by what is there", () => {
    const workspace = copyOf("trust");
    const decisions = join(workspace, "decisions.jsonl");
    const report = (...flags: string[]) => cli(["report", "--workspace", workspace, ...flags]);
    const oneLine = (text: string) => text.replace(/\s+/g, " ");
    cliOk(["audit", "--communities", "film-club", "--workspace", workspace]);
    expect(oneLine(report().stdout)).toMatch(
      /`defensible report --against human`\) or reference annotations \(`--against gold`\)/,
    );
    const gold = oneLine(report("--against", "gold").stdout);
    expect(gold).toContain('"The auditor against reference annotations" below says how far to trust them.');
    expect(gold).not.toContain("a question to ask");
    const audits = join(workspace, "audits.csv");
    cliOk(["export", "--out", audits, "--workspace", workspace]);
    expect(oneLine(cliOk(["report", "--audits", audits]))).toMatch(/a question to ask with labels, in a workspace\./);
    const bare = readFileSync(decisions, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.stringify({ ...JSON.parse(line), gold: null }));
    writeFileSync(decisions, `${bare.join("\n")}\n`);
    const without = report("--against", "gold");
    expect(without.status).toBe(1);
    expect(without.stderr).toMatch(/people's labels of defensibility .*`--against human`/);
    expect(report("--against", "human").stderr).toMatch(/`--against gold`/);
  });

  it("says the same of JSONL, CSV and Parquet exports as of the run itself", () => {
    const workspace = copyOf("formats");
    cliOk(["audit", "--humans", "--workspace", workspace]);
    // A file has no workspace, whose gate could be judged, and no decisions with reasons.
    const strip = ({ run, rules, gate_findings, stated_reasons, ...rest }: Record<string, unknown>) => ({
      ...rest,
      rules: (rules as { title: string | null; cited: number }[])
        .filter((rule) => rule.cited > 0)
        .map((rule) => ({ ...rule, title: null })),
    });
    const direct = strip(JSON.parse(cliOk(["report", "--json", "--workspace", workspace])));
    for (const format of ["jsonl", "csv", "parquet"]) {
      const out = join(folder, `audits.${format}`);
      cliOk(["export", "--format", format, "--out", out, "--workspace", workspace]);
      expect(strip(JSON.parse(cliOk(["report", "--audits", out, "--json"]))), format).toEqual(direct);
    }
  });

  it("reads well on nothing, on one verdict, and on none", () => {
    const file = join(folder, "one.csv");
    writeFileSync(file, "decision_id,community,decision,level,inverse\nd,c,remove,1,no\n");
    expect(cliOk(["report", "--audits", file])).toMatch(/100\.0% {2}of the decisions/);
    writeFileSync(file, "decision_id,community,decision,level,inverse\nd,c,remove,,\n");
    const nothing = cliOk(["report", "--audits", file]);
    expect(nothing).toMatch(/There is no verdict yet/);
    expect(nothing).not.toMatch(/NaN|null|lies in –|undefined(?!\.)/);
  });

  it("writes Markdown to stdout and to a file", () => {
    const workspace = join(folder, "formats");
    const out = join(folder, "report.md");
    cliOk(["report", `--md=${out}`, "--workspace", workspace]);
    expect(readFileSync(out, "utf8")).toBe(cliOk(["report", "--md", "--workspace", workspace]));
    expect(readFileSync(out, "utf8")).toMatch(/^# Defensibility report/);
  });

  it("fits two screens, and every section comes with --verbose; a gate that nothing passes fits one", () => {
    const lines = (...args: string[]) =>
      cliOk([...args, "--workspace", join(folder, "formats")], { env: { COLUMNS: "100" } }).split("\n").length;
    expect(lines("gate")).toBeLessThanOrEqual(30);
    expect(lines("report")).toBeLessThanOrEqual(52);
    expect(lines("report", "--verbose")).toBeGreaterThan(120);
  });
});

describe("show", () => {
  it("lists the least defensible decisions first, and shows one with its reasoning", () => {
    const workspace = copyOf("show");
    cliOk(["audit", "--humans", "--communities", "film-club", "--workspace", workspace]);
    const list = cliOk(["show", "--level", "3", "--workspace", workspace]);
    const id = /film-club-\d+/.exec(list)?.[0] ?? "";
    const one = cliOk(["show", id, "--workspace", workspace]);
    expect(one).toMatch(/Level 3, indefensible/);
    expect(one).toMatch(/Content/);
    expect(cli(["show", "absent", "--workspace", workspace]).stderr).toMatch(/no audit of "absent"/);
    expect(JSON.parse(cliOk(["show", id, "--json", "--workspace", workspace])).decision.id).toBe(id);
  });
});

describe("rules and decisions outside moderation", () => {
  it("run through with other actions and other people's column names", () => {
    const workspace = join(folder, "leave");
    const example = join(import.meta.dirname, "..", "examples", "leave-requests");
    const commands = /```\n([\s\S]*?)```/
      .exec(readFileSync(join(example, "README.md"), "utf8"))![1]!
      .replaceAll("\\\n", " ")
      .trim()
      .split("\n");
    const outputs = commands.map((line) => {
      const args = line
        .trim()
        .split(/\s+/)
        .slice(1)
        .map((arg) => (arg === "leave" ? workspace : arg));
      return cliOk(args, { cwd: example });
    });
    expect(outputs).toHaveLength(4);
    expect(outputs[1]).toMatch(/Imported 12 decisions and 1 rule set; 0 duplicates, 0 rejected/);
    const report = JSON.parse(cliOk(["report", "--json", "--workspace", workspace]));
    expect(Object.keys(report.by_decision).sort()).toEqual(["grant", "refuse"]);
    expect(report.agreement.n_labelled).toBe(12);
    expect(report.counts.verdicts).toBe(12);
  });
});

describe("output", () => {
  it("follows a link, and writes into a pipe without replacing it", async () => {
    const workspace = join(folder, "formats");
    const target = join(folder, "target.csv");
    const link = join(folder, "link.csv");
    writeFileSync(target, "old");
    symlinkSync(target, link);
    cliOk(["export", "--format", "csv", "--out", link, "--workspace", workspace]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toMatch(/^run_id,/);
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("cat", [pipe]);
    let bytes = 0;
    reader.stdout.on("data", (chunk) => {
      bytes += chunk.length;
    });
    const ended = new Promise((resolve) => reader.on("close", resolve));
    cliOk(["report", `--json=${pipe}`, "--workspace", workspace]);
    await ended;
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(bytes).toBeGreaterThan(1000);
  });

  it("tells a full disk, an unreadable file and a closed output in a sentence", () => {
    const workspace = join(folder, "formats");
    for (const flags of ["", "--json"]) {
      const full = spawnSync("sh", ["-c", `node ${CLI} report ${flags} --workspace ${workspace} > /dev/full`], {
        encoding: "utf8",
      });
      expect(full.status).toBe(1);
      expect(full.stderr).toMatch(/^error: standard output: .*no space/);
    }
    expect(cli(["constructor"]).stderr).toMatch(/unknown command/);
  });
});

describe("runs", () => {
  it("are listed within 100 columns, whatever is told of them", () => {
    const workspace = copyOf("wide");
    const filters = ["--communities", "film-club", "--sample", "3", "--replicates", "2", "--template", "extended"];
    cliOk(["audit", ...filters, "--workspace", workspace]);
    const text = cliOk(["runs", "list", "--workspace", workspace]);
    expect(text).toMatch(/6 of 6\s+wiki, T = 0.2; /);
    for (const line of text.split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
  });

  it("asks before deleting, and deletes with --yes", () => {
    const workspace = copyOf("delete");
    cliOk(["audit", "--limit", "3", "--workspace", workspace]);
    const run = readdirSync(join(workspace, "runs"))[0]!;
    const asked = cli(["runs", "delete", run, "--workspace", workspace]);
    expect(asked.status).toBe(1);
    expect(asked.stderr).toMatch(/--yes/);
    expect(cliOk(["runs", "delete", run, "--yes", "--workspace", workspace])).toMatch(/Deleted run/);
    expect(readdirSync(join(workspace, "runs"))).toEqual([]);
  });

  it("are listed beside one whose manifest is damaged; none of them is taken for the newest until that one is deleted", () => {
    const workspace = copyOf("damaged");
    cliOk(["audit", "--limit", "3", "--workspace", workspace]);
    mkdirSync(join(workspace, "runs", "broken"));
    writeFileSync(join(workspace, "runs", "broken", "manifest.json"), "{");
    const { status, stderr } = cli(["runs", "--workspace", workspace]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/run broken: its manifest.json cannot be read/);
    const [sound] = JSON.parse(cliOk(["runs", "--json", "--workspace", workspace])) as { run_id: string }[];
    for (const command of ["report", "show", "gate"]) {
      const refused = cli([command, "--workspace", workspace]);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(/run broken: its manifest.json cannot be read/);
      cliOk([command, "--run", sound!.run_id, "--workspace", workspace]);
    }
    const named = JSON.parse(cliOk(["gate", "--json", "--run", sound!.run_id, "--workspace", workspace]));
    expect(named.in_force).toMatchObject({ status: "what_if", text: expect.stringContaining("may be newer") });
    expect(existsSync(join(workspace, "gate", "current.json"))).toBe(false);
    expect(cli(["doctor", "--workspace", workspace]).stdout).toMatch(/broken: its manifest.json cannot be read/);
    cliOk(["runs", "delete", "broken", "--yes", "--workspace", workspace]);
    expect(readdirSync(join(workspace, "runs"))).toHaveLength(1);
    cliOk(["report", "--workspace", workspace]);
  });

  it("passes over a folder in runs that is no run", () => {
    const workspace = copyOf("stray");
    mkdirSync(join(workspace, "runs", "stray"), { recursive: true });
    expect(cliOk(["runs", "--workspace", workspace])).toMatch(/There is no run yet/);
  });
});

describe("files that a command writes", () => {
  it("are never those of the workspace, nor those it reads", () => {
    const root = join(temporaryFolder(), "workspace");
    cliOk(["init", root, "--example", "commons-hard"]);
    cliOk(["audit", "--workspace", root, "--limit", "20"]);
    const before = readFileSync(join(root, "decisions.jsonl"), "utf8");
    for (const args of [
      ["route", "decisions.jsonl", "--run", "newest", "--out", "decisions.jsonl"],
      ["prompts", "--out", "decisions.jsonl"],
      ["export", "--what", "audits", "--format", "jsonl", "--out", "decisions.jsonl"],
      ["gate", "--dry-run", "--json=decisions.jsonl"],
      ["gate", "--json=gate/current.json"],
      ["route", "decisions.jsonl", "--run", "newest", "--out", "gate/routes.jsonl"],
      ["report", "--out", "rules/report.md"],
    ]) {
      const { status, stderr } = cli(args, { cwd: root });
      expect([status, stderr], args.join(" ")).toEqual([
        1,
        expect.stringMatching(
          /is read by this command|workspace's own files|file of the workspace|keeps its own files/,
        ),
      ]);
    }
    expect(readFileSync(join(root, "decisions.jsonl"), "utf8")).toBe(before);
    expect(cli(["gate", "--json=gate.json"], { cwd: root }).status).toBe(0);
  });
});
