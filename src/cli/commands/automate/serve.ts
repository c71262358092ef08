import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Command } from "commander";
import { metricsOf } from "../../../server/operations.js";
import { accessOptions, embeddedPlace, listen, migrateAll, openService } from "../../../server/serve.js";
import { startWorker } from "../../../server/worker.js";
import { createLogin } from "../../../store/postgres/access.js";
import { interruptible, startedByNpm } from "../../interrupt.js";
import { examples, integer } from "../../options.js";
import { print, say } from "../../output.js";
import { DEMO_WORKSPACE, loadDemo, replay } from "../../serve/demo.js";
import { type DatabaseFlags, operationsOf, placeOf, withDatabase, withMetrics } from "../../serve/place.js";
import { gathered, sayProblems } from "../../serve/request-log.js";

interface ServeFlags extends DatabaseFlags {
  host: string;
  port: number;
  worker: boolean;
  demo?: boolean | string;
  metricsPort?: number;
  drain: number;
}

export function serveCommand(): Command {
  return withMetrics(withDatabase(new Command("serve")))
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on; 0: any free one", integer(0, 65_535), 8484)
    .option("--drain <seconds>", "after SIGTERM, answer for so long while /readyz says not ready", integer(0, 300), 0)
    .option("--no-worker", "answer requests only; `defensible worker` runs the jobs")
    .option("--demo [dir]", "the sample platform with a database of its own in DIR (default: defensible-live)")
    .addHelpText(
      "after",
      examples("defensible serve --demo", "DATABASE_URL=postgres://… DEFENSIBLE_SECRET=… defensible serve"),
    )
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const demo =
    flags.demo === undefined || flags.demo === false ? null : flags.demo === true ? "defensible-live" : flags.demo;
  const { signal, release } = interruptible(demo === null ? null : startedByNpm());
  const place = demo === null ? placeOf(flags) : await embeddedPlace(demo);
  try {
    if (demo !== null) await migrateAll(place.database);
    const service = await openService(place);
    const sample = demo === null ? null : await loadDemo(service, demo);
    const { host, port } = flags;
    const access = accessOptions(process.env, `http://${host}:${port}`);
    await service.sweep();
    const metrics = metricsOf(service);
    const { app, address } = await listen(service, {
      host,
      port,
      metrics,
      stopping: signal,
      log: { write: demo === null ? gathered(process.stderr) : sayProblems },
      ...access,
    });
    const worker = flags.worker ? await startWorker(service, { say, ...sample?.worker }) : null;
    const operations = await operationsOf(service, { metrics, host, port: flags.metricsPort, stopping: signal });
    print(`Listening on ${address}`);
    if (sample) {
      const token = await createLogin(place.database, { workspace: DEMO_WORKSPACE, person: "you", role: "admin" });
      print(`Sign in once within the hour: ${address}/sign-in?token=${token}`);
      if (sample.stream.length > 0) print(`${sample.stream.length} decisions arrive over the next minutes.`);
      print("Ctrl-C stops the service and its database.");
    }
    const replaying = sample ? replay(service, app, sample.stream, signal) : null;
    if (!signal.aborted) await once(signal, "abort");
    await replaying;
    await delay(flags.drain * 1000);
    await app.close();
    await worker?.stop();
    await operations?.close();
    await service.close();
  } finally {
    await place.close();
    release();
  }
}

interface WorkerFlags extends DatabaseFlags {
  concurrency: number;
  calls: number;
  lease: number;
  metricsPort?: number;
  metricsHost: string;
}

export function workerCommand(): Command {
  return withMetrics(withDatabase(new Command("worker")))
    .option("--metrics-host <address>", "address for --metrics-port", "127.0.0.1")
    .option("--concurrency <n>", "jobs at a time", integer(1, 256), 8)
    .option("--calls <n>", "most calls of a model in flight", integer(1, 1024), 64)
    .option("--lease <seconds>", "how long a worker may be silent before others take its jobs", integer(1, 3600), 30)
    .addHelpText("after", examples("DATABASE_URL=postgres://… DEFENSIBLE_SECRET=… defensible worker"))
    .action(async ({ lease, metricsPort: port, metricsHost: host, ...flags }: WorkerFlags) => {
      const { signal, release } = interruptible();
      const place = placeOf(flags);
      try {
        const service = await openService(place, say);
        const worker = await startWorker(service, { ...flags, leaseSeconds: lease, say });
        await service.sweep();
        const { lastLook } = worker;
        const operations = await operationsOf(service, {
          metrics: metricsOf(service),
          host,
          port,
          stopping: signal,
          lastLook,
        });
        say("Waiting for jobs. Ctrl-C stops after those under way.");
        if (!signal.aborted) await once(signal, "abort");
        await worker.stop();
        await operations?.close();
        await service.close();
      } finally {
        await place.close();
        release();
      }
    });
}

export function migrateCommand(): Command {
  const command = withDatabase(new Command("migrate"));
  command.addHelpText("after", examples("DATABASE_URL=postgres://… defensible migrate"));
  return command.action(async (flags: DatabaseFlags) => {
    const place = placeOf(flags);
    try {
      const applied = await migrateAll(place.database);
      print(applied.length > 0 ? `Applied: ${applied.join(", ")}` : "The schema is up to date.");
    } finally {
      await place.close();
    }
  });
}
