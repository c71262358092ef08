import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { lintSchema } from "../src/core/results/lint.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
const workspace = join(folder, "try");

beforeAll(() => {
  cliOk(["init", workspace, "--example", "commons-hard"]);
  cliOk(["audit", "--workspace", workspace]);
});

describe("defensible rules lint", () => {
  it("reads the workspace's rules beside what its newest run cites", () => {
    const lint = lintSchema.parse(JSON.parse(cliOk(["rules", "lint", "--workspace", workspace, "--json"])));
    expect(lint.rules).toBeGreaterThan(90);
    expect(lint.run_id).not.toBeNull();
    expect(lint.checks).toHaveProperty("never_cited");
    expect(lint.findings).toContainEqual(
      expect.objectContaining({ check: "catch_all", scope: "platform", rule_id: "P7" }),
    );
    const open = lint.findings.filter(({ check }) => check === "often_open");
    expect(open.every(({ message }) => Number(/ of (\d+) /.exec(message)![1]) >= 10)).toBe(true);
    const newest = JSON.parse(cliOk(["rules", "lint", "--run", "newest", "--workspace", workspace, "--json"]));
    expect(newest).toEqual(lint);
    const alone = lintSchema.parse(
      JSON.parse(cliOk(["rules", "lint", "--no-run", "--workspace", workspace, "--json"])),
    );
    expect(alone.run_id).toBeNull();
    expect(alone.checks).not.toHaveProperty("never_cited");
  });

  it("finds the conflict that the sample has with its platform, and leaves rules alone that draw their line", () => {
    const lint = lintSchema.parse(JSON.parse(cliOk(["rules", "lint", "--no-run", "--workspace", workspace, "--json"])));
    expect(lint.findings).toContainEqual(
      expect.objectContaining({ check: "contradiction", community: "repair-cafe", rule_id: "R2" }),
    );
    const terms = lint.findings.filter(({ check }) => check === "undefined_term");
    const names = terms.map(({ community, rule_id }) => `${community ?? "platform"} ${rule_id}`);
    expect(names).toEqual(expect.arrayContaining(["platform P7", "quiet-corner R1"]));
    expect(names).not.toEqual(expect.arrayContaining(["film-club R6"]));
    expect(names).not.toEqual(expect.arrayContaining(["platform P6"]));
  });

  it("checks files, and fails where it was asked to", () => {
    const file = join(folder, "rules.yaml");
    writeFileSync(
      file,
      'scope: community\ncommunity: x\nversion: "1"\nrules:\n  - { id: R1, title: "No spam \\u001b[31m| red" }\n',
    );
    const words = cliOk(["rules", "lint", file]);
    expect(words).toContain("x R1");
    expect(words).not.toContain("\u001b[31m");
    expect(cli(["rules", "lint", file, "--fail-on", "warning"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("of severity warning or worse"),
    });
    expect(cli(["rules", "lint", file, "--fail-on", "error"]).status).toBe(0);
    expect(cli(["rules", "lint", file, "--run", "x"]).stderr).toContain("requires the workspace's own rules");
  });

  it("says what is wrong with a file that is no rule set", () => {
    const file = join(folder, "no.yaml");
    writeFileSync(file, "- a\n");
    expect(cli(["rules", "lint", file])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("not a rule set"),
    });
  });
});
