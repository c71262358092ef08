import { Command } from "commander";
import { type CertifyRefusal, certify } from "../../../app/evidence/certify.js";
import type { ShowRefusal } from "../../../app/find-audits.js";
import { worded } from "../../../app/notices.js";
import { InputError } from "../../../core/errors.js";
import { standInOf } from "../../../core/model-family.js";
import { certificatePage } from "../../../evidence/certificate-page.js";
import { readSigningKey } from "../../../evidence/signature.js";
import { certificateText } from "../../../evidence/verify-certificate.js";
import { STAND_IN_WORDS } from "../../../evidence/words.js";
import { writeFileAtomic } from "../../../io/files.js";
import { showRefusal } from "../../../present/document/list-documents.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, examples } from "../../options.js";
import { print, say } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";

interface CertificateOptions extends CommonOptions {
  run?: string;
  out?: string;
  html?: string;
}

export function certificateCommand(): Command {
  return withStores(new Command("certificate"))
    .argument("<decision>", "id of a decision")
    .option("--run <id>", "which run (default: the newest)")
    .option("--out <file>", "write the certificate to a file (default: print it)")
    .option("--html <file>", "also write one page to print")
    .addHelpText("after", "\nSigned with DEFENSIBLE_SIGNING_KEY (Ed25519, PEM or base64) if it is set.\n")
    .addHelpText("after", examples("defensible certificate trail-hiking-1024 --out c.json --html c.html"))
    .action(certificate);
}

async function certificate(id: string, options: CertificateOptions): Promise<void> {
  const context = await storesOf(options);
  const key = signingKey();
  const made = await worded(refusal, () => certify(context, id, { ...(options.run && { run: options.run }), key }));
  const text = certificateText(made);
  const out = options.out ?? options.jsonFile;
  if (options.html) writeFileAtomic(options.html, certificatePage(made));
  if (out) writeFileAtomic(out, text);
  else print(text.trimEnd());
  for (const file of [out, options.html]) if (file) say(`Wrote ${printable(file)}`);
  const standIn = standInOf(made.audit);
  if (standIn) say(STAND_IN_WORDS[standIn]);
  if (!key) say("Not signed: DEFENSIBLE_SIGNING_KEY is not set.");
}

/** The signing key from the environment; null: not set. */
export function signingKey() {
  const text = process.env.DEFENSIBLE_SIGNING_KEY;
  return text ? readSigningKey(text) : null;
}

function refusal(why: CertifyRefusal | ShowRefusal): InputError {
  if (why.code === "unknown_decision") return showRefusal(why);
  const again = "Audit the decision again, then ask for its certificate.";
  const of = `decision "${printable(why.id, 100)}"`;
  switch (why.code) {
    case "decision_gone":
      return new InputError(why.code, `${of}: its content is no longer in the workspace`);
    case "erased":
      return new InputError(
        why.code,
        `${of}: it was erased; there is no certificate without its content`,
        "`defensible show ID` shows the verdict that stays.",
      );
    case "no_verdict":
      return new InputError(why.code, `${of}: the run has no verdict on it`, again);
    case "content_changed":
      return new InputError(why.code, `${of}: its content was changed after the audit`, again);
    case "decision_changed":
      return new InputError(why.code, `${of}: the audit is of another action`, again);
    case "rules_changed":
      return new InputError(
        why.code,
        `${of}: the rules are not those of the audit; audited ${why.audited}, found ${why.found}`,
        again,
      );
  }
}
