import { Command } from "commander";
import { type SealRefusal, seal } from "../../../app/evidence/seal.js";
import { worded } from "../../../app/notices.js";
import { CheckFailedError } from "../../../core/errors.js";
import { chainRemedy, chainWordings, ERASURE_REMEDY, erasureWording } from "../../../evidence/words.js";
import { plural } from "../../../present/words/numbers.js";
import { type CommonOptions, examples } from "../../options.js";
import { print, printJson, say } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";
import { signingKey } from "./certificate.js";

interface SealOptions extends CommonOptions {
  force?: boolean;
}

export function sealCommand(): Command {
  return withStores(new Command("seal"))
    .option(
      "--force",
      "seal new records although sealed ones were changed, and list these; `verify` still reports them",
    )
    .addHelpText("after", "\nSigned with DEFENSIBLE_SIGNING_KEY (Ed25519, PEM or base64) if it is set.\n")
    .addHelpText("after", examples("defensible seal", "defensible seal --json=head.json"))
    .action(sealAction);
}

async function sealAction(options: SealOptions): Promise<void> {
  const context = await storesOf(options);
  const key = signingKey();
  const sealed = await worded(sealRefusal, () => seal(context, key, { force: options.force ?? false }));
  const { added, head, passed_over = [] } = sealed;
  for (const line of chainWordings(passed_over)) say(`Passed over: ${line}`);
  if (head && !key) say("Not signed: DEFENSIBLE_SIGNING_KEY is not set.");
  if (printJson(sealed, options)) return;
  if (!head) print("No new records.");
  else print(`Sealed ${plural(added, "record")}. Root of ${head.day}: ${head.root}`);
}

/** Maximum number of problems named in a message; `verify` lists all. */
const NAMED = 3;

export function sealRefusal(why: SealRefusal): CheckFailedError {
  const found = why.code === "unknown_erasure" ? why.tombstones.map(erasureWording) : chainWordings(why.problems);
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : "";
  const listed = `${found.slice(0, NAMED).join("; ")}${more}`;
  switch (why.code) {
    case "chain_broken":
      return new CheckFailedError(why.code, `chain: it does not hold: ${listed}`, chainRemedy(why.problems));
    case "records_changed":
      return new CheckFailedError(
        why.code,
        `workspace: what is there is not what was sealed: ${listed}`,
        `${chainRemedy(why.problems)} \`defensible seal --force\` seals new records nevertheless.`,
      );
    case "unknown_erasure":
      return new CheckFailedError(
        why.code,
        `chain/erasures.jsonl: not sealed by an erasure: ${listed}`,
        ERASURE_REMEDY,
      );
  }
}
