import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { CheckFailedError } from "../../../core/errors.js";
import { readPublicKey } from "../../../evidence/signature.js";
import { type CertificateProblem, verifyCertificate } from "../../../evidence/verify-certificate.js";
import { fileError } from "../../../io/files.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, examples, withCommonOptions } from "../../options.js";
import { print, printJson } from "../../output.js";
import { signingKey } from "./certificate.js";

interface VerifyOptions extends CommonOptions {
  publicKey?: string;
}

export function verifyCommand(): Command {
  return withCommonOptions(new Command("verify"))
    .argument("<file>", "a certificate")
    .option("--public-key <file>", "the key it must be signed with (default: that of DEFENSIBLE_SIGNING_KEY, if set)")
    .addHelpText("after", examples("defensible verify c.json", "defensible verify c.json --public-key key.pem"))
    .action(verify);
}

async function verify(file: string, options: VerifyOptions): Promise<void> {
  const { ok, problems, certificate } = verifyCertificate(readText(file), trustedKey(options));
  const signature = certificate?.signature ?? null;
  if (!printJson({ ok, file, problems, signed_by: signature?.key_id ?? null }, options)) {
    const signed = signature ? `signed by key ${signature.key_id}` : "not signed";
    if (ok) print(`${printable(file)}: holds. Every hash, quote and number was computed again; ${signed}.`);
    else for (const problem of problems.slice(0, 20)) print(`${printable(file)}: ${wording(problem)}`);
  }
  if (!ok) throw new CheckFailedError("not_verified", `${printable(file)}: does not hold`);
}

/** The key to trust; null: any. */
function trustedKey({ publicKey }: VerifyOptions): KeyObject | null {
  return publicKey === undefined ? signingKey() : readPublicKey(readText(publicKey));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw fileError(cause, file);
  }
}

function wording(problem: CertificateProblem): string {
  const at = problem.path ? `${printable(problem.path)}: ` : "";
  switch (problem.code) {
    case "not_json":
      return "not JSON";
    case "not_canonical":
      return "spelled otherwise than it was written";
    case "bad_field":
      return `${at}${printable(problem.message)}`;
    case "other_value":
      return `${at}does not follow from the records in the certificate`;
    case "other_hash":
      return `${at}the content has another hash; it was changed`;
    case "unsigned":
      return `${at}not signed`;
    case "other_key":
      return `${at}made with another key`;
    case "bad_signature":
      return `${at}does not match`;
  }
}
