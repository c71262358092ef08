import { Command } from "commander";
import { type Erased, type EraseRefusal, erase } from "../../../app/evidence/erase.js";
import { worded } from "../../../app/notices.js";
import { CheckFailedError, type DefensibleError, InputError } from "../../../core/errors.js";
import { plural } from "../../../present/words/numbers.js";
import type { ErasedPlace } from "../../../store/ports.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, collect, examples } from "../../options.js";
import { print, printJson } from "../../output.js";
import { personOf, withPerson } from "../../person.js";
import { storesOf, withStores } from "../../serve/stores.js";
import { signingKey } from "../trust/certificate.js";
import { sealRefusal } from "../trust/seal.js";

interface EraseOptions extends CommonOptions {
  author?: string[];
  reason?: string;
  person?: string;
  dryRun?: boolean;
}

export function eraseCommand(): Command {
  return withPerson(withStores(new Command("erase")))
    .argument("[decision...]", "ids of decisions")
    .option("--author <id>", "all decisions whose `author` is this (repeatable)", collect)
    .option("--reason <text>", "why; kept in the tombstone; required unless --dry-run")
    .option("--dry-run", "list what would be erased, and change nothing")
    .addHelpText(
      "after",
      `\nErases what people wrote in decisions and what quotes it: content, traces, answers of models, notes, reports and exports. Ids, numbers and a tombstone stay. There is no way back.\n${examples(
        "defensible erase post-17 --dry-run",
        'defensible erase post-17 --reason "request of the author"',
        'defensible erase --author u-204 --reason "account deleted"',
      )}`,
    )
    .action(eraseAction);
}

async function eraseAction(decisions: string[], options: EraseOptions): Promise<void> {
  const { author: authors = [], dryRun = false } = options;
  if (decisions.length + authors.length === 0) {
    throw new InputError("no_decision", "erase: nothing is named", "Name a decision, or an author with --author ID.");
  }
  const reason = options.reason?.trim() ?? "";
  if (!dryRun && reason === "") {
    throw new InputError(
      "no_reason",
      "erase: no reason is given",
      "Say why with --reason TEXT; the tombstone keeps it.",
    );
  }
  const by = personOf(options);
  const context = await storesOf(options);
  const request = { decisions, authors, dryRun, reason, by, key: signingKey() };
  const erased = await worded(refusal, () => erase(context, request));
  if (!printJson(erased, options)) printErased(erased);
  const left = erased.places.filter(({ what }) => what === "left").length;
  if (left > 0 && !dryRun) {
    throw new CheckFailedError(
      "left_over",
      `${plural(left, "place")} may still quote what was erased, listed as left`,
      "Edit or delete these files now: once the text is erased, a repetition no longer finds them. If the content or the audits of another decision are listed, erase that decision too.",
    );
  }
}

function printErased({ dry_run, decisions, places, head }: Erased): void {
  const nothing = places.length === 0;
  for (const one of places) print(`  ${line(one, dry_run)}`);
  if (nothing) print(`Nothing is left to erase of ${plural(decisions, "decision")}.`);
  else if (dry_run) print(`Would erase ${plural(decisions, "decision")}. Nothing was changed.`);
  else
    print(
      `Erased ${plural(decisions, "decision")} and wrote ${decisions === 1 ? "its tombstone" : "their tombstones"}.`,
    );
  if (!nothing) {
    print(
      "Verdicts and rates stay, but for stated reasons: what only an erased rationale stated counts as no rule stated.",
    );
  }
  if (head) print(`Sealed. Root of ${head.day}: ${head.root}`);
}

const WORDS: Record<ErasedPlace["what"], [string, string]> = {
  erased: ["erased", "erase"],
  emptied: ["emptied", "empty"],
  deleted: ["deleted", "delete"],
  left: ["left", "leave"],
};

function line({ place, count, what }: ErasedPlace, dryRun: boolean): string {
  const counted = what === "erased" || what === "emptied" ? `: ${plural(count, "record")}` : "";
  return `${WORDS[what][dryRun ? 1 : 0].padEnd(8)} ${printable(place, 300)}${counted}`;
}

function refusal(why: EraseRefusal): DefensibleError {
  switch (why.code) {
    case "chain_broken":
    case "records_changed":
    case "unknown_erasure":
      return sealRefusal(why);
    case "unknown_decision": {
      const shown = why.ids.slice(0, 5).map((id) => `"${printable(id, 100)}"`);
      const more = why.ids.length > shown.length ? ` and ${why.ids.length - shown.length} more` : "";
      return new InputError(why.code, `decision: there is no ${shown.join(", ")}${more}`, "Check the id.");
    }
    case "unknown_author":
      return new InputError(
        why.code,
        `author: no decision has the author "${printable(why.author, 100)}"`,
        "Check the id. Decisions that were erased before have lost their author.",
      );
    case "no_signing_key":
      return new InputError(
        why.code,
        "chain: its heads are signed, and no key is set for the next one",
        "Set DEFENSIBLE_SIGNING_KEY.",
      );
  }
}
