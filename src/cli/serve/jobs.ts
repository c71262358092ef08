import type { Command } from "commander";
import { InputError } from "../../core/errors.js";
import { GraphileQueue } from "../../queue/graphile-queue.js";
import { noteActivity } from "../../store/postgres/access.js";
import { printable } from "../../text/printable.js";
import { print } from "../output.js";
import { type DatabaseFlags, withDatabase, within } from "./place.js";

interface JobFlags extends DatabaseFlags {
  dead?: boolean;
  retry?: string[];
}

/** What waits and has failed in the queue of one workspace. */
export function jobCommands(command: Command): void {
  withDatabase(command.command("jobs <workspace>"))
    .description("how many jobs wait, run and have failed for good, by task")
    .option("--dead", "list those that have failed for good")
    .option("--retry <id...>", "let these run again, or `all`")
    .action(
      within(async ({ database }, workspace, { dead: listed, retry }: JobFlags) => {
        const queue = new GraphileQueue(database);
        if (retry) {
          const dead = (await queue.dead(workspace)).map(({ id }) => id);
          const ids = retry.includes("all") ? dead : retry;
          const unknown = ids.find((id) => !dead.includes(id));
          if (unknown !== undefined) {
            throw new InputError(
              "unknown_job",
              `--retry: no job "${unknown}" of this workspace has failed for good`,
              `List them with \`defensible tenant jobs ${workspace} --dead\`.`,
            );
          }
          const doc = { jobs: ids };
          await noteActivity(database, workspace, { actor: "operator", action: "job.retry", doc });
          print(`Run again: ${await queue.retry(ids)}`);
          return;
        }
        if (listed) {
          for (const { id, task, attempts, run_at } of await queue.dead(workspace)) {
            print(`${id}  ${printable(task)}  ${attempts} attempts  due ${run_at}`);
          }
          return;
        }
        for (const { task, waiting, running, dead } of await queue.depth(workspace)) {
          print(`${printable(task)}: ${waiting} waiting, ${running} running, ${dead} dead`);
        }
      }),
    );
}
