import { testDatabase } from "../store/postgres/database.suite.js";
import { GraphileQueue, migrateQueue } from "./graphile-queue.js";
import { queueContract } from "./queue.suite.js";

const { database } = await testDatabase();
await migrateQueue(database);

queueContract("graphile-worker", {
  queue: new GraphileQueue(database),
  database,
  /** As if the process of a worker had died with this job in its hands. */
  abandon: (key) =>
    database.rows(
      "update graphile_worker._private_jobs set locked_at = now() - interval '1 hour', locked_by = 'gone', attempts = 1 where key = $1",
      [key],
    ),
});
