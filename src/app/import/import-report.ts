import type { Actions } from "../../core/records/actions.js";
import type { Reject } from "../../store/ports.js";
import type { RecordKind } from "../../store/records/record-kinds.js";
import type { UnusedRules } from "./check-rule-sets.js";

/** What became of one file. */
export interface FileImport {
  /** As it was named in the command. */
  file: string;
  /** What it was taken for; null where that could not be told. */
  kind: RecordKind | "rulesets" | null;
  rows: number;
  accepted: number;
  /** Rows that were there already, word for word. */
  duplicates: number;
  rejected: number;
  /** Why the file as a whole was not taken, or not to its end. */
  problem: { code: string; message: string; remedy: string | undefined } | null;
  /** Where the rejected rows are kept. */
  rejects_file: string | null;
}

export interface ImportResult {
  dry_run: boolean;
  actions: Actions;
  accepted: number;
  duplicates: number;
  rejected: number;
  files: FileImport[];
  /** The first 20 rejected rows; all are in the files' `rejects_file`. */
  rejects: Reject[];
  /** Most frequent first. */
  reasons: ReasonCount[];
  /** Columns that were to be read as fields, and that no file had. */
  unused_maps: string[];
  /** Rules of communities that no decision is of. Empty in a dry run, and while there are no decisions. */
  unused_rules: UnusedRules[];
}

/** Adds up what the files of one import brought. */
export class ImportReport {
  readonly rejects = new RejectTally();
  private readonly files: FileImport[] = [];

  constructor(
    private readonly dryRun: boolean,
    private readonly actions: Actions,
  ) {}

  start(file: string): FileImport {
    const entry: FileImport = {
      file,
      kind: null,
      rows: 0,
      accepted: 0,
      duplicates: 0,
      rejected: 0,
      problem: null,
      rejects_file: null,
    };
    this.files.push(entry);
    return entry;
  }

  result(unusedMaps: string[], unusedRules: UnusedRules[]): ImportResult {
    const sum = (key: "accepted" | "duplicates" | "rejected") =>
      this.files.reduce((total, file) => total + file[key], 0);
    return {
      dry_run: this.dryRun,
      actions: this.actions,
      accepted: sum("accepted"),
      duplicates: sum("duplicates"),
      rejected: sum("rejected"),
      files: this.files,
      rejects: this.rejects.first,
      reasons: this.rejects.reasons(),
      unused_maps: unusedMaps,
      unused_rules: unusedRules,
    };
  }
}

export interface ReasonCount {
  field: string;
  reason: string;
  count: number;
}

const FIRST_REJECTS = 20;
/** A reason may quote the value: then each row has its own. What comes after so many is counted together. */
const MAX_REASONS = 200;
const OTHER: ReasonCount = { field: "", reason: "other reasons", count: 0 };

/** The first rejected rows, and how many there are by reason. */
export class RejectTally {
  readonly first: Reject[] = [];
  private readonly byReason = new Map<string, ReasonCount>();

  add(reject: Reject): void {
    if (this.first.length < FIRST_REJECTS) this.first.push(reject);
    this.count({ field: reject.field, reason: reject.reason, count: 1 });
  }

  merge(other: RejectTally): void {
    this.first.push(...other.first.slice(0, FIRST_REJECTS - this.first.length));
    for (const reason of other.byReason.values()) this.count(reason);
  }

  /** Most frequent first. */
  reasons(): ReasonCount[] {
    return [...this.byReason.values()].sort((a, b) => b.count - a.count);
  }

  private count(added: ReasonCount): void {
    const known = this.byReason.get(key(added));
    const full = this.byReason.size >= MAX_REASONS;
    const entry = known ?? (full ? this.byReason.get(key(OTHER)) : undefined);
    if (entry) entry.count += added.count;
    else this.byReason.set(key(full ? OTHER : added), { ...(full ? OTHER : added), count: added.count });
  }
}

function key({ field, reason }: ReasonCount): string {
  return `${field}: ${reason}`;
}
