import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { checkSeal } from "../../../app/evidence/seal.js";
import { CheckFailedError, InputError } from "../../../core/errors.js";
import { type ChainHead, readChainLine } from "../../../evidence/chain.js";
import { readPublicKey } from "../../../evidence/signature.js";
import { verifyCertificate } from "../../../evidence/verify-certificate.js";
import type { ChainCheck } from "../../../evidence/verify-chain.js";
import { certificateWording, chainRemedy, chainWordings } from "../../../evidence/words.js";
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

/** Maximum number of problems printed; `--json` lists all. */
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
  const text = readText(file);
  if (headIn(text)) {
    throw new InputError(
      "not_certificate",
      `${printable(file)}: a head of the chain, not a certificate`,
      `Look for it in the chain with \`defensible verify --head ${printable(file)}\`.`,
    );
  }
  const { ok, problems, certificate } = verifyCertificate(text, trustedKey(options));
  const signature = certificate?.signature ?? null;
  if (!printJson({ ok, file, problems, signed_by: signature?.key_id ?? null }, options)) {
    const signed = signature ? `signed by key ${signature.key_id}` : "not signed";
    if (ok) print(`${printable(file)}: holds. Every hash, quote and number was computed again; ${signed}.`);
    else for (const problem of problems.slice(0, PRINTED)) print(`${printable(file)}: ${certificateWording(problem)}`);
  }
  if (!ok) throw new CheckFailedError("not_verified", `${printable(file)}: does not hold`);
}

async function verifyWorkspace(options: VerifyOptions): Promise<void> {
  const context = await storesOf(options);
  const kept = options.head === undefined ? null : readHead(options.head);
  const trusted = trustedKey(options);
  const check = await checkSeal(context, { trusted, kept });
  const { ok, problems, signed_by } = check;
  if (!printJson(check, options)) printCheck(check, trusted !== null);
  if (ok) return;
  const isEmpty = problems.some(({ code }) => code === "nothing_sealed");
  throw new CheckFailedError(
    isEmpty ? "nothing_sealed" : "not_verified",
    isEmpty ? "workspace: nothing is sealed" : "workspace: what is there is not what was sealed",
    chainRemedy(problems, signed_by),
  );
}

function printCheck(check: ChainCheck, isTrusted: boolean): void {
  const { ok, entries, heads, unsigned, unsealed, erasures_unsealed, erased, problems, signed_by } = check;
  const found = chainWordings(problems);
  for (const line of found.slice(0, PRINTED)) print(line);
  if (found.length > PRINTED) print(`and ${found.length - PRINTED} more`);
  if (heads === 0) return;
  const signed = signed_by.length > 0 ? `, signed by key ${signed_by.map((key) => printable(key)).join(", ")}` : "";
  const not = unsigned > 0 ? `, ${unsigned} of them not signed` : "";
  const held = ok ? "The chain holds" : "The chain does not hold";
  print(`${held}: ${plural(entries, "record")} under ${plural(heads, "head")}${not}${signed}.`);
  if (signed && !isTrusted) print("No key was given to compare with: --public-key FILE names yours.");
  print("Sealed: audits of finished runs, routes, gate changes, outcomes, erasures.");
  print("Not sealed: decisions, rules, labels, calibrations, manifests of runs.");
  if (check.gate_compared === false && ok) {
    print(
      "The active gate was not compared with its history, which is of an earlier version: `gate apply` records its hash.",
    );
  }
  if (erased > 0) print(`${plural(erased, "record")} with something erased, as tombstones say.`);
  const buried = erasures_unsealed > 0 ? `, ${erasures_unsealed} of them tombstones` : "";
  const next = ok ? ": `defensible seal` adds them" : "";
  if (unsealed > 0) print(`${plural(unsealed, "record")} not sealed yet${buried}${next}.`);
}

function readHead(file: string): ChainHead {
  const head = headIn(readText(file));
  if (head) return head;
  throw new InputError("bad_head", `${printable(file)}: not a head; expected a file of \`seal --json=FILE\``);
}

/** null: the text is not a chain head. */
function headIn(text: string): ChainHead | null {
  try {
    const { head } = JSON.parse(text) as { head: ChainHead };
    const read = readChainLine(JSON.stringify(head));
    return read && !("source" in read) ? read : null;
  } catch {
    return null;
  }
}

/** The key to trust; null: any key. */
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
