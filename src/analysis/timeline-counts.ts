import type { ReportPage, TimelineRow } from "../measures/report-page.js";
import { instant, UTC } from "../store/files/instant.js";
import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./main-rows.js";
import { COUNTED } from "./thread-counts.js";

type Timeline = NonNullable<ReportPage["timeline"]>;

const UNITS = ["day", "week", "month", "quarter", "year"] as const satisfies readonly Timeline["unit"][];

/** More stretches of time than this cannot be told apart in a picture. */
const MOST_PERIODS = 26;

/** A time outside is a mistake, and would stretch a picture over centuries. */
const YEARS = "moment >= TIMESTAMP '1970-01-01' AND moment < TIMESTAMP '2100-01-01'";

/** Verdicts by community and time of the decision, in the shortest unit that makes no more than 26 periods; null where no time is known. */
export async function countTimeline({ db }: AuditTable): Promise<Timeline | null> {
  await db.run(UTC);
  await db.run(
    `CREATE OR REPLACE TABLE timed AS SELECT community, cell, make_timestamp_ms(decided) AS moment FROM
       (SELECT community, cell, ${instant("decided_at")} AS decided FROM audits WHERE ${MAIN_ROWS} AND cell >= 0) WHERE decided IS NOT NULL AND ${YEARS}`,
  );
  const spans = UNITS.map((unit) => `date_diff('${unit}', min(moment), max(moment))::INTEGER + 1 AS ${unit}`);
  const [span] = await db.rows<Record<Timeline["unit"], number | null>>(`SELECT ${spans.join(", ")} FROM timed`);
  if (!span || span.day === null) return null;
  const unit = UNITS.find((one) => span[one]! <= MOST_PERIODS) ?? "year";
  const counts = Object.entries(COUNTED).map(([name, where]) => `count(*) FILTER (${where})::INTEGER AS ${name}`);
  const rows = await db.rows<Omit<TimelineRow, "period"> & { start: string }>(
    `SELECT community, strftime(date_trunc('${unit}', moment), '%Y-%m-%d') AS start, count(*)::INTEGER AS n, ${counts.join(", ")}
     FROM timed GROUP BY ALL ORDER BY community, start`,
  );
  const starts = await db.rows<{ start: string }>(
    `SELECT strftime(unnest(range(date_trunc('${unit}', min(moment)), date_trunc('${unit}', max(moment)) + INTERVAL 1 DAY, INTERVAL 1 ${unit})), '%Y-%m-%d') AS start
     FROM timed`,
  );
  const periods = starts.map(({ start }) => start);
  const places = new Map(periods.map((start, place) => [start, place]));
  return {
    unit,
    periods,
    rows: rows.map(({ start, community, ...row }) => ({ community, period: places.get(start)!, ...row })),
  };
}
