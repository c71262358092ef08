import type { Command } from "commander";
import { InputError } from "../../core/errors.js";
import { GraphileQueue } from "../../queue/graphile-queue.js";
import { noteActivity } from "../../store/postgres/access.js";
import { eraseContent } from "../../store/postgres/erasure.js";
import { verifyRouteLog } from "../../store/postgres/live.js";
import { contentDays, setContentDays } from "../../store/postgres/retention.js";
import { resealSecrets, vaultOf } from "../../store/postgres/secrets.js";
import { printable } from "../../text/printable.js";
import { print } from "../output.js";
import { type DatabaseFlags, placeOf, withDatabase, within } from "./place.js";

/** Commands for what a database keeps and for how long: log check, retention, erasure, secrets. */
export function logCommands(command: Command): void {
  withDatabase(command.command("verify-log <workspace>"))
    .description("recompute the hashes of every logged route; exit 2 where one is not as it was written")
    .action(
      within(async ({ database }, workspace) => {
        const { lines, faults } = await verifyRouteLog(database, workspace);
        for (const { stream, number, fault } of faults) print(`stream ${stream}, line ${number}: ${fault}`);
        print(`${lines} lines, ${faults.length} faults`);
        if (faults.length > 0) process.exitCode = 2;
      }),
    );
  withDatabase(command.command("retention <workspace>"))
    .description("after how many days contents are erased")
    .option("--days <n>", "a number of days, or `never`", daysOf)
    .action(
      within(async ({ database }, workspace, { days }: DatabaseFlags & { days?: number | null }) => {
        if (days !== undefined) await setContentDays(database, workspace, days, "operator");
        const kept = await contentDays(database, workspace);
        print(kept === null ? "Contents are kept." : `Contents are erased after ${kept} days.`);
      }),
    );
  withDatabase(command.command("erase <workspace>"))
    .description("erase what people wrote in decisions, for good; ids, numbers and the log stay")
    .requiredOption("--decision <id...>", "which")
    .requiredOption("--reason <text>", "for the log of activity")
    .action(
      within(async ({ database }, workspace, flags: DatabaseFlags & { decision: string[]; reason: string }) => {
        const by = { actor: "operator", reason: flags.reason };
        const { first, again, known } = await eraseContent(database, workspace, flags.decision, by);
        print(`Erased: ${first.length + again.length} of ${flags.decision.length}`);
        if (again.length > 0) print(`${again.length} of them again: something was written about them since.`);
        const before = known - first.length - again.length;
        if (before > 0) print(`${before} erased before, with nothing left.`);
      }),
    );
  withDatabase(command.command("reseal"))
    .description("encrypt all secrets anew under the first of DEFENSIBLE_SECRET")
    .action(async (flags: DatabaseFlags) => {
      const place = placeOf(flags);
      try {
        print(`Encrypted anew: ${await resealSecrets(place.database, vaultOf(place.secret))}`);
      } finally {
        await place.close();
      }
    });
}

function daysOf(text: string): number | null {
  if (text === "never") return null;
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 3650) return days;
  throw new InputError("bad_days", `--days: got "${text}", expected 1 to 3650, or never`);
}

interface JobFlags extends DatabaseFlags {
  dead?: boolean;
  retry?: string[];
}

/** Commands for waiting and failed jobs of one workspace. */
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
