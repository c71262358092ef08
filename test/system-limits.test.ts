import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CLI, cli, cliOk, temporaryFolder } from "./support/cli.js";

describe.skipIf(process.platform !== "linux")("limits of the shell", () => {
  const workspace = join(temporaryFolder(), "ws");
  beforeAll(() => void cliOk(["init", workspace, "--example", "commons-hard"]));

  const limited = (limit: string, ...args: string[]) =>
    spawnSync("bash", ["-c", `ulimit ${limit}; exec "$0" "$@"`, process.execPath, CLI, ...args], { encoding: "utf8" });

  it.each([24, 64, 127])("%d descriptors are refused in a sentence", (descriptors) => {
    const { status, stderr } = limited(`-n ${descriptors}`, "report", "--workspace", workspace);
    expect([status, stderr]).toEqual([
      1,
      `error: open files: the limit is ${descriptors}, at least 128 are needed\nRaise it and repeat the command: ulimit -n 1024\n`,
    ]);
  });

  it("files that may not grow are told with their name and a remedy", { timeout: 60_000 }, () => {
    const { status, stderr } = limited("-f 16", "audit", "--workspace", workspace);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: .*: larger than the largest file that is allowed$/m);
    expect(stderr).toContain("ulimit -f unlimited");
    expect(stderr).not.toContain("internal error");
    cliOk(["audit", "--workspace", workspace]);
  });
});

describe("what was typed", () => {
  const HOSTILE = "\u001b[31mx\u001b]0;title\u0007\u202e\u009b2J";

  it.each([
    [HOSTILE],
    ["audit", `--${HOSTILE}`],
    ["audit", "--temperature", HOSTILE],
    ["report", HOSTILE, HOSTILE, HOSTILE],
    ["gate", "--mode", HOSTILE],
    ["rules", HOSTILE],
    ["show", HOSTILE],
    ["schema", HOSTILE],
  ])("is repeated without its control characters: %j", (...args) => {
    const { status, stdout, stderr } = cli(args);
    expect(status).toBe(1);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
