import { type Duck, duckdb } from "../store/files/duckdb.js";
import type { CohortStore } from "../store/ports.js";

/** Loads the members of every cohort into table `cohorts` (cohort, decision_id), and names them. Without cohorts there is no table. */
export async function loadCohorts(db: Duck, store: CohortStore): Promise<string[]> {
  const cohorts = await store.list();
  if (cohorts.length === 0) return [];
  const { DuckDBDataChunk, VARCHAR } = duckdb();
  await db.run("CREATE TABLE cohorts (cohort VARCHAR, decision_id VARCHAR)");
  const appender = await db.connection.createAppender("cohorts");
  for (const cohort of cohorts) {
    for (let start = 0; start < cohort.decision_ids.length; start += 2048) {
      const ids = cohort.decision_ids.slice(start, start + 2048);
      const chunk = DuckDBDataChunk.create([VARCHAR, VARCHAR], ids.length);
      chunk.setColumnValues(0, Array(ids.length).fill(cohort.name));
      chunk.setColumnValues(1, ids);
      appender.appendDataChunk(chunk);
    }
  }
  appender.closeSync();
  return cohorts.map((cohort) => cohort.name);
}
