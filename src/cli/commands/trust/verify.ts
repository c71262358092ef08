import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { checkSeal } from "../../../app/evidence/seal.js";
import { CheckFailedError, InputError } from "../../../core/errors.js";
import { type ChainHead, type ChainProblem, readChainLine } from "../../../evidence/chain.js";
import { readPublicKey } from "../../../evidence/signature.js";
import { type CertificateProblem, verifyCertificate } from "../../../evidence/verify-certificate.js";
import { fileError } from "../../../io/files.js";
import { plural } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, examples } from "../../options.js";
import { print, printJson } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";
import { signingKey } from "./certificate.js";

interface VerifyOptions extends CommonOptions {
  publicKey?: string;
  head?: string;
}

/** Problems printed at most; `--json` has all. */
const PRINTED = 20;

export function verifyCommand(): Command {
  return withStores(new Command("verify"))
    .argument("[file]", "a certificate; without it, the sealed logs of the workspace")
    .option("--public-key <file>", "the key of signatures (default: that of DEFENSIBLE_SIGNING_KEY, if set)")
    .option("--head <file>", "a head of `seal --json=FILE` that must be in the chain: finds a tail that was cut off")
    .addHelpText("after", examples("defensible verify c.json", "defensible verify --workspace my-platform"))
    .action(verify);
}

async function verify(file: string | undefined, options: VerifyOptions): Promise<void> {
  if (file === undefined) return verifyWorkspace(options);
  const { ok, problems, certificate } = verifyCertificate(readText(file), trustedKey(options));
  const signature = certificate?.signature ?? null;
  if (!printJson({ ok, file, problems, signed_by: signature?.key_id ?? null }, options)) {
    const signed = signature ? `signed by key ${signature.key_id}` : "not signed";
    if (ok) print(`${printable(file)}: holds. Every hash, quote and number was computed again; ${signed}.`);
    else for (const problem of problems.slice(0, PRINTED)) print(`${printable(file)}: ${wording(problem)}`);
  }
  if (!ok) throw new CheckFailedError("not_verified", `${printable(file)}: does not hold`);
}

async function verifyWorkspace(options: VerifyOptions): Promise<void> {
  const context = await storesOf(options);
  const kept = options.head === undefined ? null : readHead(options.head);
  const check = await checkSeal(context, { trusted: trustedKey(options), kept });
  if (!printJson(check, options)) {
    const { entries, heads, unsigned, unsealed, erased, problems } = check;
    for (const problem of problems.slice(0, PRINTED)) print(chainWording(problem));
    if (problems.length > PRINTED) print(`and ${problems.length - PRINTED} more`);
    const held = check.ok ? "The chain holds" : "The chain does not hold";
    print(`${held}: ${plural(entries, "record")} under ${plural(heads, "head")}, ${unsigned} of them not signed.`);
    if (erased > 0) print(`${plural(erased, "record")} with something erased, as tombstones say.`);
    if (unsealed > 0) print(`${plural(unsealed, "record")} not sealed yet: \`defensible seal\` adds them.`);
  }
  if (!check.ok) throw new CheckFailedError("not_verified", "workspace: records are not those that were sealed");
}

function readHead(file: string): ChainHead {
  try {
    const { head } = JSON.parse(readText(file)) as { head: ChainHead };
    const read = readChainLine(JSON.stringify(head));
    if (read && !("source" in read)) return read;
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !(cause instanceof TypeError)) throw cause;
  }
  throw new InputError("bad_head", `${printable(file)}: not a head; expected a file of \`seal --json=FILE\``);
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

function chainWording(problem: ChainProblem): string {
  const what = problem.code.replaceAll("_", " ");
  if ("source" in problem) return `${printable(problem.source)}: record ${problem.n + 1} ${what}`;
  return "day" in problem ? `${what}: ${printable(problem.day)}` : `chain, head ${problem.head + 1}: ${what}`;
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
