import { configSchema } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import type { Place } from "../../server/serve.js";
import { workspaceConfig, workspaceNames } from "../../store/postgres/live.js";
import { checkSchema } from "../../store/postgres/schema.js";
import { vaultOf } from "../../store/postgres/secrets.js";
import { type PostgresContext, postgresContext } from "../../store/postgres/stores.js";
import type { CommonOptions } from "../options.js";
import { placeOf } from "./place.js";

/** A workspace of a database, by its name; the only one needs none. Its connections end when nothing is asked any more. */
export async function databaseContext(options: CommonOptions): Promise<PostgresContext> {
  const { database, secret } = placeOf(options);
  await checkSchema(database);
  return tenantContext({ database, secret }, options.workspace ?? (await onlyWorkspace(database)));
}

export async function tenantContext(
  { database, secret }: Pick<Place, "database" | "secret">,
  workspace: string,
): Promise<PostgresContext> {
  const kept = await workspaceConfig(database, workspace);
  if (kept === null) throw unknown(workspace, await workspaceNames(database));
  return postgresContext({ database, workspace, vault: vaultOf(secret), config: configSchema.parse(kept) });
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
