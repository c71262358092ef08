// Decisions as JSON lines, kept with the jobs that audit them, against a bare COPY of the same rows into the same table.
import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { row } from "../measure.mjs";
import { cpuOf, databaseCpu, median, WORKSPACE } from "./place.mjs";

const ROUNDS = 5;
const LINES = 10_000;

export async function benchIngest(place, bodies, tag = "") {
  const api = await place.serve();
  const key = await place.key("decisions:write");
  const found = { copy: [], ingest: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const lines = Array.from({ length: LINES }, (_, i) =>
      JSON.stringify({ ...JSON.parse(bodies[i % bodies.length]), id: `ingest${tag}${round}-${i}` }),
    );
    const copied = await timed(place, null, await copy(place, lines));
    const sent = await timed(place, api, () => ingest(api, key, lines));
    // The first round warms up.
    if (round < 0) continue;
    found.copy.push(copied);
    found.ingest.push(sent);
  }
  await place.stop(api);
  const rate = (name) => LINES / median(found[name].map(({ seconds }) => seconds));
  const cpu = (name, of) => Math.round(median(found[name].map((one) => one[of])));
  row("ingest: rows/s, bare COPY", `${Math.round(rate("copy"))}, PostgreSQL ${cpu("copy", "database")} µs a row`);
  row(
    "ingest: decisions/s, JSON lines with jobs",
    `${Math.round(rate("ingest"))}, API ${cpu("ingest", "api")} µs, PostgreSQL ${cpu("ingest", "database")} µs a row`,
  );
  row("  share of COPY's rate (at least 0.4)", (rate("ingest") / rate("copy")).toFixed(2));
}

async function timed({ postmaster }, api, work) {
  const [begun, own, database] = [performance.now(), api && cpuOf(api.pid), databaseCpu(postmaster)];
  await work();
  return {
    seconds: (performance.now() - begun) / 1000,
    api: api ? (cpuOf(api.pid) - own) / LINES : 0,
    database: (databaseCpu(postmaster) - database) / LINES,
  };
}

async function ingest({ address }, key, lines) {
  const answer = await fetch(`${address}/v1/decisions`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson", authorization: `Bearer ${key}` },
    body: `${lines.join("\n")}\n`,
  });
  const accepted = (await answer.text()).match(/"status":"accepted"/g)?.length ?? 0;
  if (accepted !== LINES) throw new Error(`${accepted} of ${LINES} accepted`);
}

const escaped = (text) => text.replace(/[\\\t\n\r]/g, (c) => `\\${{ "\\": "\\", "\t": "t", "\n": "n", "\r": "r" }[c]}`);
const hex = (bytes) => `\\\\x${bytes.toString("hex")}`;
const sha = (text) => createHash("sha256").update(text).digest();

/** Makes the rows first: only COPY itself is measured. */
async function copy({ url }, lines) {
  const text = lines.map((line) => {
    const { id, community } = JSON.parse(line);
    const values = [hex(sha(id)), escaped(id), escaped(community), escaped(line), hex(sha(line)), hex(randomBytes(16))];
    return `${WORKSPACE} copied\tdecisions\t${values.join("\t")}\n`;
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return async () => {
    await new Promise((resolve, reject) => client.query(new CopyIn(Buffer.from(text.join("")), resolve, reject)));
    await client.end();
  };
}

/** COPY FROM STDIN by the driver's own messages. */
class CopyIn {
  constructor(bytes, resolve, reject) {
    Object.assign(this, { bytes, resolve, reject });
  }
  submit(connection) {
    const columns = "workspace_id, kind, identity, subject, community, record, record_hash, salt";
    connection.query(`copy defensible.record (${columns}) from stdin`);
  }
  handleCopyInResponse(connection) {
    for (let from = 0; from < this.bytes.length; from += 65_536) {
      connection.sendCopyFromChunk(this.bytes.subarray(from, from + 65_536));
    }
    connection.endCopyFrom();
  }
  handleError(cause) {
    this.reject(cause);
  }
  handleCommandComplete() {}
  handleReadyForQuery() {
    this.resolve();
  }
}
