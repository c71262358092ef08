import type { Actions } from "../../core/records/actions.js";
import type { RecordKind } from "../../store/records/record-kinds.js";
import type { UnusedRules } from "./check-rule-sets.js";
import { type ReasonCount, type Reject, RejectTally } from "./rejects.js";

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
  /** Where the rejected rows are, relative to the workspace. */
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
  /** Columns named with --map that no file had. */
  unused_maps: string[];
  /** Rules of communities that no decision of the workspace is of. Empty in a dry run, and while there are no decisions. */
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
