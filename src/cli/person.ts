import { userInfo } from "node:os";
import type { Command } from "commander";

/** Of commands that change something for which a person answers. */
export function withPerson(command: Command): Command {
  return command.option("--person <name>", "who does it; kept with it (default: the user of the system)");
}

export function personOf({ person }: { person?: string }): string {
  if (person?.trim()) return person.trim();
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number without a name.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
