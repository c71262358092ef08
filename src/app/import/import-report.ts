import type { ImportProfile } from "../../core/config.js";
import type { Actions } from "../../core/records/actions.js";
import type { Reject } from "../../store/ports.js";
import type { RecordKind } from "../../store/records/record-kinds.js";
import type { GuidelineFormat } from "../../text/guidelines/draft.js";
import type { UnusedRules } from "./check-rule-sets.js";
import type { MappingGuess } from "./guess-mapping.js";

/** The result of one file. */
export interface FileImport {
  /** As named in the command. */
  file: string;
  /** The kind it was read as; null: unknown. */
  kind: RecordKind | "rulesets" | null;
  rows: number;
  accepted: number;
  /** Rows already stored with the same contents. */
  duplicates: number;
  rejected: number;
  /** Why the file was not imported, or not to its end. */
  problem: { code: string; message: string; remedy: string | undefined } | null;
  rejects_file: string | null;
  /** The guessed meaning of its columns and words, if the import did not use it all; null: nothing to add. */
  guess: MappingGuess | null;
  /** Rows with the same generated id as an earlier row of the file; null: no such rows. */
  same_ids: { rows: number; examples: { line: number; first_line: number }[] } | null;
  /** Accepted rows with a time that is not ISO 8601, by field. It is kept as text and ignored wherever times are needed. Null: no such rows. */
  times_unread: { field: string; rows: number; example: string }[] | null;
  /** For a page read as rules: its format, and how many passages are in no rule. Null: not a page. */
  drafted: {
    format: GuidelineFormat;
    not_placed: number;
    /** The platform's (null) first. `sections`: headings above its rules, or the rules' titles. */
    books: { community: string | null; rules: number; sections: string[] }[];
    /** Level of headings that match communities of the decisions but were read as sections; null: no such level. */
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
  /** The first 20 rejected rows; `rejects_file` has all of them. */
  rejects: Reject[];
  reasons: ReasonCount[];
  /** Mapped columns that no file had. */
  unused_maps: string[];
  /** The profile stored in the configuration; null: none. */
  profile: { name: string; settings: ImportProfile } | null;
  /** Rules of communities without decisions. Empty in a dry run, and while there are no decisions. */
  unused_rules: UnusedRules[];
  /** Rules were imported, but the workspace has no decisions yet. */
  no_decisions: boolean;
}

/** Collects the results of the files of one import. */
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

  /** Whether any record of any file was accepted or already stored. */
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
  /** The first rows, verbatim. */
  examples: { file: string; line: number; text: string | null }[];
}

const FIRST_REJECTS = 20;
const MOST_EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 200;
/** A reason may quote the value, so that every row has its own. Reasons beyond this number are counted together. */
const MAX_REASONS = 200;
const OTHER = { field: "", reason: "other reasons" };

/** The first rejected rows, and counts by reason. */
export class RejectTally {
  readonly first: Reject[] = [];
  private readonly byReason = new Map<string, ReasonCount>();

  /** @param text the row verbatim, if known */
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
