import type { Command } from "commander";
import { parse, stringify } from "yaml";
import { type Config, configSchema } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import { changeSettings, hasDecisions, workspaceConfig } from "../../store/postgres/live.js";
import { explainIssue } from "../../store/records/fits.js";
import { printable } from "../../text/printable.js";
import { workspaceOf } from "../options.js";
import { print } from "../output.js";
import { type DatabaseFlags, withDatabase, within } from "./place.js";

interface SettingFlags extends DatabaseFlags {
  set?: string[];
  from?: string;
}

type Settings = Record<string, unknown>;

/** Commands for a workspace's settings in the database. */
export function settingCommands(command: Command): void {
  withDatabase(command.command("settings <workspace>"))
    .description("print the settings of a workspace in the database, or change them")
    .option("--set <key=value...>", "change these, such as gate.mode=certified; without a value: back to the default")
    .option("--from <dir>", "take those of the workspace in a folder")
    .action(
      within(async ({ database }, workspace, { set, from }: SettingFlags) => {
        const kept = (await workspaceConfig(database, workspace)) as Settings;
        if (set === undefined && from === undefined) return print(stringify(checked(kept)).trimEnd());
        const base = from === undefined ? kept : (await workspaceOf({ workspace: from })).config;
        const next = checked((set ?? []).reduce(withSetting, structuredClone(base) as Settings));
        const changed = changedKeys(checked(kept), next);
        if (changed.length === 0) return print("Nothing is changed.");
        if (changed.includes("actions") && (await hasDecisions(database, workspace))) {
          throw new InputError(
            "actions_fixed",
            "actions: the workspace has decisions, which are written in its actions",
            "Make another workspace for other actions.",
          );
        }
        await changeSettings(database, workspace, next, { by: "operator", changed });
        print(`Changed: ${changed.join(", ")}. Every process goes by it within two seconds.`);
      }),
    );
}

/** Changes one setting: `gate.mode=certified`. A value is written as in `defensible.yaml`. */
function withSetting(settings: Settings, text: string): Settings {
  const [, key, value] = /^([\w-]+(?:\.[^.=]+)*)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined || /\b__proto__\b/.test(key)) {
    throw new InputError("bad_setting", `--set: got "${text}", expected KEY=VALUE, such as gate.mode=certified`);
  }
  const path = key.split(".");
  const last = path.pop()!;
  let at = settings;
  for (const step of path) {
    const inner = at[step];
    if (typeof inner !== "object" || inner === null) at[step] = {};
    at = at[step] as Settings;
  }
  if (value === "") delete at[last];
  else at[last] = parsed(value, text);
  return settings;
}

function parsed(value: string, text: string): unknown {
  try {
    return parse(value);
  } catch {
    throw new InputError("bad_setting", `--set: the value of "${text}" is not YAML`);
  }
}

function checked(settings: Settings): Config {
  const result = configSchema.safeParse(settings);
  if (result.success) return result.data;
  const { path, reason } = explainIssue(result.error.issues[0]!, settings);
  throw new InputError("bad_config", `settings: ${printable([...path, reason].join(": "), 500)}`);
}

function changedKeys(before: Config, after: Config): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Config>;
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).sort();
}
