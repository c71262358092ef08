import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../core/config.js";
import { ERASED } from "../../core/names.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { Label, ReviewOutcome } from "../../core/records/label.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { Quotes } from "../../text/quotes.js";
import { actionsFixed, rejectLine } from "../files/record-store.js";
import type { Added, ImportStore, LabelStore, RecordStore, RejectSink } from "../ports.js";
import { erasedDecision, isErased } from "../records/erased.js";
import { canonicalRecord } from "../records/normalise.js";
import { ruleSetName } from "../records/parse-rule-set.js";
import { RECORD_KINDS, type RecordKind, type RecordObject } from "../records/record-kinds.js";
import { turns } from "./run-store.js";

const BATCH = 256;

/** Records of one kind in memory, as lines of JSON by identity. */
class MemoryRecords<T extends object> {
  readonly lines = new Map<string, string>();

  constructor(
    private readonly kind: RecordKind,
    private readonly config: Config,
  ) {}

  async *read(): AsyncGenerator<T[]> {
    const lines = [...this.lines.values()];
    for (let from = 0; from < lines.length; from += BATCH) {
      yield lines.slice(from, from + BATCH).map((line) => JSON.parse(line) as T);
    }
  }

  async add(records: readonly T[]): Promise<Added> {
    const counts: Added = { accepted: 0, duplicate: 0, conflict: 0 };
    for (const record of records) counts[this.put(this.canonical(record))] += 1;
    return counts;
  }

  /** @param record in canonical form */
  put(record: RecordObject, dryRun = false, lines = this.lines): keyof Added {
    const name = RECORD_KINDS[this.kind].identity(record);
    const line = JSON.stringify(record);
    const there = lines.get(name) ?? this.lines.get(name);
    if (there !== undefined) return there === line ? "duplicate" : "conflict";
    (dryRun ? lines : this.lines).set(name, line);
    return "accepted";
  }

  /** Records that exist with exactly this content. */
  async remove(records: readonly T[]): Promise<number> {
    const { identity } = RECORD_KINDS[this.kind];
    const gone = records
      .map((record) => this.canonical(record))
      .filter((record) => this.lines.get(identity(record)) === JSON.stringify(record));
    for (const record of gone) this.lines.delete(identity(record));
    return gone.length;
  }

  private canonical(record: T): RecordObject {
    return canonicalRecord(RECORD_KINDS[this.kind].fields, record, this.config.actions);
  }
}

/** Decisions, precedents, rules, labels, outcomes and rejected rows. */
export class MemoryData {
  readonly decisions: MemoryRecords<Decision>;
  readonly precedents: MemoryRecords<Precedent>;
  readonly labels: MemoryRecords<Label>;
  readonly outcomes: MemoryRecords<ReviewOutcome>;
  readonly rules: RuleSet[];
  private readonly rejects = new Map<string, string>();
  private readonly turn = turns();
  private changes = 0;
  /** After an erasure: the hash that the decisions count as. */
  private readonly erasedHash = new Map<string, string>();

  /**
   * @param config with the actions of the records
   * @param folder for files that the analysis reads, created on demand
   */
  constructor(
    readonly config: Config,
    rules: readonly RuleSet[],
    private readonly folder: () => string,
  ) {
    this.decisions = new MemoryRecords("decisions", config);
    this.precedents = new MemoryRecords("precedents", config);
    this.labels = new MemoryRecords("labels", config);
    this.outcomes = new MemoryRecords("outcomes", config);
    this.rules = structuredClone([...rules]);
  }

  recordStore(): RecordStore {
    const { decisions, precedents } = this;
    return {
      decisions: () => decisions.read(),
      precedents: () => precedents.read(),
      rules: async () => this.rules.map((set) => ({ file: ruleSetName(set), set: structuredClone(set) })),
      addDecisions: (all) => decisions.add(all),
      addPrecedents: async (all) => {
        this.changes++;
        return precedents.add(all);
      },
      hash: async () => this.hash(),
      snapshot: async () => ({
        jsonl: this.write("decisions", decisions),
        parquet: join(this.folder(), "none.parquet"),
      }),
      truth: async () => null,
      isOwnFile: () => false,
      rulesMark: () => String(this.changes),
    };
  }

  labelStore(): LabelStore {
    const { labels } = this;
    return {
      labels: () => labels.read(),
      snapshot: async () =>
        labels.lines.size === 0 ? null : { path: this.write("labels", labels), format: "jsonl" as const },
      add: (all) => labels.add(all),
      remove: (all) => labels.remove(all),
    };
  }

  importStore(): ImportStore {
    return {
      withImportLock: this.turn,
      renamed: async (actions, dryRun) => {
        const taken = (["decisions", "precedents"] as const).find((kind) => this[kind].lines.size > 0);
        if (taken) throw actionsFixed(`the file of ${taken}`, this.config.actions, actions);
        const config = { ...this.config, actions };
        if (!dryRun) Object.assign(this.config, config);
        const renamed = dryRun ? new MemoryData(config, this.rules, this.folder) : this;
        return { records: renamed.recordStore(), imports: renamed.importStore(), config };
      },
      open: async (kind, dryRun) => {
        const seen = new Map<string, string>();
        if (kind === "precedents" && !dryRun) this.changes++;
        return { add: (record) => this[kind].put(record, dryRun, seen), flush: async () => {}, close: async () => {} };
      },
      addRules: async (set) => {
        this.changes++;
        this.rules.push(structuredClone(set));
        return ruleSetName(set);
      },
      checkProfiles: async () => {},
      keepProfile: async (name, profile) => {
        this.config.import = { ...this.config.import, [name]: structuredClone(profile) };
      },
      openRejects: (file, stamp) => this.rejectSink(file, stamp),
    };
  }

  private rejectSink(file: string, stamp: string): RejectSink {
    let rows = "";
    return {
      add: (reject) => {
        rows += rejectLine(reject);
      },
      finish: async () => {
        if (rows === "") return null;
        const same = [...this.rejects].find(([, there]) => there === rows)?.[0];
        const name = same ?? `rejects of ${file}, ${stamp}`;
        this.rejects.set(name, rows);
        return name;
      },
      discard: async () => {
        rows = "";
      },
    };
  }

  private hash(): string {
    const found = createHash("sha256").update(linesOf(this.decisions)).digest("hex").slice(0, 16);
    return this.erasedHash.get(found) ?? found;
  }

  /** Replaces decisions. Their hash is kept, so that runs can continue. Returns the number of changes. */
  eraseDecisions(ids: ReadonlySet<string>, quotes: Quotes, dryRun: boolean): number {
    const before = this.hash();
    let changed = 0;
    for (const [id, line] of this.decisions.lines) {
      const decision = JSON.parse(line) as Decision;
      if (isErased(decision)) continue;
      const next = ids.has(id) ? erasedDecision(decision) : quotes.without(decision, ERASED, "long");
      if (next === decision) continue;
      changed += 1;
      if (!dryRun) this.decisions.lines.set(id, JSON.stringify(next));
    }
    if (changed > 0 && !dryRun) {
      const found = createHash("sha256").update(linesOf(this.decisions)).digest("hex").slice(0, 16);
      this.erasedHash.set(found, before);
    }
    return changed;
  }

  /** Replaces records of decisions. Returns the number of changes. */
  eraseRows(
    kind: "labels" | "outcomes",
    erased: (row: RecordObject) => RecordObject,
    ids: ReadonlySet<string>,
    dryRun: boolean,
  ): number {
    let changed = 0;
    for (const [name, line] of this[kind].lines) {
      const row = JSON.parse(line) as RecordObject;
      const next = JSON.stringify(erased(row));
      if (!ids.has(row.decision_id as string) || next === line) continue;
      changed += 1;
      if (!dryRun) this[kind].lines.set(name, next);
    }
    return changed;
  }

  /** Drops rejected rows. Returns their number. */
  eraseRejects(quotes: (line: string) => boolean, dryRun: boolean): number {
    let dropped = 0;
    for (const [name, rows] of this.rejects) {
      const lines = rows.split("\n").filter(Boolean);
      const kept = lines.filter((line) => !quotes(line));
      dropped += lines.length - kept.length;
      if (!dryRun) this.rejects.set(name, kept.map((line) => `${line}\n`).join(""));
    }
    return dropped;
  }

  private write(name: string, records: MemoryRecords<object>): string {
    const path = join(this.folder(), `${name}.jsonl`);
    writeFileSync(path, linesOf(records));
    return path;
  }
}

function linesOf({ lines }: MemoryRecords<object>): string {
  return [...lines.values()].map((line) => `${line}\n`).join("");
}
