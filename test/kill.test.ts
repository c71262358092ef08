import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createRng } from "../src/stats/random/create-rng.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

/** Two ways to the same final run may differ only in these. */
const MAY_DIFFER = ["run_id", "created_at", "latency_ms", "attempts"];

/** Enough for several writes of a buffer, in two communities: preparing the rules of each takes longer than its audits. */
const AUDIT = ["audit", "--humans", "--communities", "film-club", "jardin-garden", "--flip", "10", "--workspace"];
const folder = temporaryFolder();
const pristine = join(folder, "pristine");

function finalRun(workspace: string): Record<string, unknown>[] {
  const out = join(workspace, "out.jsonl");
  cliOk(["export", "--workspace", workspace, "--format", "jsonl", "--out", out]);
  const rows = readFileSync(out, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const row of rows) for (const field of MAY_DIFFER) delete row[field];
  return rows;
}

function ledgerFile(workspace: string): string {
  const [run] = readdirSync(join(workspace, "runs"));
  return join(workspace, "runs", run!, "audits.jsonl");
}

function fresh(name: string): string {
  const workspace = join(folder, name);
  cpSync(pristine, workspace, { recursive: true });
  return workspace;
}

describe("a run killed with SIGKILL and repeated ends as an undisturbed one", () => {
  let expected: Record<string, unknown>[] = [];
  let bytes = Buffer.alloc(0);

  beforeAll(() => {
    cliOk(["init", pristine, "--example", "commons-hard"]);
    // Copies of a workspace share the key that hashes what an audit read.
    writeFileSync(join(pristine, "content.key"), `${"5a".repeat(32)}\n`);
    const undisturbed = fresh("undisturbed");
    cliOk([...AUDIT, undisturbed]);
    expected = finalRun(undisturbed);
    const unsealed = fresh("unsealed");
    cli([...AUDIT, unsealed], { kill: { KILL_AT_RENAME: "before" } });
    bytes = readFileSync(ledgerFile(unsealed));
  });

  const check = (name: string, kill: Record<string, string>) => {
    const workspace = fresh(name);
    const killed = cli([...AUDIT, workspace], { kill });
    expect(killed.signal, killed.stderr).toBe("SIGKILL");
    const run = readdirSync(join(workspace, "runs"))[0]!;
    // The lock of the dead process is still there.
    expect(readdirSync(join(workspace, "runs", run))).toContain("lock");
    if (kill.KILL_AT_BYTE) expect(statSync(ledgerFile(workspace)).size).toBe(Number(kill.KILL_AT_BYTE));
    cliOk([...AUDIT, workspace]);
    expect(readdirSync(join(workspace, "runs"))).toEqual([run]);
    expect(readdirSync(join(workspace, "runs", run)).sort()).toEqual(["audits.parquet", "manifest.json"]);
    expect(finalRun(workspace)).toEqual(expected);
    rmSync(workspace, { recursive: true });
  };

  it("at 20 seeded byte offsets of the ledger file", { timeout: 300_000 }, () => {
    expect(bytes.length).toBeGreaterThan(100_000);
    const rng = createRng(20);
    for (let i = 0; i < 20; i++) check(`byte-${i}`, { KILL_AT_BYTE: String(1 + rng.int(bytes.length - 2)) });
  });

  it("in the middle of a UTF-8 character", () => {
    const inside = bytes.findIndex((byte) => (byte & 0xc0) === 0x80);
    expect(inside).toBeGreaterThan(0);
    check("utf8", { KILL_AT_BYTE: String(inside) });
  });

  it("at the very first byte, and one byte before the end of a line", () => {
    check("first", { KILL_AT_BYTE: "1" });
    check("newline", { KILL_AT_BYTE: String(bytes.indexOf(10, bytes.length / 3)) });
  });

  it("just before and just after the renaming that seals it", () => {
    check("before", { KILL_AT_RENAME: "before" });
    check("after", { KILL_AT_RENAME: "after" });
  });

  it("twice in a row", () => {
    const workspace = fresh("twice");
    for (const share of [0.3, 0.7]) {
      cli([...AUDIT, workspace], { kill: { KILL_AT_BYTE: String(Math.floor(share * bytes.length)) } });
    }
    cliOk([...AUDIT, workspace]);
    expect(finalRun(workspace)).toEqual(expected);
  });
});
