import type { ImportProfile } from "../../core/config.js";
import type { Actions } from "../../core/records/actions.js";
import type { Reject } from "../../store/ports.js";
import type { RecordKind } from "../../store/records/record-kinds.js";
import type { GuidelineFormat } from "../../text/guidelines/draft.js";
import type { UnusedRules } from "./check-rule-sets.js";
import type { MappingGuess } from "./guess-mapping.js";

/** What became of one file. */
export interface FileImport {
  /** As it was named in the command. */
  file: string;
  /** What it was taken for; null where that is unknown. */
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
  /** What its columns and words probably mean, where that goes beyond what the import went by; null: nothing to add. */
  guess: MappingGuess | null;
  /** Rows whose generated id an earlier row of the file has; null: none. */
  same_ids: { rows: number; examples: { line: number; first_line: number }[] } | null;
  /** Rows that were taken with a time that is not ISO 8601, by field: it is kept as text, and nothing that asks for times sees it. Null: none. */
  times_unread: { field: string; rows: number; example: string }[] | null;
  /** Of a page that was understood as rules: what it was, and how many passages are in no rule. Null: the file was no page. */
  drafted: {
    format: GuidelineFormat;
    not_placed: number;
    /** The platform's (null) first. `sections`: headings above its rules, or else titles of rules. */
    books: { community: string | null; rules: number; sections: string[] }[];
    /** The level of headings that are communities of the decisions and were read as sections; null: nothing is there. */
    community_level: number | null;
  } | null;
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
  /** What was kept in the configuration for the next time; null: nothing. */
  profile: { name: string; settings: ImportProfile } | null;
  /** Rules of communities that no decision is of. Empty in a dry run, and while there are no decisions. */
  unused_rules: UnusedRules[];
  /** Rules were read, and the workspace has no decisions yet. */
  no_decisions: boolean;
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
      guess: null,
      same_ids: null,
      times_unread: null,
      drafted: null,
    };
    this.files.push(entry);
    return entry;
  }

  /** Whether any row of any file fits, be it new or not. */
  tookRecords(): boolean {
    return this.files.some(({ kind, accepted, duplicates }) => kind !== "rulesets" && accepted + duplicates > 0);
  }

  result(rest: Pick<ImportResult, "unused_maps" | "unused_rules" | "profile" | "no_decisions">): ImportResult {
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
      ...rest,
    };
  }
}

export interface ReasonCount {
  field: string;
  reason: string;
  count: number;
  /** The first rows, as they are in the file. */
  examples: { file: string; line: number; text: string | null }[];
}

const FIRST_REJECTS = 20;
const MOST_EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 200;
/** A reason may quote the value: then each row has its own. What comes after so many is counted together. */
const MAX_REASONS = 200;
const OTHER = { field: "", reason: "other reasons" };

/** The first rejected rows, and how many there are by reason. */
export class RejectTally {
  readonly first: Reject[] = [];
  private readonly byReason = new Map<string, ReasonCount>();

  /** @param text of the row as it is in the file, where that is known */
  add(reject: Reject, text: string | null = null): void {
    if (this.first.length < FIRST_REJECTS) this.first.push(reject);
    const { field, reason, file, line } = reject;
    const entry = this.entryOf({ field, reason });
    entry.count++;
    if (entry.examples.length < MOST_EXAMPLES) {
      entry.examples.push({ file, line, text: text === null ? null : text.slice(0, EXAMPLE_CHARACTERS) });
    }
  }

  merge(other: RejectTally): void {
    this.first.push(...other.first.slice(0, FIRST_REJECTS - this.first.length));
    for (const reason of other.byReason.values()) {
      const entry = this.entryOf(reason);
      entry.count += reason.count;
      entry.examples.push(...reason.examples.slice(0, MOST_EXAMPLES - entry.examples.length));
    }
  }

  /** Most frequent first. */
  reasons(): ReasonCount[] {
    return [...this.byReason.values()].sort((a, b) => b.count - a.count);
  }

  private entryOf({ field, reason }: { field: string; reason: string }): ReasonCount {
    const key = `${field}: ${reason}`;
    const known = this.byReason.get(key);
    if (known) return known;
    if (this.byReason.size >= MAX_REASONS && reason !== OTHER.reason) return this.entryOf(OTHER);
    const entry = { field, reason, count: 0, examples: [] };
    this.byReason.set(key, entry);
    return entry;
  }
}
