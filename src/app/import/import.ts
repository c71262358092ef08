import { statSync } from "node:fs";
import { basename } from "node:path";
import { DefensibleError, InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import { FileProblem } from "../../io/files.js";
import { acquireLock } from "../../io/lock.js";
import { checkActions, writeActions } from "../../store/files/config-file.js";
import { RecordLog } from "../../store/files/record-store.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import type { Workspace } from "../../store/files/workspace.js";
import { type FileFormat, sniffFile } from "../../store/formats/sniff-file.js";
import { type KindOfRecord, RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import { RowMap } from "../../store/records/row-map.js";
import { findUnusedRules, type UnusedRules } from "./check-rule-sets.js";
import { importRecords } from "./import-records.js";
import { type FileImport, ImportReport, type ImportResult } from "./import-report.js";
import { RuleSetStore } from "./import-rule-set.js";
import { RejectLog } from "./rejects.js";

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
    return await new Import(withActions(workspace, actions, dryRun), options, kind, map).run(files);
  } finally {
    unlock();
  }
}

/** One import, from its first file to its last. Stores are opened when the first file needs them. */
class Import {
  private readonly report: ImportReport;
  private readonly dryRun: boolean;
  private readonly stamp: string;
  private store: RecordLog | null = null;
  private rules: RuleSetStore | null = null;
  /** Of the decisions that were taken. */
  private readonly communities = new Set<string>();

  constructor(
    private readonly workspace: Workspace,
    private readonly options: ImportOptions,
    private readonly kind: KindOfRecord,
    private readonly map: RowMap,
  ) {
    this.dryRun = options.dryRun ?? false;
    this.report = new ImportReport(this.dryRun, workspace.config.actions);
    this.stamp = (options.now ?? new Date()).toISOString().replace(/[-:]|\.\d+/g, "");
  }

  async run(files: readonly string[]): Promise<ImportResult> {
    try {
      for (const file of files) await this.takeFile(file);
    } finally {
      await this.store?.close();
    }
    return this.report.result(this.map.unused(), this.dryRun ? [] : await this.unusedRules());
  }

  /** Rules or decisions may come later, so that a name that fits nothing is remarked on and not refused. */
  private async unusedRules(): Promise<UnusedRules[]> {
    if (!this.rules && this.communities.size === 0) return [];
    try {
      const sets = loadRuleSets(this.workspace).map(({ set }) => set);
      return await findUnusedRules(this.workspace, sets, this.communities);
    } catch (cause) {
      // What is wrong with files that were there before is told by whatever needs them.
      if (cause instanceof DefensibleError) return [];
      throw cause;
    }
  }

  private async takeFile(file: string): Promise<void> {
    const entry = this.report.start(file);
    const log = this.dryRun ? null : new RejectLog(this.workspace, file, this.stamp);
    try {
      const format = sniffFile(file);
      if (format.format === "ruleset") this.takeRuleSet(file, entry, log);
      else await this.takeRecords(file, format, entry, log);
      entry.rejects_file = log?.finish() ?? null;
    } catch (cause) {
      log?.discard();
      if (!(cause instanceof FileProblem)) throw cause;
      entry.problem = { code: cause.code, message: cause.message, remedy: cause.remedy };
    }
  }

  private takeRuleSet(file: string, entry: FileImport, log: RejectLog | null): void {
    entry.kind = "rulesets";
    this.rules ??= new RuleSetStore(this.workspace, this.dryRun);
    const fault = this.rules.add(file, entry);
    if (!fault) return;
    const reject = { file, line: 1, field: fault.field, reason: fault.reason };
    this.report.rejects.add(reject);
    log?.add(reject);
  }

  private async takeRecords(file: string, format: FileFormat, entry: FileImport, log: RejectLog | null): Promise<void> {
    const { workspace, kind, map, options } = this;
    entry.kind = kind.kind;
    this.store ??= await RecordLog.open(workspace, kind.kind, this.dryRun);
    const totalBytes = statSync(file).size;
    const progress = (bytes: number | null) => {
      options.signal?.throwIfAborted();
      options.onProgress?.({ file, rows: entry.rows, bytes, totalBytes });
    };
    const { actions } = workspace.config;
    const { store, communities } = this;
    const rejects = await importRecords(file, format, entry, { kind, store, communities, map, actions, log, progress });
    this.report.rejects.merge(rejects);
  }
}

/** The workspace with its actions named otherwise: possible only while nothing in it has been decided in the old ones. */
function withActions(workspace: Workspace, actions: Actions, dryRun: boolean): Workspace {
  const { config, paths } = workspace;
  if (actions.positive === config.actions.positive && actions.negative === config.actions.negative) return workspace;
  const taken = [paths.decisions, paths.decisionsParquet, paths.precedents].find(
    (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (taken) {
    const { positive, negative } = config.actions;
    throw new InputError(
      "actions_fixed",
      `actions: ${basename(taken)} is written in ${positive}/${negative}; got ${actions.positive}/${actions.negative}`,
      `Leave --actions out and translate the values, such as --map-value decision:${actions.positive}=${positive}, or make another workspace.`,
    );
  }
  if (!dryRun) writeActions(paths.config, actions);
  return { ...workspace, config: { ...config, actions } };
}
