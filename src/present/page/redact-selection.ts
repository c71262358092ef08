import type { HashedSort, KeyedHash } from "./own-words.js";
import { redactedName } from "./own-words.js";
import { isContentKind, isDate, isLanguageCode } from "./plain-codes.js";

/** Fields of decisions whose values are names that stay. */
const NAMES = new Set(["id", "community", "decision", "human_label"]);

const SORTS: readonly [RegExp, HashedSort][] = [
  [/^(?:content\.)?language$/, "language"],
  [/^(?:content\.)?kind$/, "kind"],
  [/^tags$/, "tag"],
  [/^(?:decider\.id|rater|author)$/, "person"],
  [/^content/, "content"],
  [/^rationale$/, "rationale"],
  [/^(?:cited_rule|gold\.rule_ids)$/, "rule"],
  [/^ruleset_version$/, "version"],
];

/** A filter says `field=value`. `sort`: what the value is, null where it may be shown. */
export function filterParts(filter: string): {
  field: string;
  operator: string;
  value: string;
  sort: HashedSort | null;
} {
  const [, field = "", operator = "", asked = ""] = /^\s*([^=!\s]+)\s*(!?=)(.*)$/s.exec(filter) ?? [];
  if (operator === "") return { field, operator, value: filter, sort: "filter" };
  const value = asked.trim();
  const [, sort = "filter" as const] = SORTS.find(([pattern]) => pattern.test(field)) ?? [];
  const isCode =
    value === "*" ||
    NAMES.has(field) ||
    (sort === "language" && isLanguageCode(value)) ||
    (sort === "kind" && isContentKind(value)) ||
    (field === "decided_at" && isDate(value));
  return { field, operator, value, sort: isCode ? null : sort };
}

/** Which decisions were audited: the value of a filter may be anybody's, an author, a tag, a sentence. */
export function redactSelection<Selection extends { filters?: unknown }>(
  selection: Selection,
  hashOf: KeyedHash,
): Selection {
  const { filters } = selection;
  if (!Array.isArray(filters)) return selection;
  return {
    ...selection,
    filters: filters.map((filter) => {
      const { field, operator, value, sort } = filterParts(String(filter));
      return sort === null ? filter : `${field}${operator}${redactedName(value, hashOf, sort)}`;
    }),
  };
}

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
  tiers title to true truth gold human circular under unit upper used value variable verdict warnings way weighted what why withheld x y`.split(
    /\s+/,
  ),
);

/**
 * The result of an experiment without texts that the program does not know. Such files are kept as they are, and may have been added to; a member
 * that is neither on the list nor in `shown`, the experiment's own, is hashed.
 */
export function redactResult<Result>(result: Result, hashOf: KeyedHash, shown: readonly string[] = []): Result {
  return redacted(result, "text", { hashOf, ours: shown.length === 0 ? OURS : new Set([...OURS, ...shown]) }) as Result;
}

/** What labels were drawn from, where the program names it: a run, or what was automated. */
const OWN_FRAME = /^(?:automated|\d{8}T\d{6}Z-[0-9a-f]+)$/;

/** `name`: the member that it stands under. */
function redacted(value: unknown, name: string, by: { hashOf: KeyedHash; ours: ReadonlySet<string> }): unknown {
  const { hashOf, ours } = by;
  if (name === "frame" && typeof value === "string" && OWN_FRAME.test(value)) return value;
  if (typeof value === "string") return ours.has(name) ? value : redactedName(value, hashOf, "name");
  if (Array.isArray(value)) return value.map((one) => redacted(one, name, by));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [
      member,
      WRITTEN.has(member) ? redactText(one, hashOf) : redacted(one, member, by),
    ]),
  );
}

/** Numbers, yes, no and nothing say nothing of a text. */
function redactText(value: unknown, hashOf: KeyedHash): unknown {
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { text: null, length: text.length, hash: hashOf(text, "content") };
}
