import type { GateKey } from "../../../core/gate.js";
import type { RouteReason } from "../../../core/records/route.js";

/** A plain sentence for every reason, as the summary and docs/route.md print it. */
export const ROUTE_SENTENCES: Readonly<Record<RouteReason, string>> = Object.freeze({
  community_passes: "The community passes the gate in this mode.",
  score_reaches_threshold: "The decision's score reaches the threshold.",
  forced_calibration: "The score does not rest on a calibration for such audits; --force let it count.",
  without_score: "Automated by its community alone (--mode paper): no score was asked for, and no risk is promised.",
  unverified_content: "The audit has no hash of what it read, so it is unknown whether it read this content.",
  shadow: "Routed in shadow mode: without effect.",
  bad_decision: "The line is not a decision in the format.",
  closed: "The kill switch has closed every gate.",
  no_gate: "No gate is active.",
  unknown_community: "The gate does not know the community.",
  insufficient: "The community has too few audited decisions.",
  does_not_pass: "The community does not pass the gate in this mode.",
  harm_above_limit: "The community's expected harm is above its limit, or not shown in this mode to be below it.",
  not_certified: "The gate is not a proven one (--mode certified), or rests on a sliding window: it proves nothing.",
  suspended: "The community is suspended.",
  foreign_gate: "The gate rests on audits of another auditor, prompt, template or tier.",
  rules_changed: "The audit is under other rules than those that the gate rests on.",
  no_audit: "There is no audit of the decision.",
  bad_audit: "The audit is not in the format.",
  other_decision: "The audit is of another decision, action or community.",
  content_changed:
    "The content, its context, the rules or the precedents are not what the audit read, or the file has the id with other contents too.",
  audit_error: "The audit ended in an error.",
  unscored: "The audit has no verdict.",
  indefensible: "The audit calls the decision indefensible: its level is 3.",
  probably_indefensible: "The audit's most probable level is 3, though it wrote another.",
  missing_calibration: "There is no calibration for the score.",
  foreign_calibration: "The calibration is for other audits, or not the one the threshold was set on.",
  no_score: "The audit's signals give no score.",
  no_threshold: "No threshold keeps the risk that was asked for.",
  below_threshold: "The decision's score is below the threshold.",
  appeal: "The decision is under appeal, which a person decides.",
  unseen_media: "The content has media that no auditor saw.",
  injection_suspected: "The content seems to address the auditor.",
  content_cut: "The auditor did not see all of the content.",
  retroactive_rule: "A rule applied is younger than the decision.",
  unknown_flag: "The audit has a flag that this version does not know.",
  look_alike_key: "A key differs from a known one only in case, punctuation or letters that look alike.",
  never_automate: "A rule cited is marked never_automate.",
  unresolved_citation: "It is unknown whether a rule marked never_automate was applied.",
  random_review: "Chosen at random, so that the gate keeps being measured.",
});

/** Share of the automatable decisions that go to review anyway, unless the gate or the user sets another one. */
export const DEFAULT_REVIEW_SHARE = 0.02;

const BYTES = 6;

/**
 * A keyed hash as a number that permanently decides whether a decision belongs to the random review share: it does if the number is below the
 * share. The hash is of the decision's id under the gate's secret key, so repeated calls give the same answer and it cannot be predicted without
 * the key. The number has no other use.
 *
 * Formula: u = (first 48 bits of the digest, big-endian) / 2^48; sampled iff u < share
 * Range: [0, 1), uniform over ids if the hash is good
 * Undefined when: the digest has fewer than 6 bytes (an error)
 * Differs from the paper: the paper has no random review.
 * @see docs/route.md
 * @example reviewFraction(Uint8Array.of(128, 0, 0, 0, 0, 0)) // => 0.5
 */
export function reviewFraction(digest: Uint8Array): number {
  if (digest.length < BYTES) throw new RangeError(`digest: got ${digest.length} bytes, expected at least ${BYTES}`);
  let value = 0;
  for (let i = 0; i < BYTES; i++) value = value * 256 + digest[i]!;
  return value / 2 ** (8 * BYTES);
}

/** Fields by which a gate may divide decisions. */
export interface CohortFields {
  community?: string | null;
  decision?: string | null;
  language?: string | null;
  citation?: { scope: string | null; rule_id: string | null } | null;
}

const JOINED_BY = " × ";

/**
 * Name of the cohort that a decision belongs to. A single key is used as it is, so a community keeps its name. With several keys, each × inside a
 * part is doubled, so that different cohorts never share a name.
 * @example cohortKey(["community", "decision"], { community: "plants", decision: "remove" }) // => "plants × remove"
 */
export function cohortKey(by: readonly GateKey[], fields: CohortFields): string {
  return joinKey(by.map((key) => part(key, by, fields)));
}

/** The name of a cohort from its parts. */
export function joinKey(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0]!;
  return parts.map((text) => text.replaceAll("×", "××")).join(JOINED_BY);
}

/** The parts of a cohort's name, one for each key; null if it is the name of a cohort by other keys. */
export function splitKey(by: readonly GateKey[], key: string): string[] | null {
  if (by.length === 1) return [key];
  // Every × inside a part is doubled, so a single × is a separator.
  const parts = key.split(JOINED_BY).map((text) => text.replaceAll("××", "×"));
  return parts.length === by.length ? parts : null;
}

function part(key: GateKey, by: readonly GateKey[], fields: CohortFields): string {
  if (key === "rule") return rulePart(by, fields);
  return fields[key] ?? "unknown";
}

/** Rule ids of a community are local to it, so they are prefixed with its name unless the key already contains it. */
function rulePart(by: readonly GateKey[], { community, citation }: CohortFields): string {
  const ruleId = citation?.rule_id ?? null;
  if (ruleId === null || citation?.scope === "none" || citation?.scope === "precedent") return "no rule";
  if (citation?.scope === "platform") return `platform ${ruleId}`;
  return by.includes("community") ? ruleId : `${community ?? "unknown"} ${ruleId}`;
}

/** The community that a cohort's name begins with; null if the gate does not divide by community. */
export function communityInKey(by: readonly GateKey[], key: string): string | null {
  if (by[0] !== "community") return null;
  if (by.length === 1) return key;
  // Every × inside a name is doubled, so the first single × is the separator.
  const joint = key.indexOf(JOINED_BY);
  return (joint < 0 ? key : key.slice(0, joint)).replaceAll("××", "×");
}
