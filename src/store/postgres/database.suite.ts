import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { withDuckDB } from "../files/duckdb.js";
import { Database } from "./database.js";
import { embeddedDatabase } from "./embedded.js";
import { PostgresRuns } from "./runs.js";
import { migrate } from "./schema.js";
import { vaultOf } from "./secrets.js";
import { type PostgresContext, type PostgresOptions, postgresContext } from "./stores.js";

/**
 * A migrated database for the tests of one file, dropped after them: on the server that `TEST_DATABASE_URL` names, or else on an embedded one without
 * disk sync. Each context has its own workspace, so tests of one file also check that workspaces are isolated.
 */
export async function testDatabase(options: { sync?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "defensible-pg-"));
  const given = process.env.TEST_DATABASE_URL ? await ownDatabase(process.env.TEST_DATABASE_URL) : null;
  const server = given ? null : await embeddedDatabase(folder, { sync: options.sync ?? false });
  const url = given?.url ?? server!.url;
  const database = new Database(url);
  await migrate(database);
  let workspaces = 0;
  afterAll(async () => {
    await compareCounts(database, join(folder, "counts"));
    await database.close();
    await given?.drop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const context = (more: Partial<PostgresOptions> = {}): PostgresContext =>
    postgresContext({
      database,
      workspace: `w${workspaces++}-${Date.now()}`,
      vault: vaultOf("a secret for tests"),
      cache: join(folder, "cache"),
      ...more,
    });
  return { url, folder, database, server, context };
}

async function ownDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `defensible_${randomBytes(8).toString("hex")}`;
  const execute = async (sql: string) => {
    const admin = new Database(server);
    await admin.rows(sql);
    await admin.close();
  };
  await execute(`create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(`drop database ${name} with (force)`) };
}

/** For every run that the tests of a file left behind, compares the counts by cell in the database with those of the analysis over its snapshot. */
async function compareCounts(database: Database, cache: string): Promise<void> {
  const counted = await database.rows<{ workspace_id: string; run_id: string; cells: string[] }>(
    `select workspace_id, run_id, array_agg(concat_ws(' ', outcome, level, inverse, n) order by outcome, level, inverse) as cells from (
       select workspace_id, run_id, outcome collate "C" as outcome, level, inverse collate "C" as inverse, count(*) as n
         from defensible.audit group by 1, 2, 3, 4, 5) as cell group by 1, 2`,
  );
  await withDuckDB(async (db) => {
    for (const { workspace_id: workspace, run_id, cells } of counted) {
      const runs = new PostgresRuns(database, workspace, () => join(cache, encodeURIComponent(workspace)));
      if ((await runs.damaged()).includes(run_id) || !(await runs.list()).some((run) => run.run_id === run_id))
        continue;
      const { path, format } = await runs.snapshot(run_id);
      const file = `'${path.replaceAll("'", "''")}'`;
      const relation =
        format === "parquet"
          ? `read_parquet(${file})`
          : `read_json(${file}, format = 'newline_delimited', columns = {outcome: 'VARCHAR', level: 'TINYINT', inverse: 'VARCHAR'})`;
      const found = await db.rows<{ cell: string }>(
        `SELECT concat_ws(' ', outcome, level, inverse, n) AS cell FROM
           (SELECT outcome, level, inverse::VARCHAR AS inverse, count(*) AS n FROM ${relation} GROUP BY ALL)
         ORDER BY outcome, level NULLS LAST, inverse NULLS LAST`,
      );
      expect(
        found.map(({ cell }) => cell),
        `counts of run ${run_id} of ${workspace}`,
      ).toEqual(cells);
    }
  });
}
