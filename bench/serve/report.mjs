// The report of a live run in PostgreSQL: the first makes the snapshot, the next ones should be as fast as from files.
import { join } from "node:path";
import { CLI, measure, row } from "../measure.mjs";
import { addAudited } from "./decisions.mjs";
import { median, WORKSPACE } from "./place.mjs";

const AUDITS = Number(process.env.AUDITS ?? 1_000_000);
const PART = 50_000;
const ROUNDS = 3;

export async function benchLiveReport(place) {
  const { database, url, env, folder } = place;
  const { rows } = await database.query(
    "select run_id from defensible.audit where workspace_id = $1 group by 1 order by count(*) desc limit 1",
    [WORKSPACE],
  );
  const run = rows[0].run_id;
  await database.query(
    `update defensible.run set manifest = (manifest::jsonb || '{"status":"open","sealed_at":null}')::json where workspace_id = $1 and run_id = $2`,
    [WORKSPACE, run],
  );
  for (let n = 0; n < AUDITS; n += PART)
    await addAudited(place, `report${n}`, Math.min(PART, AUDITS - n), { run, lines: false });
  const files = join(folder, "files");
  await measure(process.execPath, [CLI, "tenant", "export", WORKSPACE, "--out", files, "--database", url], { env });
  const report = (...from) =>
    measure(process.execPath, [CLI, "report", "--run", run, "--json", ...from], { env, cwd: folder });
  const live = () => report("--database", url, "--workspace", WORKSPACE);
  const first = await live();
  const found = { live: [], files: [] };
  for (let round = 0; round < ROUNDS; round++) {
    found.live.push((await live()).seconds);
    found.files.push((await report("--workspace", files)).seconds);
  }
  const [database_, files_] = [median(found.live), median(found.files)];
  row(`report: live run of ${AUDITS} audits, first with its snapshot`, `${first.seconds.toFixed(1)} s`);
  row(
    "  then, and from files",
    `${database_.toFixed(1)} and ${files_.toFixed(1)} s: ${(database_ / files_).toFixed(2)} times`,
  );
}
