import { userInfo } from "node:os";
import type { Command } from "commander";

/** Adds `--person` to commands whose changes are attributed to a person. */
export function withPerson(command: Command): Command {
  return command.option("--person <name>", "who does it; kept with it (default: the user of the system)");
}

export function personOf({ person }: { person?: string }): string {
  if (person?.trim()) return person.trim();
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
