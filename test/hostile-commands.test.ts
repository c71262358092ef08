import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, temporaryFolder } from "./support/cli.js";
import { hostileWorkspace } from "./web/hostile-workspace.js";

/** Every command over a workspace whose names and texts are all hostile. A new command belongs here. */
const COMMANDS: readonly (readonly string[])[] = [
  ["doctor"],
  ["runs"],
  ["runs", "show", "29990101T000000Z-0666"],
  ["audit"],
  ["audit", "--dry-run"],
  ["decide", "--decider", "baseline", "--dry-run"],
  ["report"],
  ["report", "--md"],
  ["report", "--json"],
  ["report", "--against", "human"],
  ["gate"],
  ["gate", "--md"],
  ["gate", "--json"],
  ["calibrate"],
  ["calibrate", "--md"],
  ["calibrate", "--json"],
  ["calibrate", "list"],
  ["experiment", "signal"],
  ["experiment", "gap"],
  ["experiment", "circularity"],
  ["experiment", "dual", "--limit", "4"],
  ["rules", "draft", join(import.meta.dirname, "guidelines", "riverside-forums.md")],
  ["rules", "lint"],
  ["rules", "lint", "--json"],
  ["rules", "tiers", "--limit", "4"],
  ["rules", "scopes", "--limit", "4"],
  ["plan"],
  ["humans", "report"],
  ["stability", "--limit", "4"],
  ["show"],
  ["show", "--level", "3"],
  ["cohort", "list"],
  ["seal"],
  ["verify"],
  ["route", "--help"],
];
const OUTPUTS: readonly (readonly string[])[] = [
  ["report", "--html"],
  ["export", "--format", "csv", "--out"],
  ["export", "--format", "jsonl", "--out"],
  ["export", "--format", "parquet", "--out"],
  ["humans", "sample", "--out"],
];

describe("a workspace whose names are all hostile", () => {
  const folder = temporaryFolder();
  const root = join(folder, "ws");
  beforeAll(async () => {
    cpSync((await hostileWorkspace()).root, root, { recursive: true });
  }, 120_000);

  const check = (args: readonly string[]) => {
    const { status, stdout, stderr } = cli([...args, "--workspace", root]);
    expect(stderr).not.toContain("internal error");
    expect([0, 1, 2, 3], stderr).toContain(status);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  };

  it.each(COMMANDS.map((args) => [args.join(" "), args] as const))(
    "%s ends without an internal error",
    { timeout: 120_000 },
    (_, args) => check(args),
  );
  it.each(OUTPUTS.map((args) => [args.join(" "), args] as const))(
    "%s FILE ends without an internal error",
    { timeout: 120_000 },
    (title, args) => check([...args, join(folder, `out-${title.replace(/\W+/g, "-")}`)]),
  );
});
