import { InputError } from "../core/errors.js";
import type { Actions } from "../core/records/actions.js";
import type { PilotCase } from "../measures/stability/allocate.js";
import { type Condition, emptyReplicates, type Replicates } from "../measures/stability/replicates.js";
import { type Duck, sqlString } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import type { MoreColumn } from "./audit-select.js";
import { openAuditTable } from "./audit-table.js";
import { contradictionNote, leftOutNote, refuseUnreadable, unitSpace } from "./replicate-columns.js";
import { doubles, integers } from "./score-table.js";

/** The arm of audits that are only used to choose cases. */
export const PILOT_ARM = "pilot";

/** Arms in which an audit is repeated: the plain run, temperatures, templates, or both. */
const REPEATED_ARM = "^$|^t=[0-9.]+$|^(t=[0-9.]+ )?template=[a-z]+$";

const ALSO = [
  "level_probs",
  "lambda_nats",
  "h_weight_bits",
  "h_citation_bits",
  "temperature",
  "template",
  "auditor",
  "signal",
  "logprob_space",
] as const satisfies readonly MoreColumn[];

export interface ReplicateSource {
  source: AuditSource;
  /** Run id; null for a file. */
  run: string | null;
  actions?: Actions | undefined;
}

export interface ReadReplicates {
  replicates: Replicates;
  /** Pilot verdicts of each candidate; null: no pilot. */
  pilot: PilotCase[] | null;
  /** Number of pilot replicates requested for each candidate. */
  pilotReplicates: number;
  /** What was used as a pilot: an arm of its own, or first replicates, which are then left out of the rest. */
  pilotBy: "pilot" | "first_replicates" | null;
  /** What was left out or is contradictory, one sentence each. */
  notes: string[];
}

export interface ReplicateOptions {
  /** Without a pilot arm: use this many first replicates of the first temperature as a pilot, and leave them out of the rest. */
  pilot?: number;
}

/** Reads repeated audits of one or several sources into columns, sorted by case, condition and replicate. */
export async function loadReplicates(
  db: Duck,
  sources: readonly ReplicateSource[],
  options: ReplicateOptions = {},
): Promise<ReadReplicates> {
  await db.run(`CREATE TABLE repeated (source INTEGER, decision_id VARCHAR, community VARCHAR, arm VARCHAR, temperature DOUBLE, template VARCHAR,
    auditor VARCHAR, replicate INTEGER, level INTEGER, inverse INTEGER, p1 DOUBLE, p2 DOUBLE, p3 DOUBLE, pds DOUBLE, p_defensible DOUBLE,
    lambda_nats DOUBLE, h_weight_bits DOUBLE, h_citation_bits DOUBLE, inverse_yes_prob DOUBLE, unit_space INTEGER)`);
  const notes: string[] = [];
  for (const [index, one] of sources.entries()) notes.push(...(await loadSource(db, one, index)));
  await dropLonePlainArm(db);
  const conditions = await readConditions(db, sources);
  // With several sources that have a pilot, the first one separates the groups, because counts of two auditors must not be mixed.
  const ofPilot = `arm = ${sqlString(PILOT_ARM)}`;
  let pilot = await readPilot(db, `${ofPilot} AND source = (SELECT min(source) FROM repeated WHERE ${ofPilot})`);
  let pilotBy: ReadReplicates["pilotBy"] = pilot.cases.length > 0 ? "pilot" : null;
  if (pilotBy && options.pilot) notes.push(`--pilot ${options.pilot} was not used: there are audits of a pilot`);
  if (!pilotBy && options.pilot && conditions.length > 0) {
    const first = `condition = ${firstTemperature(conditions)} AND replicate < ${options.pilot}`;
    pilot = await readPilot(db, first);
    await db.run(`DELETE FROM repeated WHERE ${first}`);
    if (pilot.cases.length > 0) pilotBy = "first_replicates";
  }
  const replicates = await readColumns(db, conditions);
  return {
    replicates,
    pilot: pilot.cases.length === 0 ? null : pilot.cases,
    pilotReplicates: pilot.replicates,
    pilotBy,
    notes,
  };
}

async function loadSource(db: Duck, { source, actions }: ReplicateSource, index: number): Promise<string[]> {
  await openAuditTable(db, source, { actions, also: ALSO, anyArm: true });
  await refuseUnreadable(db, source);
  const nan = (column: string) => `coalesce(${column}, 'NaN'::DOUBLE)`;
  // An arm's name gives its temperature and template if a foreign file has no column for them, and takes precedence over a column that disagrees.
  const armTemperature = `TRY_CAST(regexp_extract(arm, '^t=([0-9.]+)', 1) AS DOUBLE)`;
  const temperature = `coalesce(${armTemperature}, temperature)`;
  const template = `coalesce(nullif(regexp_extract(arm, 'template=([a-z]+)$', 1), ''), template)`;
  const read = `regexp_matches(arm, ${sqlString(REPEATED_ARM)}) OR arm = ${sqlString(PILOT_ARM)}`;
  await db.run(`INSERT INTO repeated SELECT ${index}, decision_id, community, arm, ${temperature}, ${template}, auditor, replicate,
      coalesce(level, 0), coalesce(inverse, false)::INTEGER, ${nan("level_probs[1]")}, ${nan("level_probs[2]")}, ${nan("level_probs[3]")},
      ${nan("pds")}, ${nan("p_defensible")}, ${nan("lambda_nats")}, ${nan("h_weight_bits")}, ${nan("h_citation_bits")}, ${nan("inverse_yes_prob")},
      (len(level_probs) = 3 AND ${unitSpace(temperature)})::INTEGER
    FROM audits WHERE ${read}`);
  const notes = [await leftOutNote(db, source, read), await contradictionNote(db, armTemperature)];
  await db.run("UPDATE repeated SET unit_space = 0 WHERE unit_space IS NULL");
  await db.run("DROP VIEW audits");
  await db.run("DROP VIEW read_audits");
  await db.run("DROP TABLE stored_audits");
  await db.run("DROP TABLE IF EXISTS json_lines");
  return notes.filter((note) => note !== null);
}

/** Drops the single plain audit that a run of temperatures may contain for each decision, which is not a replicate. */
async function dropLonePlainArm(db: Duck): Promise<void> {
  await db.run(`DELETE FROM repeated WHERE arm = '' AND source IN (SELECT source FROM repeated GROUP BY source
    HAVING max(replicate) FILTER (arm = '') = 0 AND count(*) FILTER (arm NOT IN ('', ${sqlString(PILOT_ARM)})) > 0)`);
}

/** Numbers the conditions: by source, then template, then temperature. */
async function readConditions(db: Duck, sources: readonly ReplicateSource[]): Promise<Condition[]> {
  await db.run("ALTER TABLE repeated ADD COLUMN condition INTEGER");
  const found = await db.rows<Omit<Condition, "run"> & { source: number }>(
    `SELECT source, arm, temperature, template, min(auditor) AS auditor FROM repeated WHERE arm <> ${sqlString(PILOT_ARM)}
     GROUP BY source, arm, temperature, template ORDER BY source, template NULLS FIRST, temperature NULLS FIRST, arm`,
  );
  // Other templates are compared with "paper", or with "guided" if "paper" is missing.
  for (const first of ["guided", "paper"]) {
    found.sort((a, b) => a.source - b.source || Number(b.template === first) - Number(a.template === first));
  }
  for (const [index, { source, arm, temperature, template }] of found.entries()) {
    const same = (column: string, value: string | number | null) =>
      value === null ? `${column} IS NULL` : `${column} = ${typeof value === "number" ? value : sqlString(value)}`;
    await db.run(
      `UPDATE repeated SET condition = ${index} WHERE source = ${source} AND ${same("arm", arm)} AND ${same("temperature", temperature)} AND ${same("template", template)}`,
    );
  }
  return found.map(({ source, arm, temperature, template, auditor }) => ({
    arm,
    run: sources[source]!.run,
    auditor,
    temperature,
    template,
  }));
}

function firstTemperature(conditions: readonly Condition[]): number {
  const temperatures = conditions.map(({ temperature }) => temperature ?? Number.POSITIVE_INFINITY);
  return Math.max(0, temperatures.indexOf(Math.min(...temperatures)));
}

async function readPilot(db: Duck, where: string): Promise<{ cases: PilotCase[]; replicates: number }> {
  const rows = await db.rows<{ decision_id: string; n1: number; n2: number; n3: number; asked: number }>(
    `SELECT decision_id, count(*) FILTER (level = 1)::INTEGER AS n1, count(*) FILTER (level = 2)::INTEGER AS n2,
       count(*) FILTER (level = 3)::INTEGER AS n3, count(*)::INTEGER AS asked
     FROM repeated WHERE ${where} GROUP BY decision_id ORDER BY decision_id`,
  );
  return {
    cases: rows.map(({ decision_id, n1, n2, n3 }) => ({ decision_id, counts: [n1, n2, n3] })),
    replicates: rows.reduce((most, { asked }) => Math.max(most, asked), 0),
  };
}

async function readColumns(db: Duck, conditions: readonly Condition[]): Promise<Replicates> {
  await db.run(`CREATE TABLE cases AS SELECT decision_id, min(community) AS community, row_number() OVER (ORDER BY decision_id) - 1 AS number
    FROM repeated WHERE condition IS NOT NULL GROUP BY decision_id`);
  const cases = await db.rows<{ decision_id: string; community: string }>(
    "SELECT decision_id, community FROM cases ORDER BY number",
  );
  const [size] = await db.rows<{ n: number }>(
    "SELECT count(*)::INTEGER AS n FROM repeated WHERE condition IS NOT NULL",
  );
  if (!size?.n) {
    throw new InputError(
      "no_replicates",
      "stability: there are no repeated audits; got no row in the plain arm or in arms such as t=0.7",
      "Run `defensible stability`, or `defensible audit --replicates 30`.",
    );
  }
  const replicates = emptyReplicates(
    cases.map(({ decision_id }) => decision_id),
    cases.map(({ community }) => community),
    conditions,
    size.n,
  );
  await fill(db, replicates);
  return replicates;
}

async function fill(db: Duck, into: Replicates): Promise<void> {
  const result = await db.connection.stream(
    `SELECT (number * ${into.conditions.length} + condition)::INTEGER, replicate, level, inverse, unit_space, p1, p2, p3, pds, p_defensible,
       lambda_nats, h_weight_bits, h_citation_bits, inverse_yes_prob
     FROM repeated JOIN cases USING (decision_id) WHERE condition IS NOT NULL ORDER BY number, condition, replicate`,
  );
  const numbers = [
    into.p1,
    into.p2,
    into.p3,
    into.pds,
    into.pDefensible,
    into.lambdaNats,
    into.weightBits,
    into.citationBits,
    into.inverseYesProb,
  ];
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const cells = integers(chunk, 0);
    for (let i = 0; i < cells.length; i++) into.start[cells[i]! + 1]! += 1;
    into.replicate.set(integers(chunk, 1), at);
    into.level.set(integers(chunk, 2), at);
    into.inverse.set(integers(chunk, 3), at);
    into.unitSpace.set(integers(chunk, 4), at);
    numbers.forEach((column, i) => {
      column.set(doubles(chunk, i + 5), at);
    });
    at += chunk.rowCount;
  }
  for (let cell = 1; cell < into.start.length; cell++) into.start[cell]! += into.start[cell - 1]!;
}

/** The decisions that a run measured, so that another run can measure the same. */
export async function measuredDecisions(db: Duck, { source, actions }: ReplicateSource): Promise<string[]> {
  await openAuditTable(db, source, { actions, anyArm: true });
  const rows = await db.rows<{ decision_id: string }>(
    `SELECT DISTINCT decision_id FROM audits WHERE regexp_matches(arm, ${sqlString(REPEATED_ARM)}) ORDER BY decision_id`,
  );
  return rows.map(({ decision_id }) => decision_id);
}
