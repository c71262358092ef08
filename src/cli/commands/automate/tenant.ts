import { Command } from "commander";
import { type Copied, copyWorkspace } from "../../../app/live/copy-workspace.js";
import { InputError } from "../../../core/errors.js";
import { ROLES, type Role, SCOPES, type Scope } from "../../../server/auth.js";
import { fileContext } from "../../../store/files/stores.js";
import { workspaceWith } from "../../../store/files/workspace.js";
import { createKey, createLogin, listKeys, revokeKey, signOutEverywhere } from "../../../store/postgres/access.js";
import { createWorkspace } from "../../../store/postgres/live.js";
import { printable } from "../../../text/printable.js";
import { contextOf, examples, workspaceOf } from "../../options.js";
import { print } from "../../output.js";
import { jobCommands, logCommands } from "../../serve/keeping.js";
import { type DatabaseFlags, tenantContext, withDatabase, within } from "../../serve/place.js";
import { settingCommands } from "../../serve/settings.js";

interface KeyFlags extends DatabaseFlags {
  name: string;
  scopes: Scope[];
}

/** Commands for the workspaces of a database, their keys and the check of their logs. */
export function tenantCommand(): Command {
  const command = new Command("tenant").addHelpText(
    "after",
    examples(
      "defensible tenant create my-platform",
      "defensible tenant key my-platform --name bot --scopes route:ask,decisions:write",
      "defensible tenant erase my-platform --decision p1 --reason request",
    ),
  );
  withDatabase(command.command("create <workspace>"))
    .description("make a workspace in the database, with the settings of the one in this folder")
    .action(
      within(async ({ database }, workspace) => {
        const made = await createWorkspace(database, workspace, (await workspaceOf({})).config);
        if (!made) throw taken(workspace);
        print(`Workspace ${workspace}`);
      }, "made"),
    );
  withDatabase(command.command("import <workspace>"))
    .description(
      "copy the workspace in this folder into the database: records, runs, calibrations, gate; made where it is missing",
    )
    .option("--from <dir>", "another folder")
    .action(
      within(async (place, workspace, { from }: DatabaseFlags & { from?: string }) => {
        const { config, ...folder } = await contextOf(from === undefined ? {} : { workspace: from });
        await createWorkspace(place.database, workspace, config);
        tellCopied(await copyWorkspace({ config, ...folder }, await tenantContext(place, workspace)), workspace);
      }, "made"),
    );
  withDatabase(command.command("export <workspace>"))
    .description("copy a workspace of the database into a folder; made where it is missing")
    .requiredOption("--out <dir>", "where")
    .action(
      within(async (place, workspace, { out }: DatabaseFlags & { out: string }) => {
        const from = await tenantContext(place, workspace);
        tellCopied(await copyWorkspace(from, fileContext(workspaceWith(out, from.config))), out);
      }),
    );
  withDatabase(command.command("key <workspace>"))
    .description("make a key, which is printed once")
    .requiredOption("--name <name>", "what it is for")
    .requiredOption("--scopes <list>", `of: ${SCOPES.join(", ")}`, scopesOf)
    .action(
      within(async ({ database }, workspace, { name, scopes }: KeyFlags) => {
        print((await createKey(database, { workspace, name, scopes })).key);
      }),
    );
  withDatabase(command.command("keys <workspace>"))
    .description("list keys, without their secrets")
    .option("--revoke <id>", "revoke one")
    .action(
      within(async ({ database }, workspace, { revoke }: DatabaseFlags & { revoke?: string }) => {
        if (revoke !== undefined && !(await revokeKey(database, workspace, revoke))) {
          throw new InputError("unknown_key", `key: there is no "${revoke}" that could be revoked`);
        }
        for (const key of await listKeys(database, workspace, { after: null, limit: 10_000 })) {
          print(`${key.key_id}  ${key.revoked_at ? "revoked " : ""}${key.name}  ${key.scopes.join(",")}`);
        }
      }),
    );
  withDatabase(command.command("sign-in <workspace>"))
    .description("print an address by which one person can sign in once")
    .requiredOption("--person <name>", "who")
    .requiredOption("--role <role>", ROLES.join(", "), roleOf)
    .option("--address <url>", "where the service is (default: DEFENSIBLE_PUBLIC_URL, else http://127.0.0.1:8484)")
    .action(
      within(
        async ({ database }, workspace, flags: DatabaseFlags & { person: string; role: Role; address?: string }) => {
          const address = flags.address ?? (process.env.DEFENSIBLE_PUBLIC_URL || "http://127.0.0.1:8484");
          const token = await createLogin(database, { workspace, person: flags.person, role: flags.role });
          print(`${address.replace(/\/$/, "")}/sign-in?token=${token}`);
        },
      ),
    );
  withDatabase(command.command("sign-out <workspace>"))
    .description("end all sessions of one person, and their unused addresses; their keys stay")
    .requiredOption("--person <name>", "who")
    .action(
      within(async ({ database }, workspace, { person }: DatabaseFlags & { person: string }) => {
        const { sessions, tokens } = await signOutEverywhere(database, workspace, person);
        print(`Ended: ${sessions} sessions, ${tokens} unused addresses`);
      }),
    );
  settingCommands(command);
  jobCommands(command);
  logCommands(command);
  return command;
}

function taken(workspace: string): InputError {
  return new InputError(
    "workspace_exists",
    `workspace: the database has "${workspace}" already; its settings are as they were`,
    `Change them with \`defensible tenant settings ${workspace} --from .\`.`,
  );
}

function tellCopied(copied: Copied, to: string): void {
  const counts = Object.entries(copied).map(([what, n]) => `${n} ${what}`);
  print(`Copied to ${printable(to)}: ${counts.join(", ")}`);
}

function scopesOf(text: string): Scope[] {
  const scopes = text.split(",").map((one) => one.trim());
  const unknown = scopes.find((one) => !SCOPES.includes(one as Scope));
  if (unknown !== undefined)
    throw new InputError("bad_scope", `--scopes: got "${unknown}", expected ${SCOPES.join(", ")}`);
  return scopes as Scope[];
}

function roleOf(text: string): Role {
  if (ROLES.includes(text as Role)) return text as Role;
  throw new InputError("bad_role", `--role: got "${text}", expected ${ROLES.join(", ")}`);
}
