import { DefensibleError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import { checkActions } from "../../core/records/manifest.js";
import { FileProblem } from "../../io/files.js";
import type { Context } from "../../store/context.js";
import type { ForeignFile } from "../../store/formats/foreign-file.js";
import type { FileFormat } from "../../store/formats/sniff-file.js";
import type { RecordSink, RejectSink } from "../../store/ports.js";
import { type KindOfRecord, RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import { RowMap } from "../../store/records/row-map.js";
import { findUnusedRules, type UnusedRules } from "./check-rule-sets.js";
import { importRecords } from "./import-records.js";
import { type FileImport, ImportReport, type ImportResult } from "./import-report.js";
import { RuleSetImport } from "./import-rule-set.js";

export interface ImportOptions {
  /** What the records of files are that are not rule sets. Default: decisions. */
  as?: RecordKind;
  /** `column=field`; the field may be dotted. */
  map?: readonly string[];
  /** `field:value=value`. */
  mapValue?: readonly string[];
  /** Names of the two actions; can be changed as long as no decisions and no precedents are kept. */
  actions?: Actions;
  /** Checks everything and writes nothing. */
  dryRun?: boolean;
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

type Places = Pick<Context, "records" | "imports" | "config">;

/**
 * Brings files of records and rule sets in: checked, in canonical form, each row once. A file that cannot be read is a
 * problem of that file and a row that does not fit one of that row; both are told in the result, and the rest is taken.
 */
export async function importFiles(
  { now, ...places }: Places & Pick<Context, "now">,
  files: readonly ForeignFile[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const kind = RECORD_KINDS[options.as ?? "decisions"];
  const { config, imports } = places;
  const actions = options.actions ? checkActions(options.actions) : config.actions;
  const map = new RowMap(options.map ?? [], options.mapValue ?? [], kind.fields, actions);
  const { dryRun = false } = options;
  const run = async () => {
    const renamed = actions.positive !== config.actions.positive || actions.negative !== config.actions.negative;
    const into = renamed ? await imports.renamed(actions, dryRun) : places;
    return new Import(into, now(), options, kind, map).run(files);
  };
  return dryRun ? run() : imports.alone(run);
}

/** One import, from its first file to its last. Stores are opened when the first file needs them. */
class Import {
  private readonly report: ImportReport;
  private readonly dryRun: boolean;
  private readonly stamp: string;
  private store: RecordSink | null = null;
  private rules: RuleSetImport | null = null;
  /** Of the decisions that were taken. */
  private readonly communities = new Set<string>();

  constructor(
    private readonly places: Places,
    now: Date,
    private readonly options: ImportOptions,
    private readonly kind: KindOfRecord,
    private readonly map: RowMap,
  ) {
    this.dryRun = options.dryRun ?? false;
    this.report = new ImportReport(this.dryRun, places.config.actions);
    this.stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  }

  async run(files: readonly ForeignFile[]): Promise<ImportResult> {
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
      const { records } = this.places;
      const sets = (await records.rules()).map(({ set }) => set);
      return await findUnusedRules(records, sets, this.communities);
    } catch (cause) {
      // What is wrong with files that were there before is told by whatever needs them.
      if (cause instanceof DefensibleError) return [];
      throw cause;
    }
  }

  private async takeFile(file: ForeignFile): Promise<void> {
    const entry = this.report.start(file.name);
    const log = this.dryRun ? null : this.places.imports.openRejects(file.name, this.stamp);
    try {
      const format = file.format();
      if (format.format === "ruleset") await this.takeRuleSet(file, entry, log);
      else await this.takeRecords(file, format, entry, log);
      entry.rejects_file = (await log?.finish()) ?? null;
    } catch (cause) {
      await log?.discard();
      if (!(cause instanceof FileProblem)) throw cause;
      entry.problem = { code: cause.code, message: cause.message, remedy: cause.remedy };
    }
  }

  private async takeRuleSet(file: ForeignFile, entry: FileImport, log: RejectSink | null): Promise<void> {
    const { imports, records } = this.places;
    entry.kind = "rulesets";
    this.rules ??= new RuleSetImport(imports, await records.rules(), this.dryRun);
    const fault = await this.rules.add(file, entry);
    if (!fault) return;
    const reject = { file: file.name, line: 1, field: fault.field, reason: fault.reason };
    this.report.rejects.add(reject);
    log?.add(reject);
  }

  private async takeRecords(
    file: ForeignFile,
    format: FileFormat,
    entry: FileImport,
    log: RejectSink | null,
  ): Promise<void> {
    const { places, kind, map, options } = this;
    entry.kind = kind.kind;
    this.store ??= await places.imports.open(kind.kind, this.dryRun);
    const totalBytes = file.size();
    const progress = (bytes: number | null) => {
      options.signal?.throwIfAborted();
      options.onProgress?.({ file: file.name, rows: entry.rows, bytes, totalBytes });
    };
    const { actions } = places.config;
    const { store, communities } = this;
    const rejects = await importRecords(file, format, entry, { kind, store, communities, map, actions, log, progress });
    this.report.rejects.merge(rejects);
  }
}
