import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "../store/files/workspace.js";
import { addOutOption, refuseOwnOutputs, spreadOutFiles, withOutFormats } from "./out-files.js";
import { joinFileFlags } from "./run.js";

function plain(name: string): Command {
  return new Command(name)
    .option("--json")
    .addOption(new Option("--json-file <file>").hideHelp())
    .option("--md")
    .addOption(new Option("--md-file <file>").hideHelp());
}

/** What a command gets for `--out` flags. */
function given(command: Command, ...args: string[]): Record<string, unknown> {
  addOutOption(command);
  let found: Record<string, unknown> = {};
  command
    .exitOverride()
    .hook("preAction", (_, one) => spreadOutFiles(one))
    .action((options: Record<string, unknown>) => {
      found = { ...options };
    })
    .parse(args, { from: "user" });
  return found;
}

describe("--out", () => {
  it("writes each file in the format of its ending", () => {
    expect(given(plain("a"), "--out", "x.json", "--out", "y.MD")).toEqual({ jsonFile: "x.json", mdFile: "y.MD" });
    const lines = withOutFormats(plain("a"), { ".jsonl": "jsonFile" });
    expect(given(lines, "--out", "routes.jsonl")).toEqual({ jsonFile: "routes.jsonl" });
  });

  it("lists what can be written where an ending is unknown or missing, and refuses two files of one format", () => {
    const remedy = (...args: string[]) => {
      try {
        given(plain("a"), ...args);
      } catch (cause) {
        return cause as { message: string; remedy: string };
      }
      return expect.unreachable();
    };
    expect(remedy("--out", "x.docx")).toMatchObject({
      message: "--out x.docx: cannot be written as .docx",
      remedy: "This command writes .json, .md.",
    });
    expect(remedy("--out", "x").message).toContain("no ending");
    expect(remedy("--out", "constructor").message).toContain("no ending");
    expect(remedy("--out", "x.json", "--out", "y.json").message).toContain("x.json is to get the same");
  });

  it("leaves a command its own --out, and takes further files for its summary", () => {
    const own = () => plain("a").requiredOption("--out <file>", "the attack file");
    expect(given(own(), "--out", "a.jsonl")).toEqual({ out: "a.jsonl" });
    expect(given(own(), "--out", "a.json", "--out", "a.md")).toEqual({ out: "a.json", mdFile: "a.md" });
    expect(given(own(), "--out", "a.md", "--out", "a.jsonl")).toEqual({ out: "a.jsonl", mdFile: "a.md" });
    expect(() => given(own(), "--out", "a.md")).toThrow(/the file itself is missing/);
    const folder = plain("a").option("--out <dir>", "folder");
    expect(given(folder, "--out", "sheet")).toEqual({ out: "sheet" });
  });
});

describe("the workspace's own files", () => {
  const folder = mkdtempSync(join(tmpdir(), "out-files-"));
  const { root, paths } = createWorkspace(join(folder, "ws"));

  /** Checks one flag of a command in this workspace. */
  function writing(flag: string, path: string): Promise<void> {
    const command = plain("report").option("--figures <dir>").option("--workspace <dir>");
    command.exitOverride().parse([flag, path, "--workspace", root], { from: "user" });
    return refuseOwnOutputs(command);
  }
  const refusal = { code: "is_workspace_file" };

  it("are never written over", async () => {
    const folders = [paths.rules, paths.experiments, paths.humans];
    for (const path of [...folders, dirname(paths.truth)]) mkdirSync(path, { recursive: true });
    const own = [
      ...[paths.config, paths.decisions, paths.redactionKey, paths.truth, paths.simulation],
      ...folders.map((path) => join(path, "boats.yaml")),
    ];
    for (const path of own) if (!existsSync(path)) writeFileSync(path, "");
    for (const path of own) await expect(writing("--json-file", path), path).rejects.toMatchObject(refusal);
    writeFileSync(join(root, "report.json"), "{}");
    for (const name of ["report.json", "new.json", "rules.json"]) await writing("--json-file", join(root, name));
  });

  it("get no neighbours that would be taken for one of them, though nothing is there yet", async () => {
    const link = join(folder, "link-to-rules");
    symlinkSync(paths.rules, link);
    const places = [
      join(paths.rules, "out.json"),
      join(paths.experiments, "diff.json"),
      join(paths.gate, "closed.json"),
      ...[paths.labels, paths.decisionsParquet, paths.weights],
      join(link, "out.json"),
      join(root, "runs", "..", "labels.jsonl"),
    ];
    for (const path of places) await expect(writing("--json-file", path), path).rejects.toMatchObject(refusal);
    await expect(writing("--figures", join(paths.runs, "figures"))).rejects.toMatchObject(refusal);
    await writing("--figures", join(root, "figures"));
  });
});

describe("--json FILE", () => {
  const program = new Command("program");
  program.addCommand(
    plain("report")
      .option("--run <id>")
      .option("--only <names...>")
      .addCommand(plain("compare").argument("<a>").argument("<b>")),
  );
  program.addCommand(plain("import").argument("<files...>"));
  program.addCommand(plain("show").argument("[decision]"));
  const joined = (line: string) => joinFileFlags(program, line.split(" ")).join(" ");

  it("is --json=FILE where no argument can be meant", () => {
    expect(joined("report --json out.json --run x")).toBe("report --json-file out.json --run x");
    expect(joined("report --md out.md --json out.json")).toBe("report --md-file out.md --json-file out.json");
    expect(joined("report compare A B --json out.json")).toBe("report compare A B --json-file out.json");
    expect(joined("report --only a b --json x.json")).toBe("report --only a b --json-file x.json");
    expect(joined("show d1 --json out.json")).toBe("show d1 --json-file out.json");
  });

  it("swallows no argument", () => {
    for (const line of [
      "import --json rules.json",
      "import a.jsonl --json rules.json",
      "show --json d1.json",
      "report compare --json a.json b.json",
      "report --json --run x.json",
      "report --json",
    ]) {
      expect(joined(line)).toBe(line);
    }
  });

  it("finds words that are no subcommand, and no values of flags", () => {
    expect(() => joined("report --run x compar A B")).toThrow('report: there is no subcommand "compar"');
    // The flag is what is wrong here, and commander says so.
    expect(joined("report --unknown 5000")).toBe("report --unknown 5000");
    const runs = new Command("program").addCommand(
      new Command("runs").addCommand(plain("list").option("--workspace <dir>"), { isDefault: true }),
    );
    expect(joinFileFlags(runs, ["runs", "--workspace", "dir", "--json", "x.json"])).toEqual([
      "runs",
      "--workspace",
      "dir",
      "--json-file",
      "x.json",
    ]);
  });
});
