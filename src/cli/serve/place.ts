import type { Command } from "commander";
import { InputError } from "../../core/errors.js";
import type { Metrics } from "../../server/metrics.js";
import { listenOperations, type Readiness } from "../../server/operations.js";
import { openService, type Place, remotePlace } from "../../server/serve.js";
import type { Service } from "../../server/service.js";
import { demoCommand } from "../../store/postgres/embedded.js";
import { workspaceConfig } from "../../store/postgres/live.js";
import { integer } from "../options.js";
import { print } from "../output.js";

export interface DatabaseFlags {
  database?: string;
}

export const withDatabase = (command: Command) =>
  command.option("--database <url>", "PostgreSQL 15 or newer (default: DATABASE_URL)");

/** The database that a flag or DATABASE_URL names. */
export function placeOf({ database }: { database?: string | true }): Place {
  const url = typeof database === "string" ? database : process.env.DATABASE_URL;
  if (!url) {
    const demo = demoCommand();
    const remedy = demo === null ? "Set it to a PostgreSQL of yours." : `Set it, or try \`${demo}\`.`;
    throw new InputError("no_database", "database: DATABASE_URL is not set", remedy);
  }
  if (!/^postgres(ql)?:/.test(url))
    throw new InputError("bad_database", "--database: expected an address such as postgres://user@host/name");
  return remotePlace(url, process.env.DEFENSIBLE_SECRET);
}

export const withMetrics = (command: Command) =>
  command.option(
    "--metrics-port <n>",
    "port for /metrics, /healthz and /readyz; keep it to operators",
    integer(0, 65_535),
  );

/** The port of operators, where one is named. */
export async function operationsOf(
  service: Service,
  { port, ...options }: Readiness & { metrics: Metrics; host: string; port: number | undefined },
) {
  if (port === undefined) return null;
  const operations = await listenOperations(service, { ...options, port });
  print(`Metrics on ${operations.address}/metrics`);
  return operations;
}

/** Runs a command on a workspace of a database whose schema is up to date. A workspace that is not there is refused, unless the command makes it. */
export function within<T extends DatabaseFlags>(
  work: (place: Place, workspace: string, flags: T) => Promise<void>,
  missing: "refused" | "made" = "refused",
) {
  return async (workspace: string, flags: T) => {
    const place = placeOf(flags);
    try {
      await openService(place);
      if (missing === "refused" && (await workspaceConfig(place.database, workspace)) === null)
        throw new InputError(
          "unknown_workspace",
          `workspace: there is no "${workspace}" in the database`,
          `Make it with \`defensible tenant create ${workspace}\`.`,
        );
      await work(place, workspace, flags);
    } finally {
      await place.close();
    }
  };
}
