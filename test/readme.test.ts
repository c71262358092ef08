import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cliOk, temporaryFolder } from "./support/cli.js";

const README = join(import.meta.dirname, "..", "README.md");

describe("the README", () => {
  it("has the two commands", () => {
    const text = readFileSync(README, "utf8");
    expect(text).toContain("\nnpm ci && npm run demo\n");
    expect(text).toContain("\nnpm ci && npm test\n");
  });

  it("shows what the demo prints", () => {
    const workspace = join(temporaryFolder(), "demo");
    cliOk(["init", workspace, "--example", "commons-hard"]);
    cliOk(["audit", "--humans", "--flip", "all", "--workspace", workspace]);
    const printed = cliOk(["report", "--against", "gold", "--workspace", workspace]);
    const shown = /<!-- demo -->\s*```\n([\s\S]*?)\n```/.exec(readFileSync(README, "utf8"))?.[1] ?? "";
    const anyRun = (text: string) => text.replace(/run \d{8}T\d{6}Z-[0-9a-f]{4}/, "run …");
    expect(shown.split("\n").length).toBeGreaterThan(10);
    expect(anyRun(printed)).toContain(anyRun(shown));
  });
});
