import { Command } from "commander";
import { seal } from "../../../app/evidence/seal.js";
import { plural } from "../../../present/words/numbers.js";
import { chainFiles } from "../../../store/files/stores.js";
import { type CommonOptions, contextOf, examples, withCommonOptions } from "../../options.js";
import { print, printJson, say } from "../../output.js";
import { signingKey } from "./certificate.js";

export function sealCommand(): Command {
  return withCommonOptions(new Command("seal"))
    .addHelpText("after", "\nSigned with DEFENSIBLE_SIGNING_KEY (Ed25519, PEM or base64) if it is set.\n")
    .addHelpText("after", examples("defensible seal", "defensible seal --json=head.json"))
    .action(sealAction);
}

async function sealAction(options: CommonOptions): Promise<void> {
  const context = await contextOf(options);
  const key = signingKey();
  const { added, head } = await seal(context, chainFiles(context.workspace), key);
  if (head && !key) say("Not signed: DEFENSIBLE_SIGNING_KEY is not set.");
  if (printJson({ added, head }, options)) return;
  if (!head) print("No new records.");
  else print(`Sealed ${plural(added, "record")}. Root of ${head.day}: ${head.root}`);
}
