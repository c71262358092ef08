import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { migrateQueue } from "../src/queue/graphile-queue.js";
import { listActivity } from "../src/store/postgres/access.js";
import { testDatabase } from "../src/store/postgres/database.suite.js";
import { cliServed } from "./support/cli.js";

const { url, database } = await testDatabase();
await migrateQueue(database);
const env = { DATABASE_URL: url, DEFENSIBLE_SECRET: "a long secret for tests, of no other use" };

async function ok(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await cliServed(args, { env });
  expect([status, status === 0 ? "" : stderr], args.join(" ")).toEqual([0, ""]);
  return stdout;
}

/** Without what differs from call to call, and from place to place. */
function numbers(json: string): unknown {
  return JSON.parse(json, (name, value) =>
    ["gate_id", "created_at", "content_hash"].includes(name) ? undefined : value,
  );
}

describe("a workspace that moves between files and a database", () => {
  it("has the same report and gate in both, and after moving back", { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "defensible-move-"));
    const [there, back] = [join(folder, "there"), join(folder, "back")];
    await ok("init", there, "--example");
    const inFiles = (dir: string) => ["--workspace", dir];
    await ok("audit", ...inFiles(there), "--flip", "20");
    await ok("calibrate", ...inFiles(there), "--target", "gold");
    await ok("gate", "apply", ...inFiles(there));
    await ok("tenant", "import", "moved", "--from", there);
    const inDatabase = ["--database", url, "--workspace", "moved"];
    await ok("tenant", "export", "moved", "--out", back);
    const both = async (...args: string[]) =>
      Promise.all(
        [inFiles(there), inDatabase, inFiles(back)].map(async (place) => numbers(await ok(...args, ...place))),
      );
    for (const args of [
      ["report", "--json"],
      ["gate", "--json", "--dry-run"],
      ["gate", "history", "--json"],
      ["runs", "--json"],
      ["calibrate", "list", "--json"],
    ]) {
      const [files, moved, returned] = await both(...args);
      expect(moved, args.join(" ")).toEqual(files);
      expect(returned, `${args.join(" ")}, moved back`).toEqual(files);
    }
    // What is there stays: a second copy adds nothing.
    expect(await ok("tenant", "import", "moved", "--from", back)).toContain(
      "0 decisions, 0 rules, 0 runs, 0 audits, 0 labels",
    );
  });

  it("is audited, calibrated, gated and routed where it is", { timeout: 300_000 }, async () => {
    const name = ["--database", "--workspace", "moved"];
    const audited = JSON.parse(await ok("audit", ...name, "--new", "--json"));
    expect(audited).toMatchObject({ status: "sealed" });
    expect(JSON.parse(await ok("report", ...name, "--json"))).toMatchObject({ run: { run_id: audited.run_id } });
    await ok("gate", "apply", ...name);
    await ok("gate", "close", "a drill", ...name, "--person", "ann");
    await ok("gate", "open", ...name, "--person", "ann");
    // What was copied is no change of this gate.
    const noted = await listActivity(database, "moved", Number.MAX_SAFE_INTEGER, 10);
    expect(noted.map(({ action, subject }) => `${action} ${subject}`).filter((one) => /^gate/.test(one))).toEqual([
      "gate.open ",
      "gate.close a drill",
      expect.stringMatching(/^gate\.apply ./),
    ]);
    expect(noted.slice(0, 2).map(({ actor }) => actor)).toEqual(["ann", "ann"]);
    const decision = '{"id":"n1","community":"gardening","content":"A question","decision":"approve"}';
    expect(JSON.parse(await ok("route", ...name, "--run", "newest", "--decision", decision))).toMatchObject({
      route: "review",
    });
    const { status, stderr } = await cliServed(["report", "--database", url, "--workspace", "nowhere"], { env });
    expect([status, stderr]).toEqual([1, expect.stringContaining("It has: moved.")]);
  });
});
