import type { Command } from "commander";
import { configSchema } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import { listenOperations, type Metrics, type Readiness } from "../../server/operations.js";
import { openService, type Place, remotePlace } from "../../server/serve.js";
import type { Service } from "../../server/service.js";
import { noteGateEvents } from "../../store/postgres/access.js";
import { demoCommand } from "../../store/postgres/embedded.js";
import { workspaceConfig, workspaceNames } from "../../store/postgres/live.js";
import { checkSchema } from "../../store/postgres/schema.js";
import { vaultOf } from "../../store/postgres/secrets.js";
import { type PostgresContext, type PostgresOptions, postgresContext } from "../../store/postgres/stores.js";
import { type CommonOptions, integer } from "../options.js";
import { print } from "../output.js";

export interface DatabaseFlags {
  database?: string;
}

export const withDatabase = (command: Command) =>
  command.option("--database <url>", "PostgreSQL 15 or newer (default: DATABASE_URL)");

/** The database named by a flag or DATABASE_URL. */
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

/** Opens the operators' port, if one is named. */
export async function operationsOf(
  service: Service,
  { port, ...options }: Readiness & { metrics: Metrics; host: string; port: number | undefined },
) {
  if (port === undefined) return null;
  const operations = await listenOperations(service, { ...options, port });
  print(`Metrics on ${operations.address}/metrics`);
  return operations;
}

/** Runs a command on a workspace of a database with a current schema. An unknown workspace is refused, unless the command creates it. */
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

/** A workspace of a database, by name; a single one needs no name. Its connections close when idle. */
export async function databaseContext(options: CommonOptions): Promise<PostgresContext> {
  const { database, secret } = placeOf(options);
  await checkSchema(database);
  const workspace = options.workspace ?? (await onlyWorkspace(database));
  return tenantContext({ database, secret }, workspace, (queries, events) =>
    noteGateEvents(queries, workspace, events),
  );
}

export async function tenantContext(
  { database, secret }: Pick<Place, "database" | "secret">,
  workspace: string,
  announce?: PostgresOptions["announce"],
): Promise<PostgresContext> {
  const kept = await workspaceConfig(database, workspace);
  if (kept === null) throw unknown(workspace, await workspaceNames(database));
  return postgresContext({
    database,
    workspace,
    vault: vaultOf(secret),
    config: configSchema.parse(kept),
    ...(announce ? { announce } : {}),
  });
}

async function onlyWorkspace(database: Place["database"]): Promise<string> {
  const names = await workspaceNames(database);
  const [only, another] = names;
  if (only !== undefined && another === undefined) return only;
  throw only === undefined
    ? new InputError("no_workspace", "database: it has no workspace", "Make one with `defensible tenant create NAME`.")
    : new InputError("which_workspace", "--workspace: the database has several", `Name one: ${names.join(", ")}.`);
}

function unknown(name: string, names: readonly string[]): InputError {
  const known = names.length > 0 ? `It has: ${names.join(", ")}.` : "Make one with `defensible tenant create NAME`.";
  return new InputError("unknown_workspace", `database: there is no workspace "${name}"`, known);
}
