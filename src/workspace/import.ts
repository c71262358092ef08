import { existsSync, statSync } from "node:fs";
import type { Actions } from "../domain/actions.js";
import { DefensibleError, InputError } from "../errors.js";
import { acquireLock } from "../ledger/lock.js";
import { checkActions, writeActions } from "./config-file.js";
import { FileProblem } from "./file-problem.js";
import { importRecords } from "./import-records.js";
import { ImportReport, type ImportResult } from "./import-report.js";
import { RuleSetStore } from "./import-rule-set.js";
import { RECORD_KINDS, type RecordKind } from "./record-kinds.js";
import { RecordStore } from "./record-store.js";
import { RejectLog } from "./rejects.js";
import { RowMap } from "./row-map.js";
import { sniffFile } from "./sniff-file.js";
import type { Workspace } from "./workspace.js";

export interface ImportOptions {
  /** What the records of files are that are not rule sets. Default: decisions. */
  as?: RecordKind;
  /** `column=field`; the field may be dotted. */
  map?: readonly string[];
  /** `field:value=value`. */
  mapValue?: readonly string[];
  /** Names of the workspace's actions; can be changed as long as it holds no decisions and no precedents. */
  actions?: Actions;
  /** Checks everything and writes nothing. */
  dryRun?: boolean;
  /** Default: now. */
  now?: Date;
  signal?: AbortSignal;
  onProgress?(progress: ImportProgress): void;
}

export interface ImportProgress {
  file: string;
  rows: number;
  /** Read so far, and the size of the file; null where that is not known. */
  bytes: number | null;
  totalBytes: number | null;
}

/**
 * Brings files of records and rule sets into a workspace: checked, in canonical form, each row once. A file that cannot be read is a
 * problem of that file and a row that does not fit one of that row; both are told in the result, and the rest is taken.
 */
export async function importFiles(
  workspace: Workspace,
  files: readonly string[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const kind = RECORD_KINDS[options.as ?? "decisions"];
  const actions = options.actions ? checkActions(options.actions) : workspace.config.actions;
  const map = new RowMap(options.map ?? [], options.mapValue ?? [], kind.fields, actions);
  const dryRun = options.dryRun ?? false;
  const unlock = dryRun ? () => {} : acquireLock(workspace.paths.importLock, `import into ${workspace.root}`);
  try {
    const target = await withActions(workspace, actions, dryRun);
    return await new Import(target, files, options, kind.kind, map).run();
  } finally {
    unlock();
  }
}

class Import {
  private readonly report: ImportReport;
  private readonly dryRun: boolean;
  private readonly stamp: string;
  private store: RecordStore | null = null;
  private rules: RuleSetStore | null = null;

  constructor(
    private readonly workspace: Workspace,
    private readonly files: readonly string[],
    private readonly options: ImportOptions,
    private readonly kind: RecordKind,
    private readonly map: RowMap,
  ) {
    this.dryRun = options.dryRun ?? false;
    this.report = new ImportReport(this.dryRun, workspace.config.actions);
    this.stamp = (options.now ?? new Date()).toISOString().replace(/[-:]|\.\d+/g, "");
  }

  async run(): Promise<ImportResult> {
    try {
      for (const file of this.files) await this.take(file);
    } finally {
      await this.store?.close();
    }
    return this.report.result(this.map.unused());
  }

  private async take(file: string): Promise<void> {
    const entry = this.report.start(file);
    try {
      const format = sniffFile(file);
      if (format.format === "ruleset") {
        entry.kind = "rulesets";
        this.rules ??= new RuleSetStore(this.workspace, this.dryRun);
        this.takeRuleSet(file, entry);
      } else {
        entry.kind = this.kind;
        this.store ??= await RecordStore.open(this.workspace, this.kind, this.dryRun);
        await this.takeRecords(file, format, entry, this.store);
      }
    } catch (cause) {
      if (!(cause instanceof FileProblem)) throw cause;
      entry.problem = { code: cause.code, message: cause.message, remedy: cause.remedy };
    }
  }
}
