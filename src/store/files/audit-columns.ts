import { ISO_TIME } from "../../core/text-checks.js";

/**
 * The columns of an audit at rest and their DuckDB types, in the order of the format. Always given explicitly: left alone, DuckDB
 * would turn an id such as `2024-01-01` into a date. Mixed lists and open objects are kept as JSON text.
 */
export const AUDIT_COLUMNS = {
  run_id: "VARCHAR",
  decision_id: "VARCHAR",
  arm: "VARCHAR",
  replicate: "INTEGER",
  community: "VARCHAR",
  auditor: "VARCHAR",
  auditor_version: "VARCHAR",
  prompt_version: "VARCHAR",
  template: "VARCHAR",
  ruleset_version: "VARCHAR",
  tier: "VARCHAR",
  temperature: "DOUBLE",
  signal: "VARCHAR",
  missing: "VARCHAR",
  outcome: "VARCHAR",
  error: "STRUCT(code VARCHAR, message VARCHAR)",
  decision: "VARCHAR",
  human_label: "VARCHAR",
  thread_id: "VARCHAR",
  language: "VARCHAR",
  decided_at: "VARCHAR",
  trace:
    "STRUCT(logic_chain VARCHAR, policy_citation VARCHAR, precedent_weight VARCHAR, inverse_check VARCHAR, inverse_citation VARCHAR, defensibility_level TINYINT, level3_reason VARCHAR)",
  level: "TINYINT",
  inverse: "BOOLEAN",
  level_probs: "DOUBLE[]",
  level_map: "TINYINT",
  lambda_nats: "DOUBLE",
  h_weight_bits: "DOUBLE",
  h_citation_bits: "DOUBLE",
  h_citation_sampled_bits: "DOUBLE",
  citation_tokens: "INTEGER",
  citation_spans: "JSON",
  entropy_support: "VARCHAR",
  inverse_log_odds: "DOUBLE",
  inverse_yes_prob: "DOUBLE",
  pds: "DOUBLE",
  p_defensible: "DOUBLE",
  p_calibrated: "DOUBLE",
  calibration_id: "VARCHAR",
  label_mass: "STRUCT(level DOUBLE, weight DOUBLE, inverse DOUBLE)",
  tail_mass: "DOUBLE",
  logprob_space: "VARCHAR",
  samples: "INTEGER",
  se: "JSON",
  sensitivity: "JSON",
  flags: "VARCHAR[]",
  citation: "STRUCT(scope VARCHAR, rule_id VARCHAR, overlap DOUBLE, grounded BOOLEAN)",
  inverse_citation: "STRUCT(scope VARCHAR, rule_id VARCHAR, overlap DOUBLE, grounded BOOLEAN)",
  prompt: "JSON",
  read: "STRUCT(content VARCHAR, rules VARCHAR, precedents VARCHAR)",
  usage: "STRUCT(input_tokens INTEGER, cached_input_tokens INTEGER, output_tokens INTEGER, cost_usd DOUBLE)",
  latency_ms: "DOUBLE",
  attempts: "INTEGER",
  created_at: "VARCHAR",
} as const;

/** The columns as a DuckDB `columns = {…}` argument. */
export function columnsArgument(columns: Record<string, string> = AUDIT_COLUMNS): string {
  return `{${Object.entries(columns)
    .map(([name, type]) => `${sqlString(name)}: ${sqlString(type)}`)
    .join(", ")}}`;
}

/** A text in SQL. The engine reads a statement up to its first NUL, so those in the text are spelt out. */
export function sqlString(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return quoted.includes("\0") ? `(${quoted.replaceAll("\0", "' || chr(0) || '")})` : quoted;
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const MIN_TIME = Date.UTC(1000, 0);
const MAX_TIME = Date.UTC(10_000, 0) - 1;

/** Without a zone, times are UTC: a watch must come out the same on every machine. */
export const UTC = "SET TimeZone = 'UTC'";

/**
 * SQL for the instant that a text names, in milliseconds; NULL where it cannot be read. The second way is for times without seconds, which ISO
 * 8601 allows and DuckDB refuses. What is not ISO 8601, such as `2026/10/02`, is no time, as for the rules in force. Years beyond four digits, and `infinity`, are no times of decisions.
 */
export function instant(column: string): string {
  const withSeconds = `regexp_replace(${column}, '^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)(Z|[+-].*)?$', '\\1:00\\2')`;
  const ms = `epoch_ms(coalesce(TRY_CAST(${column} AS TIMESTAMPTZ), TRY_CAST(${withSeconds} AS TIMESTAMPTZ)))`;
  return `CASE WHEN regexp_matches(${column}, '${ISO_TIME.source}') AND ${ms} BETWEEN ${MIN_TIME} AND ${MAX_TIME} THEN ${ms} END`;
}
