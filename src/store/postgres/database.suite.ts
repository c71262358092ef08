import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { Database } from "./database.js";
import { embeddedDatabase } from "./embedded.js";
import { migrate } from "./schema.js";
import { vaultOf } from "./secrets.js";
import { type PostgresContext, type PostgresOptions, postgresContext } from "./stores.js";

/**
 * A migrated database for the tests of one file, ended with them: that of `TEST_DATABASE_URL`, else a server of its own without disk sync. Each
 * context is a workspace of its own, so that tests of one file also test that workspaces see nothing of each other.
 */
export async function testDatabase(options: { sync?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "defensible-pg-"));
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? null : await embeddedDatabase(folder, { sync: options.sync ?? false });
  const url = given ?? server!.url;
  const database = new Database(url);
  await migrate(database);
  let workspaces = 0;
  afterAll(async () => {
    await database.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const context = (more: Partial<PostgresOptions> = {}): PostgresContext =>
    postgresContext({
      database,
      workspace: `w${process.pid}-${workspaces++}-${Date.now()}`,
      vault: vaultOf("a secret for tests"),
      cache: join(folder, "cache"),
      ...more,
    });
  return { url, folder, database, server, context };
}
