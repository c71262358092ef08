import { Command } from "commander";
import { seal } from "../../../app/evidence/seal.js";
import { plural } from "../../../present/words/numbers.js";
import { type CommonOptions, examples } from "../../options.js";
import { print, printJson, say } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";
import { signingKey } from "./certificate.js";

export function sealCommand(): Command {
  return withStores(new Command("seal"))
    .addHelpText("after", "\nSigned with DEFENSIBLE_SIGNING_KEY (Ed25519, PEM or base64) if it is set.\n")
    .addHelpText("after", examples("defensible seal", "defensible seal --json=head.json"))
    .action(sealAction);
}

async function sealAction(options: CommonOptions): Promise<void> {
  const context = await storesOf(options);
  const key = signingKey();
  const { added, head } = await seal(context, key);
  if (head && !key) say("Not signed: DEFENSIBLE_SIGNING_KEY is not set.");
  if (printJson({ added, head }, options)) return;
  if (!head) print("No new records.");
  else print(`Sealed ${plural(added, "record")}. Root of ${head.day}: ${head.root}`);
}
