import { hash, randomBytes } from "node:crypto";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../core/config.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { Label } from "../../core/records/label.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { LineLog } from "../../io/read-lines.js";
import { actionsFixed, rejectLine } from "../files/record-store.js";
import type { Added, ImportStore, LabelStore, RecordSink, RecordStore, RejectSink } from "../ports.js";
import { canonicalRecord } from "../records/normalise.js";
import { ruleSetName } from "../records/parse-rule-set.js";
import { RECORD_KINDS, type RecordKind, type RecordObject } from "../records/record-kinds.js";
import { columnText, type Database, type Queries } from "./database.js";
import { cacheMark, erasuresOf } from "./erasure.js";

const BATCH = 500;
const SALT = 16;

const sha = (text: string) => hash("sha256", text, "buffer");

const HASH = 32;

/** One text or byte string per column takes a fraction of the time of a long array. Both split again: JSON has no line breaks, hashes one length. */
const INSERT = `
  with inserted as (
    insert into defensible.record (workspace_id, kind, identity, record_hash, salt, record, subject, community)
    select $1, $2, substr($3::bytea, ${HASH} * at + 1, ${HASH}), substr($4::bytea, ${HASH} * at + 1, ${HASH}),
           substr($5::bytea, ${SALT} * at + 1, ${SALT}), line::json, subject, community
      from (select one.*, (place - 1)::integer as at from unnest(string_to_array($6, E'\\n'), $7::text[], $8::text[])
              with ordinality as one(line, subject, community, place)) as given
    on conflict do nothing returning 1)
  select count(*) as n from inserted`;

/** Random bytes are drawn for many rows at once. */
const DRAWN = 256 * SALT;
let salts = Buffer.alloc(0);

function nextSalt(): Buffer {
  if (salts.length === 0) salts = randomBytes(DRAWN);
  const salt = salts.subarray(0, SALT);
  salts = salts.subarray(SALT);
  return salt;
}

interface Row {
  identity: Buffer;
  hash: Buffer;
  /** Hides the content hash in the log: without the salt, the logged hash reveals nothing. */
  salt: Buffer;
  line: string;
  subject: string;
  community: string | null;
}

export class PostgresRecords<T extends object> {
  constructor(
    private readonly database: Database,
    private readonly workspace: string,
    readonly kind: RecordKind,
    private readonly config: Config,
  ) {}

  async *read(): AsyncGenerator<T[]> {
    for await (const lines of this.lines()) yield lines.map((line) => JSON.parse(line) as T);
  }

  /** In order of arrival. */
  async *lines(): AsyncGenerator<string[]> {
    for (let after = 0; ; ) {
      const rows = await this.database.rows<{ seq: number; line: string }>(
        `select seq, record::text as line from defensible.record
          where workspace_id = $1 and kind = $2 and seq > $3 order by seq limit ${BATCH}`,
        [this.workspace, this.kind, after],
      );
      if (rows.length === 0) return;
      after = rows.at(-1)!.seq;
      yield rows.map(({ line }) => line);
    }
  }

  async add(records: readonly T[]): Promise<Added> {
    const counts: Added = { accepted: 0, duplicate: 0, conflict: 0 };
    const rows = new Map<string, Row>();
    for (const record of records) {
      const row = this.rowOf(this.canonical(record));
      const there = rows.get(row.identity.toString("hex"));
      if (there) counts[there.hash.equals(row.hash) ? "duplicate" : "conflict"]++;
      else rows.set(row.identity.toString("hex"), row);
    }
    for (const outcome of await this.insert([...rows.values()])) counts[outcome]++;
    return counts;
  }

  /** The outcome of each row. No two may have the same identity. */
  async insert(rows: readonly Row[], queries: Queries = this.database): Promise<(keyof Added)[]> {
    if (rows.length === 0) return [];
    const [inserted] = await queries.rows<{ n: number }>(INSERT, [
      this.workspace,
      this.kind,
      Buffer.concat(rows.map((row) => row.identity)),
      Buffer.concat(rows.map((row) => row.hash)),
      Buffer.concat(rows.map((row) => row.salt)),
      rows.map((row) => row.line).join("\n"),
      rows.map((row) => row.subject),
      rows.map((row) => row.community),
    ]);
    if (inserted!.n === rows.length) return rows.map(() => "accepted");
    const known = await this.hashes(queries, rows);
    return rows.map((row) => {
      const there = known.get(row.identity.toString("hex"));
      // The salt was drawn for this row alone.
      if (there?.salt?.equals(row.salt)) return "accepted";
      return there?.record_hash.equals(row.hash) ? "duplicate" : "conflict";
    });
  }

  private async hashes(queries: Queries, rows: readonly Row[]) {
    const found = await queries.rows<{ identity: Buffer; record_hash: Buffer; salt: Buffer | null }>(
      "select identity, record_hash, salt from defensible.record where workspace_id = $1 and kind = $2 and identity = any($3::bytea[])",
      [this.workspace, this.kind, rows.map(({ identity }) => identity)],
    );
    return new Map(found.map((row) => [row.identity.toString("hex"), row]));
  }

  /** Removes those that exist with exactly this content. */
  async remove(records: readonly T[]): Promise<number> {
    const rows = records.map((record) => this.rowOf(this.canonical(record)));
    const gone = await this.database.rows(
      `delete from defensible.record r using unnest($3::bytea[], $4::bytea[]) as given(identity, hash)
        where r.workspace_id = $1 and r.kind = $2 and r.identity = given.identity and r.record_hash = given.hash returning 1`,
      [this.workspace, this.kind, rows.map((row) => row.identity), rows.map((row) => row.hash)],
    );
    return gone.length;
  }

  /** Changes when any record is added or removed. */
  async mark(): Promise<{ count: number; mark: string }> {
    const [row] = await this.database.rows<{ count: number; last: number }>(
      "select count(*) as count, coalesce(max(seq), 0) as last from defensible.record where workspace_id = $1 and kind = $2",
      [this.workspace, this.kind],
    );
    return { count: row!.count, mark: sha(`${row!.count},${row!.last}`).toString("hex").slice(0, 16) };
  }

  /** All records in a file for the analysis, written once for each state. */
  async file(folder: string): Promise<string> {
    const erasures = await erasuresOf(this.database, this.workspace);
    const path = join(folder, `${this.kind}-${(await this.mark()).mark}${cacheMark(erasures)}.jsonl`);
    if (existsSync(path)) return path;
    const aside = `${path}.${process.pid}.tmp`;
    const log = new LineLog(aside);
    log.append([]);
    for await (const lines of this.lines()) log.append(lines);
    await log.close();
    renameSync(aside, path);
    return path;
  }

  /** For bulk imports: keeps the hashes of existing records, so that the outcome of each record is known at once. */
  async sink(dryRun: boolean): Promise<RecordSink> {
    const known = new Map<string, string>();
    for await (const { identity, hash } of this.identities()) known.set(identity, hash);
    let waiting: Row[] = [];
    const flush = async () => {
      const rows = waiting.splice(0);
      for (let from = 0; from < rows.length; from += BATCH) await this.insert(rows.slice(from, from + BATCH));
    };
    return {
      add: (record) => {
        const row = this.rowOf(record);
        const identity = row.identity.toString("base64");
        const hash = row.hash.toString("base64");
        const there = known.get(identity);
        if (there !== undefined) return there === hash ? "duplicate" : "conflict";
        known.set(identity, hash);
        if (!dryRun) waiting.push(row);
        return "accepted";
      },
      flush,
      close: async () => {
        await flush();
        waiting = [];
      },
    };
  }

  private async *identities(): AsyncGenerator<{ identity: string; hash: string }> {
    for (let after = 0; ; ) {
      const rows = await this.database.rows<{ seq: number; identity: Buffer; record_hash: Buffer }>(
        `select seq, identity, record_hash from defensible.record
          where workspace_id = $1 and kind = $2 and seq > $3 order by seq limit 10000`,
        [this.workspace, this.kind, after],
      );
      if (rows.length === 0) return;
      after = rows.at(-1)!.seq;
      for (const row of rows) {
        yield { identity: row.identity.toString("base64"), hash: row.record_hash.toString("base64") };
      }
    }
  }

  /** @param record in canonical form */
  hashOf(record: RecordObject): Buffer {
    return sha(JSON.stringify(record));
  }

  identityOf(record: RecordObject): Buffer {
    return sha(RECORD_KINDS[this.kind].identity(record));
  }

  /** @param record in canonical form */
  rowOf(record: RecordObject): Row {
    const line = JSON.stringify(record);
    const { id, decision_id, community } = record as { id?: string; decision_id?: string; community?: string };
    return {
      identity: this.identityOf(record),
      hash: sha(line),
      salt: nextSalt(),
      line,
      subject: columnText(id ?? decision_id ?? "").slice(0, 512),
      community: community === undefined ? null : columnText(community).slice(0, 512),
    };
  }

  canonical(record: T): RecordObject {
    return canonicalRecord(RECORD_KINDS[this.kind].fields, record, this.config.actions);
  }
}

/** Decisions, precedents, rules, labels and their import. */
export class PostgresData {
  readonly decisions: PostgresRecords<Decision>;
  readonly precedents: PostgresRecords<Precedent>;
  readonly labels: PostgresRecords<Label>;

  /** @param folder for files that the analysis reads */
  constructor(
    private readonly database: Database,
    private readonly workspace: string,
    private readonly config: Config,
    private readonly folder: () => string,
  ) {
    this.decisions = new PostgresRecords(database, workspace, "decisions", config);
    this.precedents = new PostgresRecords(database, workspace, "precedents", config);
    this.labels = new PostgresRecords(database, workspace, "labels", config);
  }

  recordStore(): RecordStore {
    const { decisions, precedents, database, workspace } = this;
    return {
      decisions: () => decisions.read(),
      precedents: () => precedents.read(),
      rules: async () =>
        (
          await database.rows<{ name: string; doc: never }>(
            "select name, doc from defensible.rule_set where workspace_id = $1 order by seq",
            [workspace],
          )
        ).map(({ name, doc }) => ({ file: name, set: doc })),
      addDecisions: (all) => decisions.add(all),
      addPrecedents: async (all) => {
        const added = await precedents.add(all);
        await rulesChanged(this.database, this.workspace);
        return added;
      },
      hash: async () => (await decisions.mark()).mark,
      snapshot: async () => ({
        jsonl: await decisions.file(this.folder()),
        parquet: join(this.folder(), "none.parquet"),
      }),
      truth: async () => null,
      isOwnFile: () => false,
      rulesMark: async () => {
        const [head] = await database.rows<{ rule_changes: number }>(
          "select rule_changes from defensible.gate_head where workspace_id = $1",
          [workspace],
        );
        return String(head?.rule_changes ?? 0);
      },
    };
  }

  labelStore(): LabelStore {
    const { labels } = this;
    return {
      labels: () => labels.read(),
      snapshot: async () =>
        (await labels.mark()).count === 0 ? null : { path: await labels.file(this.folder()), format: "jsonl" as const },
      add: (all) => labels.add(all),
      remove: (all) => labels.remove(all),
    };
  }

  importStore(): ImportStore {
    const { database, workspace } = this;
    return {
      withImportLock: (work) => database.exclusive(`import ${workspace}`, work),
      renamed: async (actions, dryRun) => {
        for (const kind of ["decisions", "precedents"] as const) {
          if ((await this[kind].mark()).count > 0)
            throw actionsFixed(`the table of ${kind}`, this.config.actions, actions);
        }
        const config = { ...this.config, actions };
        if (!dryRun) await this.keepConfig(Object.assign(this.config, config));
        const renamed = dryRun ? new PostgresData(database, workspace, config, this.folder) : this;
        return { records: renamed.recordStore(), imports: renamed.importStore(), config };
      },
      open: async (kind, dryRun) => {
        const sink = await new PostgresRecords(database, workspace, kind, this.config).sink(dryRun);
        if (kind !== "precedents" || dryRun) return sink;
        return { ...sink, close: () => sink.close().then(() => rulesChanged(this.database, this.workspace)) };
      },
      addRules: async (set, text) => {
        const name = ruleSetName(set);
        await database.rows(
          "insert into defensible.rule_set (workspace_id, name, doc, text) values ($1, $2, $3::json, $4)",
          [workspace, columnText(name), JSON.stringify(set), text === null ? null : columnText(text)],
        );
        await rulesChanged(this.database, this.workspace);
        return name;
      },
      checkProfiles: async () => {},
      keepProfile: (name, profile) =>
        this.keepConfig(Object.assign(this.config, { import: { ...this.config.import, [name]: profile } })),
      openRejects: (file, stamp) => this.rejects(file, stamp),
    };
  }

  private async keepConfig(config: Config): Promise<void> {
    await this.database.rows(
      `insert into defensible.workspace (workspace_id, config) values ($1, $2::json)
       on conflict (workspace_id) do update set config = excluded.config`,
      [this.workspace, JSON.stringify(config)],
    );
  }

  private rejects(file: string, stamp: string): RejectSink {
    let rows = "";
    return {
      add: (reject) => {
        rows += rejectLine(reject);
      },
      finish: async () => {
        if (rows === "") return null;
        const [same] = await this.database.rows<{ name: string }>(
          "select name from defensible.reject where workspace_id = $1 and rows = $2 limit 1",
          [this.workspace, rows],
        );
        if (same) return same.name;
        const name = columnText(`rejects of ${file}, ${stamp}`);
        await this.database.rows(
          `insert into defensible.reject (workspace_id, name, rows) values ($1, $2, $3)
           on conflict (workspace_id, name) do update set rows = excluded.rows`,
          [this.workspace, name, rows],
        );
        return name;
      },
      discard: async () => {
        rows = "";
      },
    };
  }
}

/** PostgreSQL cannot extract a member from JSON with a NUL in some text. An escaped backslash is matched first, so that a literal `\\u0000` stays. */
const WITHOUT_NUL = String.raw`regexp_replace(record::text, '(\\\\)|\\u0000', '\1', 'g')::json`;

/** Labels in order of arrival, after a place. `drawn`: only those drawn by this design; `unknown`: those without a design. */
export function labelsAfter(
  queries: Queries,
  workspace: string,
  wanted: {
    after: number;
    limit: number;
    decision_id: string | null;
    drawn: string | null;
    without: readonly string[];
  },
): Promise<{ seq: number; record: Label }[]> {
  return queries.rows(
    `select seq, record from defensible.record
      where workspace_id = $1 and kind = 'labels' and seq > $2 and ($4::text is null or subject = $4)
        and case when $5::text is null then true else coalesce(${WITHOUT_NUL}->>'drawn', 'unknown') = $5 end
        and subject <> all($6::text[]) order by seq limit $3`,
    [
      workspace,
      wanted.after,
      wanted.limit,
      wanted.decision_id && columnText(wanted.decision_id),
      wanted.drawn,
      wanted.without,
    ],
  );
}

/** Rule sets in order of arrival, after a place. */
export function ruleSetsAfter(
  queries: Queries,
  workspace: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ seq: number; name: string; set: RuleSet }[]> {
  return queries.rows(
    "select seq, name, doc as set from defensible.rule_set where workspace_id = $1 and seq > $2 order by seq limit $3",
    [workspace, after, limit],
  );
}

/** Increments the epoch: routing depends on rules, precedents and the key of what audits read. */
export async function rulesChanged(queries: Queries, workspace: string): Promise<void> {
  await queries.rows(
    `insert into defensible.gate_head (workspace_id, epoch, rule_changes) values ($1, 1, 1)
     on conflict (workspace_id) do update set epoch = gate_head.epoch + 1, rule_changes = gate_head.rule_changes + 1`,
    [workspace],
  );
}
