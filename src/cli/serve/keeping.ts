import type { Command } from "commander";
import { InputError } from "../../core/errors.js";
import { eraseContent } from "../../store/postgres/erasure.js";
import { verifyRouteLog } from "../../store/postgres/live.js";
import { contentDays, setContentDays } from "../../store/postgres/retention.js";
import { resealSecrets, vaultOf } from "../../store/postgres/secrets.js";
import { print } from "../output.js";
import { type DatabaseFlags, placeOf, withDatabase, within } from "./place.js";

/** What a database keeps and for how long: the check of its log, retention, erasure, its secrets. */
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
        print(`Erased: ${await eraseContent(database, workspace, flags.decision, by)} of ${flags.decision.length}`);
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
