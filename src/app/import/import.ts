import { DefensibleError } from "../../core/errors.js";
import { type Actions, sameActions } from "../../core/records/actions.js";
import { checkActions } from "../../core/records/manifest.js";
import { FileProblem } from "../../io/files.js";
import type { Context } from "../../store/context.js";
import type { ForeignFile } from "../../store/formats/foreign-rows.js";
import type { FileFormat } from "../../store/formats/sniff-file.js";
import type { RecordSink, RejectSink } from "../../store/ports.js";
import { RowMap } from "../../store/records/normalise.js";
import { type KindOfRecord, RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import { findUnusedRules, RuleSetImport } from "./check-rule-sets.js";
import { FileMappings, type MappingChoices } from "./choose-mapping.js";
import { importRecords } from "./import-records.js";
import { type FileImport, ImportReport, type ImportResult } from "./import-report.js";
import { sampleColumns } from "./sample-columns.js";

export interface ImportOptions extends MappingChoices {
  /** Kind of the records in files other than rule sets. Default: decisions. */
  as?: RecordKind | undefined;
  /** Names of the two actions; can be changed until decisions or precedents are stored. */
  actions?: Actions | undefined;
  /** Community of a page's rules if the page names none. Default: the platform. */
  community?: string | undefined;
  /** Treat all rules of pages as the platform's. */
  platform?: boolean | undefined;
  /** Headings of this level (1 to 6) name communities. */
  communityLevel?: number | undefined;
  /** Checks everything and writes nothing. */
  dryRun?: boolean | undefined;
  /** Called with the id of each decision that is accepted or already stored. */
  taken?: (id: string) => void;
  /** Called with the id of each decision rejected because its id is stored with different contents. */
  contested?: (id: string) => void;
  signal?: AbortSignal;
  onProgress?(progress: ImportProgress): void;
}

export interface ImportProgress {
  file: string;
  rows: number;
  /** Bytes read so far, and the file's size; null: unknown. */
  bytes: number | null;
  totalBytes: number | null;
}

type Places = Pick<Context, "records" | "imports" | "config">;
type ImportContext = Places & Pick<Context, "now" | "erasure">;

/**
 * Imports files of records and rule sets: validated, in canonical form, each row once. An unreadable file or a faulty row is reported in the
 * result, and the rest is imported.
 */
export async function importFiles(
  { now, erasure, ...places }: ImportContext,
  files: readonly ForeignFile[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const kind = RECORD_KINDS[options.as ?? "decisions"];
  const { config, imports } = places;
  const actions = options.actions ? checkActions(options.actions) : config.actions;
  const mappings = new FileMappings(options, kind, actions, config);
  const { dryRun = false } = options;
  if (options.saveProfile !== undefined && !dryRun) await imports.checkProfiles();
  const run = async () => {
    const renamed = !sameActions(actions, config.actions);
    const into = renamed ? await imports.renamed(actions, dryRun) : places;
    return new Import(into, now(), options, kind, mappings, await erasure.buried()).run(files);
  };
  return dryRun ? run() : imports.withImportLock(run);
}

/** Reports an error about a whole file with that file. */
async function withProblem<T>(entry: FileImport, work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof FileProblem)) throw cause;
    entry.problem = { code: cause.code, message: cause.message, remedy: cause.remedy };
    return null;
  }
}

/** Errors in files stored earlier are reported by the commands that need those files. */
async function ifReadable<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof DefensibleError) return otherwise;
    throw cause;
  }
}

async function isEmpty(batches: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of batches) return false;
  return true;
}

/** One import. Stores are opened when the first file needs them. */
class Import {
  private readonly report: ImportReport;
  private readonly dryRun: boolean;
  private readonly stamp: string;
  private store: RecordSink | null = null;
  private rules: RuleSetImport | null = null;
  /** Communities of accepted decisions. */
  private readonly communities = new Set<string>();

  constructor(
    private readonly places: Places,
    now: Date,
    private readonly options: ImportOptions,
    private readonly kind: KindOfRecord,
    private readonly mappings: FileMappings,
    private readonly buried: ReadonlySet<string>,
  ) {
    this.dryRun = options.dryRun ?? false;
    this.report = new ImportReport(this.dryRun, places.config.actions);
    this.stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  }

  async run(files: readonly ForeignFile[]): Promise<ImportResult> {
    try {
      const rules: (() => Promise<void>)[] = [];
      for (const file of files) {
        const entry = this.report.start(file.name);
        const format = await withProblem(entry, () => file.format());
        if (format?.format === "ruleset") rules.push(() => this.takeFile(file, format, entry));
        else if (format) await this.takeFile(file, format, entry);
      }
      // Rule pages come last, because the communities of decisions help to understand them.
      for (const take of rules) await take();
    } finally {
      await this.store?.close();
    }
    return this.report.result({
      unused_maps: this.mappings.unusedColumns(),
      profile: await this.keepProfile(),
      ...(await this.remarksOnRules()),
    });
  }

  /** Rules or decisions may be imported later, so a community name without a match is reported, not refused. */
  private async remarksOnRules(): Promise<Pick<ImportResult, "unused_rules" | "no_decisions">> {
    const nothing = { unused_rules: [], no_decisions: false };
    if (this.dryRun || (!this.rules && this.communities.size === 0)) return nothing;
    const { records } = this.places;
    return ifReadable(nothing, async () => {
      const sets = (await records.rules()).map(({ set }) => set);
      return {
        unused_rules: await findUnusedRules(records, sets, this.communities),
        no_decisions: this.communities.size === 0 && (await isEmpty(records.decisions())),
      };
    });
  }

  /** Stored only if it was used to read something: a mapping that fits nothing has no use later. */
  private async keepProfile(): Promise<ImportResult["profile"]> {
    const profile = this.dryRun || !this.report.tookRecords() ? null : this.mappings.profile();
    if (profile) await this.places.imports.keepProfile(profile.name, profile.settings);
    return profile;
  }

  private async knownCommunities(): Promise<ReadonlySet<string>> {
    const names = new Set(this.communities);
    return ifReadable(names, async () => {
      for await (const batch of this.places.records.decisions())
        for (const { community } of batch) names.add(community);
      return names;
    });
  }

  private async takeFile(file: ForeignFile, format: FileFormat, entry: FileImport): Promise<void> {
    const log = this.dryRun ? null : this.places.imports.openRejects(file.name, this.stamp);
    await withProblem(entry, async () => {
      try {
        if (format.format === "ruleset") await this.takeRuleSets(file, entry, log);
        else await this.takeRecords(file, format, entry, log);
        entry.rejects_file = (await log?.finish()) ?? null;
      } catch (cause) {
        await log?.discard();
        throw cause;
      }
    });
  }

  private async takeRuleSets(file: ForeignFile, entry: FileImport, log: RejectSink | null): Promise<void> {
    const { imports, records } = this.places;
    entry.kind = "rulesets";
    this.rules ??= new RuleSetImport(imports, await records.rules(), this.dryRun);
    for (const { field, reason } of await this.rules.take(file, this.options, () => this.knownCommunities(), entry)) {
      const reject = { file: file.name, line: 1, field, reason };
      this.report.rejects.add(reject);
      log?.add(reject);
    }
  }

  private async takeRecords(
    file: ForeignFile,
    format: FileFormat,
    entry: FileImport,
    log: RejectSink | null,
  ): Promise<void> {
    const { places, kind, options } = this;
    entry.kind = kind.kind;
    const { actions } = places.config;
    const sample = await sampleColumns(file, format, kind.fields);
    const map = new RowMap(await this.mappings.of(file.name, sample, entry), kind.fields);
    this.store ??= await places.imports.open(kind.kind, this.dryRun);
    const totalBytes = file.size();
    const progress = (bytes: number | null) => {
      options.signal?.throwIfAborted();
      options.onProgress?.({ file: file.name, rows: entry.rows, bytes, totalBytes });
    };
    const { store, communities, buried } = this;
    const columns = sample.columns.map(({ name }) => name);
    const { taken, contested } = options;
    const into = { kind, store, communities, buried, map, actions, log, progress, taken, contested };
    const rejects = await importRecords(file, format, entry, columns, into);
    this.mappings.noteUnused(map.unused());
    this.report.rejects.merge(rejects);
  }
}
