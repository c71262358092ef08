import type { AuditedReason } from "../measures/metrics/reason-accuracy.js";
import { printable } from "../text/printable.js";
import type { Tombstone } from "./tombstone.js";
import type { CertificateProblem } from "./verify-certificate.js";
import type { ChainProblem, GatePart } from "./verify-chain.js";

/** Results of auditing a stated reason. */
export const AUDITED_WORDS: Readonly<Record<AuditedReason, string>> = {
  carries_alone: "the stated rule alone supports the decision",
  needs_more: "the audit rests on the stated rule, which does not support the decision alone",
  only_others: "right for a wrong reason: only other rules or precedents support the decision",
  unknown_rule: "the decision follows, and no such rule was in force",
  not_under_all: "the stated rule alone supports the decision, all rules together do not",
  no_rule_supports: "neither the stated rule nor all rules together support the decision",
  no_verdict: "no verdict",
};

/** Notes on a certificate's page about an auditor that must not be used to judge real policy. */
export const STAND_IN_WORDS = {
  baseline:
    "The audit is the built-in baseline's, which reads words, not meaning. Do not use it to judge real policy: audit with a language model.",
  simulated: "The audit is a simulated auditor's, over a made-up world. It says nothing of a real decision.",
} as const;

const RECORDS = {
  changed: "changed",
  removed: "removed",
  added: "added",
  reordered: "moved to another place",
  erased_without_tombstone: "text was erased, and no tombstone says so",
  erasure_not_sealed: "text was erased under a tombstone that is not sealed",
};

const HEADS = {
  other_root: "its entries were changed",
  other_previous: "does not follow the head before it; a head was changed or removed",
  entries_missing: "entries of it are missing",
  entries_without_head: "has entries and no head; a seal was interrupted",
  out_of_order: "entries are not in their order",
  unsigned: "not signed",
  other_key: "signed with another key than the one given",
  bad_signature: "the signature does not match",
};

const GATE: Readonly<Record<GatePart, string>> = {
  gate: "active gate: not the one that the history says was activated last",
  closure: "kill switch: not as the history says",
  suspensions: "suspensions: not those of the history",
  history: "history of the gate: cannot be read",
};

function chainWording(problem: ChainProblem): string {
  if ("source" in problem) {
    const { where, source, n } = problem;
    const at = printable(where ?? `${source}, record ${n + 1}`);
    if (problem.code === "unknown_erasure") {
      return `${at}: not sealed by an erasure: ${erasureWording(problem.tombstone)}`;
    }
    const about = problem.decision === undefined ? "" : ` (decision ${printable(problem.decision, 100)})`;
    return `${at}: ${RECORDS[problem.code]}${about}`;
  }
  if (problem.code === "nothing_sealed") return "Nothing is sealed: there is no chain.";
  if (problem.code === "gate_not_in_history") return GATE[problem.part];
  if (problem.code === "head_not_found") {
    return `The head of ${printable(problem.day)} is not in the chain: the logs were cut back to an earlier state, or the head is of another workspace.`;
  }
  const at = problem.head < 0 ? "chain" : `chain, head ${problem.head + 1}`;
  return `${at}: ${HEADS[problem.code]}`;
}

/** All problems in words. Records removed from one log are combined into one line, so that a deleted run does not hide the others. */
export function chainWordings(problems: readonly ChainProblem[]): string[] {
  const removed = new Map<string, number>();
  for (const one of problems) {
    if (one.code === "removed") removed.set(one.source, (removed.get(one.source) ?? 0) + 1);
  }
  return problems.flatMap((one) => {
    if (one.code !== "removed") return [chainWording(one)];
    const count = removed.get(one.source);
    removed.delete(one.source);
    if (count === undefined) return [];
    return [`${chainWording(one)}${count > 1 ? `, and ${count - 1} more of this log` : ""}`];
  });
}

/** What to do about a tombstone that was not sealed by an erasure. */
export const ERASURE_REMEDY =
  "If you ordered it, repeat `defensible erase`, which seals it. Otherwise delete the line and compare the records with a backup.";

/** What to do about problems, by the one that explains most. `keys`: ids of the keys that signed. */
export function chainRemedy(problems: readonly ChainProblem[], keys: readonly string[] = []): string {
  const codes = new Set(problems.map(({ code }) => code));
  if (codes.has("nothing_sealed")) {
    return "Seal the logs with `defensible seal`. If they were sealed before, the chain was deleted: restore chain/ from a backup.";
  }
  if (codes.has("head_not_found")) {
    return "Restore the chain and the logs from a backup made after that head. Check that the head is of this workspace.";
  }
  if (problems.every(({ code }) => code === "gate_not_in_history")) {
    return "Look at `defensible gate history`. If what is there is right, record it: `gate apply`, `gate reinstate`, or `gate close` and then `gate open`. Otherwise restore gate/ from a backup.";
  }
  if (codes.has("other_key") || codes.has("unsigned")) {
    const signed = keys.length > 0 ? ` The heads name ${keys.map((key) => `key ${printable(key)}`).join(", ")}.` : "";
    return `Give the public key of the signer with --public-key FILE.${signed} If that key is not yours, the chain was made anew by someone else.`;
  }
  if (problems.some((one) => "head" in one && one.code !== "entries_without_head")) {
    return "Restore chain/chain.jsonl from a backup.";
  }
  if (problems.every(({ code }) => code === "entries_without_head")) return "Finish it with `defensible seal`.";
  if (codes.has("erasure_not_sealed")) {
    return "If you ordered the erasure, repeat `defensible erase`. Otherwise restore the records and chain/erasures.jsonl from a backup.";
  }
  if (problems.every(({ code }) => code === "unknown_erasure")) return ERASURE_REMEDY;
  return "Compare with a backup and restore these records. What was deleted on purpose, such as a run, stays reported.";
}

/** Who ordered an erasure that is not covered by a head. */
export function erasureWording({ decision, by, at, reason }: Tombstone): string {
  return `tombstone of decision ${decision.slice(0, 16)}…, ${printable(at, 40)}, by ${printable(by, 100)}: ${printable(reason, 200)}`;
}

export function certificateWording(problem: CertificateProblem): string {
  const at = problem.path ? `${printable(problem.path)}: ` : "";
  switch (problem.code) {
    case "not_json":
      return "not a certificate: not JSON. Expected a file of `defensible certificate --out FILE`";
    case "other_format":
      return "not a certificate. Expected a file of `defensible certificate --out FILE`";
    case "not_canonical":
      return "spaces, order or spelling differ from the file that was written";
    case "bad_field":
      return `${at}${printable(problem.message)}`;
    case "other_value": {
      const [, part] = /^hashes\.parts\.(.+)$/.exec(problem.path) ?? [];
      if (part !== undefined) return `${printable(part)}: changed after the certificate was made`;
      return `${at}does not follow from the other parts of the certificate`;
    }
    case "other_hash":
      return `${at}the certificate has another hash; it was changed after it was made`;
    case "unsigned":
      return `${at}not signed`;
    case "other_key":
      return `${at}made with another key`;
    case "bad_signature":
      return `${at}does not match what is signed; it was changed`;
  }
}
