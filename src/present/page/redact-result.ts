import type { KeyedHash } from "../../store/files/redaction-key.js";
import { redactedName } from "./own-words.js";

/** Members under which a result could hold what somebody wrote about a case: a length and a hash stand for it. */
const WRITTEN = new Set(
  `content body context url rationale appeal note comment comments logic_chain policy_citation inverse_citation trace quote scrubbed`.split(
    " ",
  ),
);

/** Members whose texts the program writes: names of its tables, ids, rules, and sentences made of numbers and names. */
const OURS = new Set(
  `about above action active_constraints adjust after against arm asked audited auditor auditor_version axis because before boundary
  boundary_between by calibration_id can_show cannot_show caption cause caveat change channel choose cited cited_after cited_before class
  class_between classes clustered_method cohort command communities community component condition content_hash created_at curve dataset decision
  decision_id decisions design differs domain drawn error_rate estimate evidence experiment facet features field file first format from gate_id group
  higher_means id ids index interval inverse kind label layer level look lower mark measure measured method methods metric mode name negative new
  not_estimated notes of old old_rule_id op optimiser order own_level p_method paper part place positive preset promise prompt_version quantity
  rate reading reason reference regime replicates role rows rule rule_id rule_kind rules run run_id runs scale scope score second series
  series_order shape signal size slice software source state statement statistic status step stop stratum subset target template test text tier
  tiers title to true truth gold human circular under unit upper used value variable verdict warnings way what why withheld x y`.split(
    /\s+/,
  ),
);

/**
 * The result of an experiment without texts that the program does not know. Such files are kept as they are, and somebody may have added to them; a
 * member that is not on the list is hashed, so that what a later version adds is safe until somebody has thought of it.
 */
export function redactResult<Result>(result: Result, hashOf: KeyedHash): Result {
  return redacted(result, "text", hashOf) as Result;
}

/** `name`: the member that it stands under. */
function redacted(value: unknown, name: string, hashOf: KeyedHash): unknown {
  if (typeof value === "string") return OURS.has(name) ? value : redactedName(value, hashOf, "name");
  if (Array.isArray(value)) return value.map((one) => redacted(one, name, hashOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [
      member,
      WRITTEN.has(member) ? redactText(one, hashOf) : redacted(one, member, hashOf),
    ]),
  );
}

/** Numbers, yes, no and nothing say nothing of a text. */
function redactText(value: unknown, hashOf: KeyedHash): unknown {
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { text: null, length: text.length, hash: hashOf(text, "content") };
}
