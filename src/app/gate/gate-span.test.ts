import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { addRun, fleetAudits, newWorkspace } from "../../../test/support/make-gate-workspace.js";
import { openAuditTable } from "../../analysis/audit-table.js";
import { countGateCohorts } from "../../analysis/gate/counts.js";
import { gateRefusal } from "../../present/gate/gate-words.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { failure } from "../../store/files/in-temp-folder.suite.js";
import { fileContext, fileStores } from "../../store/files/stores.js";
import { openWorkspace } from "../../store/files/workspace.js";
import { worded } from "../notices.js";
import { gateSpan } from "./gate-runs.js";

const folder = temporaryFolder();
const now = () => new Date("2026-03-20T00:00:00Z");

async function spanOf(root: string, run: string, settings: Parameters<typeof gateSpan>[2]) {
  const workspace = openWorkspace(root);
  return gateSpan(fileContext(workspace, now), await fileStores(workspace).runs.manifest(run), settings);
}

const counted = (joined: NonNullable<Awaited<ReturnType<typeof spanOf>>>) =>
  withDuckDB(async (db) => {
    const table = await openAuditTable(db, joined.source, { also: ["decided_at"] });
    const cohorts = await countGateCohorts(table, { by: ["community"] });
    return cohorts.map(({ key, n, indefensible }) => [key, n, indefensible]);
  });

describe("gateSpan", () => {
  it("joins the newest audit of each decision over runs of one auditor and prompt, by the time of the decision", async () => {
    const root = newWorkspace(folder);
    const january = fleetAudits({ calm: { n: 30, bad: 3, from: "2026-01-10T00:00:00Z" } });
    const march = fleetAudits({ calm: { n: 40, bad: 4, from: "2026-03-01T00:00:00Z" } });
    const later = fleetAudits({ other: { n: 20, from: "2026-03-10T00:00:00Z" } });
    await addRun(root, fleetAudits({ calm: { n: 50, from: "2026-03-02T00:00:00Z" } }), {
      run_id: "001",
      prompt_version: "0",
    });
    await addRun(root, [...january, ...march], { run_id: "002" });
    // Ten of the decisions of March were audited again, with another verdict.
    const again = march.slice(0, 10).map((audit) => ({ ...audit, level: 3 as const, level_map: 3 as const }));
    await addRun(root, [...again, ...later], { run_id: "003" });
    const window = (await spanOf(root, "003", { mode: "shrunk", window_days: 30 }))!;
    expect(window.span).toMatchObject({ window_days: 30, runs: ["003", "002"], from: "2026-02-18T00:00:00.000Z" });
    const bad = march.slice(10).filter((audit) => audit.level === 3).length;
    expect(await counted(window)).toEqual([
      ["calm", 40, 10 + bad],
      ["other", 20, 0],
    ]);
    const epoch = (await spanOf(root, "003", { mode: "certified", since: "2026-01-01" }))!;
    expect(await counted(epoch)).toEqual([
      ["calm", 70, 3 + 10 + bad],
      ["other", 20, 0],
    ]);
    // Another prompt in between ends an epoch; a window passes over it.
    await addRun(root, fleetAudits({ calm: { n: 5 } }), { run_id: "004", prompt_version: "0" });
    await addRun(root, fleetAudits({ calm: { n: 5, from: "2026-03-15T00:00:00Z" } }), { run_id: "005" });
    const runs = async (settings: Parameters<typeof gateSpan>[2]) => (await spanOf(root, "005", settings))!.span.runs;
    expect(await runs({ mode: "paper", window_days: 30 })).toEqual(["005", "003", "002"]);
    expect(await runs({ mode: "paper", since: "2026-01-01" })).toEqual(["005"]);
  });

  it("is nothing for one run, and refuses a window for a certificate, both at once, no time, and an open run", async () => {
    const root = newWorkspace(folder);
    await addRun(root, fleetAudits({ calm: { n: 5 } }), { run_id: "001" });
    await addRun(root, fleetAudits({ calm: { n: 5 } }), { run_id: "002" }, false);
    expect(await spanOf(root, "001", { mode: "certified" })).toBeNull();
    const refused = async (run: string, settings: Parameters<typeof gateSpan>[2]) =>
      failure(() => worded(gateRefusal, () => spanOf(root, run, settings)));
    expect((await refused("001", { mode: "certified", window_days: 30 })).message).toContain("sliding window");
    expect((await refused("001", { mode: "paper", window_days: 3, since: "2026-01-01" })).message).toContain("both");
    expect((await refused("001", { mode: "paper", since: "soon" })).message).toContain("not a time");
    for (const since of ["2026-02-30", "2026-13-01", "2026-1-1"])
      expect((await refused("001", { mode: "paper", since })).message).toContain("a day that the calendar does not");
    expect((await refused("001", { mode: "paper", since: "2999-01-01" })).message).toContain("since: in the future");
    expect((await refused("002", { mode: "paper", window_days: 30 })).message).toContain("not finished");
  });
});
