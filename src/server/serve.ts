import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FastifyInstance } from "fastify";
import { EnvironmentError } from "../core/errors.js";
import { GraphileQueue, migrateQueue } from "../queue/graphile-queue.js";
import { Database } from "../store/postgres/database.js";
import { embeddedDatabase } from "../store/postgres/embedded.js";
import { checkSchema, migrate } from "../store/postgres/schema.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { type AppOptions, buildApp } from "./app.js";
import { oidcSettings } from "./oidc.js";
import { hostList } from "./outgoing.js";
import { Service } from "./service.js";

export interface Place {
  database: Database;
  secret: string;
  /** The folder of an embedded server; null: the database is elsewhere. */
  folder: string | null;
  close(): Promise<void>;
}

/** The database at a URL, with the secret of `DEFENSIBLE_SECRET`. */
export function remotePlace(url: string, secret: string | undefined): Place {
  if (!secret) {
    throw new EnvironmentError(
      "no_secret",
      "DEFENSIBLE_SECRET is not set",
      "Set it to a long random text, the same for every process: `openssl rand -hex 32` makes one.",
    );
  }
  const database = new Database(url);
  return { database, secret, folder: null, close: () => database.close() };
}

/** An embedded database in a folder, to try the service. Its secret is a file next to it. */
export async function embeddedPlace(folder: string): Promise<Place> {
  const root = resolve(folder);
  mkdirSync(root, { recursive: true });
  const server = await embeddedDatabase(join(root, "database"));
  const file = join(root, "secret.key");
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  const database = new Database(server.url);
  return {
    database,
    secret: readFileSync(file, "utf8").trim(),
    folder: root,
    close: async () => {
      await database.close();
      await server.stop();
    },
  };
}

/** Migrates database and queue to this version. Returns what was applied. */
export async function migrateAll(database: Database): Promise<string[]> {
  const applied = await migrate(database);
  await migrateQueue(database);
  return applied;
}

/** Reads from the environment how this service is reached: its address for browsers, proxies in front of it, who may sign in. */
export function accessOptions(
  env: NodeJS.ProcessEnv,
  own: string,
): Pick<AppOptions, "oidc" | "publicUrl" | "trustProxy"> {
  const publicUrl = env.DEFENSIBLE_PUBLIC_URL || undefined;
  if (publicUrl !== undefined && !/^https?:\/\/[^/]+\/?$/.test(publicUrl)) {
    throw new EnvironmentError(
      "bad_address",
      "DEFENSIBLE_PUBLIC_URL: expected an address such as https://defensible.example",
    );
  }
  const proxies = hostList(env.DEFENSIBLE_TRUST_PROXY);
  return {
    oidc: oidcSettings(env, publicUrl ?? own),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(proxies.length > 0 ? { trustProxy: proxies } : {}),
  };
}

/** The service of a place whose schema is up to date. */
export async function openService(place: Place, say?: (message: string) => void): Promise<Service> {
  const allowHosts = hostList(process.env.DEFENSIBLE_ALLOW_HOSTS);
  await checkSchema(place.database);
  return new Service({
    database: place.database,
    queue: new GraphileQueue(place.database),
    vault: vaultOf(place.secret),
    allowHosts,
    ...(place.folder ? { cache: join(place.folder, "cache") } : {}),
    ...(say ? { say } : {}),
  });
}

export interface Listening {
  app: FastifyInstance;
  address: string;
}

export async function listen(
  service: Service,
  { host, port, ...options }: AppOptions & { host: string; port: number },
): Promise<Listening> {
  const app = await buildApp(service, options);
  try {
    await app.listen({ host, port });
  } catch (cause) {
    await app.close();
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw cause;
    throw new EnvironmentError(
      "port_taken",
      `port ${port}: ${code === "EACCES" ? "may not be used by this user" : "is in use"}`,
      "Name another one with --port.",
    );
  }
  const { port: used } = app.server.address() as { port: number };
  return { app, address: `http://${host.includes(":") ? `[${host}]` : host}:${used}` };
}
