import { once } from "node:events";
import { Command } from "commander";
import { InputError } from "../../../core/errors.js";
import {
  accessOptions,
  embeddedPlace,
  listen,
  migrateAll,
  openService,
  type Place,
  remotePlace,
} from "../../../server/serve.js";
import { startWorker } from "../../../server/worker.js";
import { createLogin } from "../../../store/postgres/access.js";
import { interruptible } from "../../interrupt.js";
import { examples, integer } from "../../options.js";
import { print, say } from "../../output.js";
import { DEMO_WORKSPACE, loadDemo, replay } from "../../serve/demo.js";

export interface DatabaseFlags {
  database?: string;
}

export const withDatabase = (command: Command) =>
  command.option("--database <url>", "PostgreSQL 15 or newer (default: DATABASE_URL)");

export function placeOf({ database = process.env.DATABASE_URL }: DatabaseFlags): Place {
  if (database) return remotePlace(database, process.env.DEFENSIBLE_SECRET);
  throw new InputError("no_database", "database: DATABASE_URL is not set", "Set it, or try `defensible serve --demo`.");
}

interface ServeFlags extends DatabaseFlags {
  host: string;
  port: number;
  worker: boolean;
  demo?: boolean | string;
}

export function serveCommand(): Command {
  return withDatabase(new Command("serve"))
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on; 0: any free one", integer(0, 65_535), 8484)
    .option("--no-worker", "answer requests only; `defensible worker` runs the jobs")
    .option("--demo [dir]", "the sample platform with a database of its own in DIR (default: defensible-live)")
    .addHelpText(
      "after",
      examples("defensible serve --demo", "DATABASE_URL=postgres://… DEFENSIBLE_SECRET=… defensible serve"),
    )
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const { signal, release } = interruptible();
  const demo =
    flags.demo === undefined || flags.demo === false ? null : flags.demo === true ? "defensible-live" : flags.demo;
  const place = demo === null ? placeOf(flags) : await embeddedPlace(demo);
  try {
    if (demo !== null) await migrateAll(place.database);
    const service = await openService(place);
    const sample = demo === null ? null : await loadDemo(service, demo);
    const { host, port } = flags;
    const access = accessOptions(process.env, `http://${host}:${port}`);
    const { app, address } = await listen(service, { host, port, log: process.stderr, ...access });
    const worker = flags.worker ? await startWorker(service, { say, ...sample?.worker }) : null;
    print(`Listening on ${address}`);
    if (sample) {
      const token = await createLogin(place.database, { workspace: DEMO_WORKSPACE, person: "you", role: "admin" });
      print(`Sign in once within the hour: ${address}/sign-in?token=${token}`);
      print(`${sample.stream.length} decisions arrive over the next minutes.`);
    }
    const replaying = sample ? replay(service, app, sample.stream, signal) : null;
    if (!signal.aborted) await once(signal, "abort");
    await replaying;
    await app.close();
    await worker?.stop();
  } finally {
    await place.close();
    release();
  }
}

export function workerCommand(): Command {
  return withDatabase(new Command("worker"))
    .option("--concurrency <n>", "jobs at a time", integer(1, 256), 8)
    .option("--calls <n>", "most calls of a model in flight", integer(1, 1024), 64)
    .option("--lease <seconds>", "how long a worker may be silent before others take its jobs", integer(1, 3600), 30)
    .action(async ({ lease, ...flags }: DatabaseFlags & { concurrency: number; calls: number; lease: number }) => {
      const { signal, release } = interruptible();
      const place = placeOf(flags);
      try {
        const worker = await startWorker(await openService(place, say), { ...flags, leaseSeconds: lease, say });
        say("Waiting for jobs. Ctrl-C stops after those under way.");
        if (!signal.aborted) await once(signal, "abort");
        await worker.stop();
      } finally {
        await place.close();
        release();
      }
    });
}

export function migrateCommand(): Command {
  return withDatabase(new Command("migrate")).action(async (flags: DatabaseFlags) => {
    const place = placeOf(flags);
    try {
      const applied = await migrateAll(place.database);
      print(applied.length > 0 ? `Applied: ${applied.join(", ")}` : "The schema is up to date.");
    } finally {
      await place.close();
    }
  });
}
