// Copies of the sample's audited decisions, with their audits, as the service would have kept them.
import { WORKSPACE } from "./place.mjs";

/** Decisions of the sample with their newest audit. */
const SAMPLE = `
  select row_number() over (order by a.seq) - 1 as place, count(*) over () as many, a.*, d.record::text as decision_line, d.community as of_community
    from (select distinct on (decision_id) * from defensible.audit where workspace_id = $1 and arm = '' and replicate = 0 and decision_id not like 'copy-%'
           order by decision_id, seq desc) a
    join defensible.record d on d.workspace_id = $1 and d.kind = 'decisions' and d.subject = a.decision_id`;

const named = (text, key) =>
  `replace(${text}, '"${key}":' || to_json(decision_id)::text, '"${key}":' || to_json(id)::text)`;

/**
 * Adds so many audited decisions to the workspace, and their audits to a run of it, by default that of the sample. Gives their lines unless there are too
 * many to hold.
 */
export async function addAudited({ database }, name, count, { run = null, lines = true } = {}) {
  const copies = `sample as materialized (${SAMPLE}), copy as (
    select *, 'copy-' || $2 || '-' || n as id from generate_series(0, $3::integer - 1) n join sample on n % (select max(many) from sample) = place)`;
  await database.query(
    `with ${copies}, text as (select *, ${named("decision_line", "id")} as line from copy)
     insert into defensible.record (workspace_id, kind, identity, subject, community, record, record_hash, salt)
     select $1, 'decisions', sha256(convert_to(id, 'UTF8')), id, of_community, line::json, sha256(convert_to(line, 'UTF8')),
            substr(sha256(convert_to(id, 'UTF8')), 1, 16) from text`,
    [WORKSPACE, name, count],
  );
  // The key of an audit: id, arm and replicate with a NUL between them, in UTF-16.
  await database.query(
    `with ${copies}
     insert into defensible.audit (workspace_id, run_id, key, decision_id, arm, replicate, community, decision, outcome, level, inverse, record)
     select $1, coalesce($4, run_id), decode(regexp_replace(encode(convert_to(id, 'UTF8'), 'hex') || '0000' || repeat('30', 7), '(..)', '00\\1', 'g'), 'hex'),
            id, arm, replicate, community, decision, outcome, level, inverse, ${named("record::text", "decision_id")}::json from copy`,
    [WORKSPACE, name, count, run],
  );
  await database.query("analyze defensible.record, defensible.audit");
  if (!lines) return [];
  const { rows } = await database.query(
    "select record::text as line from defensible.record where workspace_id = $1 and kind = 'decisions' and subject like 'copy-' || $2 || '-%' order by seq",
    [WORKSPACE, name],
  );
  return rows.map(({ line }) => line);
}
