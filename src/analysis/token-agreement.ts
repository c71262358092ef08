import type { TokenAgreement } from "../core/results/replicate.js";
import { proportion } from "../stats/intervals/proportion.js";
import { sqlString } from "../store/files/audit-columns.js";
import { type Duck, withDuckDB } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";

/** Two runs with audits of the same decisions. */
export interface TokenPair {
  tokens: AuditSource;
  columns: AuditSource;
}

const SIGNALS = ["lambda_nats", "h_weight_bits", "h_citation_bits", "inverse_yes_prob", "p_defensible"] as const;

/** Signals are written with nine digits. */
const TOLERANCE = 1e-6;

type Row = Record<"n" | "outcome" | "level" | "inverse" | "verdicts", number> &
  Record<"defensible_tokens" | "defensible_columns" | "yes_tokens" | "yes_columns" | "missing", number> &
  Record<(typeof SIGNALS)[number], number | null>;

/** Whether audits that went through tokens and their extraction say what the same draws say as columns. `of`: decisions in the whole runs. */
export async function tokenAgreement(pairs: readonly TokenPair[], of: number): Promise<TokenAgreement> {
  const rows = await withDuckDB(async (db) => {
    const found: Row[] = [];
    for (const pair of pairs) found.push(await compare(db, pair));
    return found;
  });
  const sum = (name: keyof Row) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  const most = (name: keyof Row) =>
    rows.reduce<number | null>((a, row) => (row[name] === null ? a : Math.max(a ?? 0, row[name])), null);
  const signals = Object.fromEntries(SIGNALS.map((name) => [name, most(name)]));
  const [decisions, verdicts] = [sum("n"), sum("verdicts")];
  const rate = (k: number) => proportion(k, verdicts);
  const same = { same_outcome: sum("outcome"), same_level: sum("level"), same_inverse: sum("inverse") };
  return {
    decisions,
    of,
    ...same,
    signals,
    rates:
      verdicts === 0
        ? []
        : [
            { rate: "DI", tokens: rate(sum("defensible_tokens")), columns: rate(sum("defensible_columns")) },
            { rate: "AI", tokens: rate(sum("yes_tokens")), columns: rate(sum("yes_columns")) },
          ],
    agrees:
      decisions > 0 &&
      Object.values(same).every((count) => count === decisions) &&
      sum("missing") === 0 &&
      Object.values(signals).every((difference) => difference === null || difference <= TOLERANCE),
  };
}

/** Decisions that both have; NULL is the same as NULL. */
async function compare(db: Duck, { tokens, columns }: TokenPair): Promise<Row> {
  const read = ({ path }: AuditSource) =>
    `(SELECT * FROM read_parquet(${sqlString(path)}, hive_partitioning = false) WHERE arm = '' AND replicate = 0)`;
  const count = (condition: string) => `count(*) FILTER (${condition})::INTEGER`;
  const differences = SIGNALS.map((name) => `max(abs(t.${name} - c.${name})) AS ${name}`);
  const missing = SIGNALS.map((name) => `(t.${name} IS NULL) <> (c.${name} IS NULL)`).join(" OR ");
  const [row] = await db.rows<Row>(
    `SELECT count(*)::INTEGER AS n, ${count("t.outcome = c.outcome")} AS outcome,
       ${count("t.level IS NOT DISTINCT FROM c.level")} AS level, ${count("t.inverse IS NOT DISTINCT FROM c.inverse")} AS inverse,
       ${count("t.level IS NOT NULL AND c.level IS NOT NULL")} AS verdicts,
       ${count("t.level < 3")} AS defensible_tokens, ${count("c.level < 3")} AS defensible_columns,
       ${count("t.inverse")} AS yes_tokens, ${count("c.inverse")} AS yes_columns, ${count(missing)} AS missing,
       ${differences.join(", ")} FROM ${read(tokens)} t JOIN ${read(columns)} c USING (decision_id)`,
  );
  return row!;
}
