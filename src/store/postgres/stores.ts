import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newRunId } from "../../audit/arms.js";
import type { ResponseCache } from "../../audit/calls/caller.js";
import { decodeGeneration, encodeGeneration } from "../../auditors/recorded/generation-codec.js";
import type { StoredCalibration } from "../../core/calibration.js";
import { type Config, configSchema } from "../../core/config.js";
import { DefensibleError, InputError } from "../../core/errors.js";
import { type Cohort, cohortSchema } from "../../core/records/manifest.js";
import type { RatingKey } from "../../experiments/humans/result.js";
import { trimGeneration } from "../../measures/signals/extract-signals.js";
import { chosenCalibration, identified, newestFirst, understoodCalibration } from "../calibrations.js";
import { checkCohortName, unknownCohort } from "../cohorts.js";
import type { Context } from "../context.js";
import { hasherOf, newKey } from "../files/workspace.js";
import type { CalibrationStore, CohortStore, DamagedCalibration, ExperimentStore, SheetStore } from "../ports.js";
import type { GateEvent } from "../records/gate-event.js";
import { erasedAmong, postgresChain } from "./chain.js";
import { columnText, type Database, type Queries } from "./database.js";
import { cacheMark, erasuresOf, postgresErasure } from "./erasure.js";
import { PostgresGate, postgresRoutes } from "./gate.js";
import { PostgresData, PostgresRecords, rulesChanged } from "./records.js";
import { PostgresRuns } from "./runs.js";
import { findSecret, type Vault } from "./secrets.js";

export interface PostgresOptions {
  database: Database;
  /** Several workspaces may share a database. */
  workspace: string;
  vault: Vault;
  config?: Config;
  /** Folder for the analysis files, which can be recreated at any time. */
  cache?: string;
  /** Announces gate events, in the same transaction. */
  announce?: (queries: Queries, events: readonly GateEvent[]) => Promise<void>;
  now?: () => Date;
}

export interface PostgresContext extends Context {
  gate: PostgresGate;
}

/** All stores of a workspace, in a database whose schema is up to date. */
export function postgresContext(options: PostgresOptions): PostgresContext {
  const { database, workspace, vault, now = () => new Date() } = options;
  const config = { ...(options.config ?? configSchema.parse({ version: 1 })) };
  const folder = () => cacheFolder(options);
  const data = new PostgresData(database, workspace, config, folder);
  const documents = (kind: string) => new Documents(database, workspace, kind);
  const secrets = new Secrets(database, workspace, vault);
  return {
    runs: new PostgresRuns(database, workspace, folder),
    records: data.recordStore(),
    labels: data.labelStore(),
    imports: data.importStore(),
    cohorts: cohorts(documents("cohort")),
    calibrations: calibrations(documents("calibration"), documents("weights")),
    gate: new PostgresGate(database, workspace, vault, options.announce),
    routes: postgresRoutes(database, workspace, new PostgresRecords(database, workspace, "outcomes", config)),
    experiments: experiments(documents("experiment")),
    sheets: sheets(documents("sheet")),
    chain: postgresChain(database, workspace),
    erasure: postgresErasure(database, workspace),
    openHasher: async () => hasherOf(await secrets.key("content")),
    async findHasher() {
      const key = await secrets.find("content");
      return key && hasherOf(key);
    },
    redactionKey: () => secrets.key("redaction"),
    /** Deletes files made before the last erasure. */
    async sweep() {
      const mark = cacheMark(await erasuresOf(database, workspace));
      for (const name of readdirSync(folder())) {
        if (!name.includes(mark)) rmSync(join(folder(), name), { recursive: true, force: true });
      }
    },
    openCache: (tell) => postgresCache(database, workspace, tell),
    config,
    now,
    newId: newRunId,
  };
}

/** One folder per database and workspace, closed to other users. */
function cacheFolder({ database, workspace, cache }: PostgresOptions): string {
  const name = createHash("sha256").update(`${database.url}\0${workspace}`).digest("hex").slice(0, 24);
  const folder = join(cache ?? join(tmpdir(), `defensible-cache-${process.getuid?.() ?? ""}`), name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

class Documents {
  constructor(
    private readonly database: Database,
    private readonly workspace: string,
    private readonly kind: string,
  ) {}

  /** As written, ordered by name. */
  async all(): Promise<{ name: string; text: string }[]> {
    return this.database.rows(
      "select name, doc::text as text from defensible.document where workspace_id = $1 and kind = $2 order by name",
      [this.workspace, this.kind],
    );
  }

  async find(name: string): Promise<string | null> {
    const [row] = await this.database.rows<{ text: string }>(
      "select doc::text as text from defensible.document where workspace_id = $1 and kind = $2 and name = $3",
      [this.workspace, this.kind, columnText(name)],
    );
    return row?.text ?? null;
  }

  async keep(name: string, doc: object): Promise<string> {
    await this.database.rows(
      `insert into defensible.document (workspace_id, kind, name, doc) values ($1, $2, $3, $4::json)
       on conflict (workspace_id, kind, name) do update set doc = excluded.doc, kept_at = now()`,
      [this.workspace, this.kind, columnText(name), JSON.stringify(doc)],
    );
    return this.place(name);
  }

  async delete(name: string): Promise<boolean> {
    const gone = await this.database.rows(
      "delete from defensible.document where workspace_id = $1 and kind = $2 and name = $3 returning 1",
      [this.workspace, this.kind, columnText(name)],
    );
    return gone.length > 0;
  }

  /** For display. */
  place(name: string): string {
    return `database: ${this.kind} ${name}`.trim();
  }
}

function cohorts(documents: Documents): CohortStore {
  const names = async () => (await documents.all()).map(({ name }) => name);
  const understood = (text: string): Cohort => {
    const parsed = cohortSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    throw new InputError("bad_cohort", "database: a cohort cannot be understood", "Delete it and choose it again.");
  };
  const find = async (name: string) => {
    checkCohortName(name);
    const text = await documents.find(name);
    return text === null ? null : understood(text);
  };
  return {
    list: async () => (await documents.all()).map(({ text }) => understood(text)),
    find,
    async read(name) {
      const cohort = await find(name);
      if (!cohort) throw unknownCohort(name, await names());
      return cohort;
    },
    async keep(cohort) {
      checkCohortName(cohort.name);
      await documents.keep(cohort.name, cohort);
    },
    async delete(name) {
      checkCohortName(name);
      if (!(await documents.delete(name))) throw unknownCohort(name, await names());
    },
  };
}

function calibrations(documents: Documents, weights: Documents): CalibrationStore {
  const understood = ({ name, text }: { name: string; text: string }) =>
    understoodCalibration(text, documents.place(name), name);
  const list = async () => (await documents.all()).map(understood).sort(newestFirst);
  return {
    list,
    async survey() {
      const found: StoredCalibration[] = [];
      const damaged: DamagedCalibration[] = [];
      for (const row of await documents.all()) {
        try {
          found.push(understood(row));
        } catch (cause) {
          if (!(cause instanceof DefensibleError)) throw cause;
          damaged.push({ calibration_id: row.name, damaged: cause.message });
        }
      }
      return { calibrations: found.sort(newestFirst), damaged };
    },
    async read(idOrName) {
      const rows = await documents.all();
      const known = rows.map(({ name }) => name);
      const id = chosenCalibration(known, () => rows.map(understood).sort(newestFirst), idOrName);
      return understood(rows.find(({ name }) => name === id)!);
    },
    async keep(calibration) {
      const taken = new Set((await documents.all()).map(({ name }) => name));
      const stored = identified(calibration, (id) => taken.has(id));
      await documents.keep(stored.calibration_id, stored);
      return stored;
    },
    placeOf: ({ calibration_id }) => documents.place(calibration_id),
    async weights() {
      const text = await weights.find("");
      return text === null ? null : { text, place: weights.place("") };
    },
    keepWeights: (next) => weights.keep("", next),
  };
}

function experiments(documents: Documents): ExperimentStore {
  return {
    read: async (kind) => JSON.parse((await documents.find(kind)) ?? "null"),
    all: async () => Object.fromEntries((await documents.all()).map(({ name, text }) => [name, JSON.parse(text)])),
    keep: (result) => documents.keep(result.experiment, result),
  };
}

function sheets(documents: Documents): SheetStore {
  return {
    list: async () => (await documents.all()).map(({ name }) => name),
    async key(sheetId) {
      const text = await documents.find(sheetId);
      if (text === null) throw new InputError("no_key", `key: no sheet ${sheetId}`, "Draw one first.");
      return JSON.parse(text) as RatingKey;
    },
    keep: (key) => documents.keep(key.sheet_id, key),
  };
}

/** Keys of a workspace, each made when first needed and stored encrypted. */
class Secrets {
  constructor(
    private readonly database: Database,
    private readonly workspace: string,
    private readonly vault: Vault,
  ) {}

  async find(name: string): Promise<Buffer | null> {
    return findSecret(this.database, this.vault, this.workspace, name);
  }

  async key(name: string): Promise<Buffer> {
    const made = await this.database.rows(
      "insert into defensible.secret (workspace_id, name, sealed) values ($1, $2, $3) on conflict do nothing returning 1",
      [this.workspace, name, this.vault.seal(newKey())],
    );
    // From here on, what audits read can be compared.
    if (made.length > 0) await rulesChanged(this.database, this.workspace);
    return (await this.find(name))!;
  }
}

/** Model answers. A failure to store one is reported once; the answer is requested again later. */
function postgresCache(
  database: Database,
  workspace: string,
  tell: (message: string) => void = () => {},
): ResponseCache {
  let broken = false;
  return {
    async get(key) {
      try {
        const [row] = await database.rows<{ answer: string }>(
          "select answer from defensible.response where workspace_id = $1 and key = $2",
          [workspace, key],
        );
        return row ? decodeGeneration(row.answer) : null;
      } catch {
        return null;
      }
    },
    async put(key, generation, decision) {
      if (broken || generation.finish !== "stop") return;
      try {
        await database.transaction(async (queries) => {
          if (decision !== undefined && (await erasedAmong(queries, workspace, [decision])).size > 0) return;
          await queries.rows(
            `insert into defensible.response (workspace_id, key, answer) values ($1, $2, $3)
             on conflict (workspace_id, key) do update set answer = excluded.answer`,
            [workspace, key, encodeGeneration(trimGeneration(generation))],
          );
        });
      } catch (cause) {
        broken = true;
        tell(`Answers are not kept from here on: ${(cause as Error).message}`);
      }
    },
    async close() {},
  };
}
