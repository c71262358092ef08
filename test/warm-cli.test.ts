import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, cliOk, cliServed, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
const workspace = join(folder, "ws");

beforeAll(() => {
  cliOk(["init", workspace, "--example", "commons-hard"]);
  cliOk(["audit", "--limit", "60", "--workspace", workspace]);
});

/** What a command says without the free space of the disk, which changes while other tests write. */
const steady = (said: ReturnType<typeof cli>) => ({
  ...said,
  stdout: said.stdout.replace(/(disk space: )[\d.]+ .B free/, "$1? free"),
});

describe("a command in the process that tests share", () => {
  it.each([
    ["a result", ["report"]],
    ["JSON alone on stdout", ["report", "--json"]],
    ["a schema", ["schema", "audit"]],
    ["help", ["gate", "--help"]],
    ["a version", ["--version"]],
    ["a mistake", ["report", "--run", "none"]],
    ["a flag that there is not", ["report", "--nonsense"]],
    ["an unknown command", ["reprot"]],
    ["a check that does not hold", ["gate", "--check", "--min-di", "1"]],
    ["doctor", ["doctor"]],
  ])("says what it says in a process of its own: %s", (_, args) => {
    const here = { cwd: workspace };
    expect(steady(cli(args, here))).toEqual(steady(cli(args, { ...here, fresh: true })));
  });

  it("keeps nothing of the command before it: arguments, folder, environment, exit code", async () => {
    const other = join(folder, "other");
    cpSync(workspace, other, { recursive: true });
    expect(cli(["report", "--nonsense"], { cwd: workspace }).status).toBe(1);
    expect(cli(["runs", "list", "--json"], { cwd: other }).status).toBe(0);
    const narrow = cli(["report"], { cwd: other, env: { COLUMNS: "60" } }).stdout;
    const wide = (await cliServed(["report"], { cwd: other })).stdout;
    expect(narrow).not.toBe(wide);
    expect(cli(["report"], { cwd: other }).stdout).toBe(wide);
  });

  it("reads what is piped into it, and its end", () => {
    const line = readFileSync(join(workspace, "decisions.jsonl"), "utf8").split("\n")[0]!;
    const route = { cwd: workspace, input: `${line}\nno JSON\n` };
    const [here, apart] = [
      cli(["route", "-", "--shadow"], route),
      cli(["route", "-", "--shadow"], { ...route, fresh: true }),
    ];
    const plain = (text: string) => text.replace(/"(?:routed_at|route_id)":"[^"]*"/g, "");
    expect(plain(here.stdout)).toBe(plain(apart.stdout));
    expect(here.stderr).toBe(apart.stderr);
    expect(here.status).toBe(apart.status);
  });

  it("may end the process without taking the next command with it", () => {
    const first = cli(["route", "-"], { cwd: workspace });
    const second = cli(["route", "-"], { cwd: workspace, fresh: true });
    expect(first).toEqual(second);
    expect(cli(["--version"]).status).toBe(0);
  });
});
