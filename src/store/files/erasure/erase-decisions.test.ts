import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withDuckDB } from "../duckdb.js";
import { all, decision, jsonLines, tempWorkspace } from "../in-temp-folder.suite.js";
import { readParquet } from "../records.js";
import { fileContext } from "../stores.js";
import type { Workspace } from "../workspace.js";

const ERASER = { at: "2026-01-01T00:00:00Z", by: "ann", reason: "asked" };

/** `p1` and `p2` as Parquet with a column of its own, `j1` as JSONL. */
async function workspaceWithParquet(): Promise<Workspace> {
  const workspace = tempWorkspace();
  const rows = [1, 2].map((n) => ({ ...decision(`p${n}`, { content: `secret words of p${n}` }), region: n }));
  writeFileSync(`${workspace.root}/rows.json`, jsonLines(rows));
  await withDuckDB((db) =>
    db.run(`COPY (SELECT * FROM read_json('${workspace.root}/rows.json')) TO '${workspace.paths.decisionsParquet}'`),
  );
  rmSync(`${workspace.root}/rows.json`);
  writeFileSync(workspace.paths.decisions, jsonLines([decision("j1")]));
  return workspace;
}

describe("decisions in a Parquet file", () => {
  it("move to the other file when they are erased, and the hash stays", async () => {
    const workspace = await workspaceWithParquet();
    const { erasure, records } = fileContext(workspace);
    const hash = await records.hash();
    expect(await erasure.find(["p1"])).toEqual([{ place: "decisions.parquet", count: 1, what: "erased" }]);
    await erasure.erase(["p1"], ERASER);
    expect(await all(readParquet(workspace.paths.decisionsParquet))).toMatchObject([{ id: "p2", region: 2 }]);
    const [p2, j1, p1] = await all(records.decisions());
    expect([p2!.id, j1!.id, p1]).toEqual(["p2", "j1", { ...decision("p1"), content: "", erased: true }]);
    expect(await records.hash()).toBe(hash);
    await records.addDecisions([decision("j2")]);
    expect(await records.hash()).not.toBe(hash);
  });

  it("are all there again after a kill between the two files", async () => {
    const workspace = await workspaceWithParquet();
    const { paths } = workspace;
    const before = fileContext(workspace);
    await before.erasure.erase(["p1"], ERASER);
    // As it is when the new Parquet file has its name and the other file has not.
    renameSync(paths.decisions, `${paths.decisions}.erasing`);
    writeFileSync(paths.decisions, jsonLines([decision("j1")]));
    expect(await fileContext(workspace).erasure.known(["p1", "p9"])).toEqual(["p1"]);
    await fileContext(workspace).erasure.erase(["p1"], ERASER);
    const ids = (await all(fileContext(workspace).records.decisions())).map(({ id }) => id);
    expect(ids).toEqual(["p2", "j1", "p1"]);
    expect(existsSync(`${paths.decisions}.erasing`)).toBe(false);
  });
});
