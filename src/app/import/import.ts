import { DefensibleError, InputError } from "../../core/errors.js";
import { nearestName } from "../../core/nearest-name.js";
import type { Actions } from "../../core/records/actions.js";
import { checkActions } from "../../core/records/manifest.js";
import { FileProblem } from "../../io/files.js";
import type { Context } from "../../store/context.js";
import type { ForeignFile } from "../../store/formats/foreign-file.js";
import type { FileFormat } from "../../store/formats/sniff-file.js";
import type { RecordSink, RejectSink } from "../../store/ports.js";
import {
  checkMapping,
  type Mapping,
  type MappingFlags,
  mappingProfile,
  mergeMappings,
  parseMapping,
  profileMapping,
} from "../../store/records/mapping.js";
import { type KindOfRecord, RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import { RowMap } from "../../store/records/row-map.js";
import {
  communityLevelOf,
  draftedPage,
  findUnusedRules,
  headingsAreCommunities,
  RuleSetImport,
  spellingIn,
  type UnusedRules,
} from "./check-rule-sets.js";
import { guessMapping, type MappingGuess } from "./guess-mapping.js";
import { importRecords } from "./import-records.js";
import { type FileImport, ImportReport, type ImportResult } from "./import-report.js";
import { type FileSample, sampleColumns } from "./sample-columns.js";

export interface ImportOptions extends MappingFlags {
  /** What the records of files are that are not rule sets. Default: decisions. */
  as?: RecordKind | undefined;
  /** A mapping that the configuration keeps under this name; what is given beside it wins. */
  profile?: string | undefined;
  /** Keeps the mapping that was used in the configuration, under this name. */
  saveProfile?: string | undefined;
  /**
   * Asked where a guess says more than is certain; gives the mapping to go by, null to leave the file out, or undefined to go by what is certain, as without it.
   */
  choose?:
    | ((file: string, guess: MappingGuess, again: GuessAgain) => Promise<ChosenMapping | null | undefined>)
    | undefined;
  /** Refuses a file with words for actions that are not understood, instead of rejecting their rows: what is left would be the other action alone. */
  refuseUnknown?: boolean | undefined;
  /** Names of the two actions; can be changed as long as no decisions and no precedents are kept. */
  actions?: Actions | undefined;
  /** Whose rules a page has that names no community. Default: the platform's. */
  community?: string | undefined;
  /** All rules of pages are the platform's. */
  platform?: boolean | undefined;
  /** Headings of this level (1 to 6) name communities. */
  communityLevel?: number | undefined;
  /** Checks everything and writes nothing. */
  dryRun?: boolean | undefined;
  /** Called with the id of each decision that is taken, or was there before. */
  taken?: (id: string) => void;
  /** Called with the id of each decision that is rejected because the id is there with other contents. */
  contested?: (id: string) => void;
  signal?: AbortSignal;
  onProgress?(progress: ImportProgress): void;
}

/** The guess with more that was said: fields and words, and columns that are to be kept as they are. */
export type GuessAgain = (said: Mapping, kept: ReadonlySet<string>) => MappingGuess;

export interface ChosenMapping {
  mapping: Mapping;
  /** The name to keep it under. */
  saveProfile?: string | undefined;
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
  const given = givenMapping(options, kind, actions, config);
  const { dryRun = false } = options;
  if (options.saveProfile !== undefined && !dryRun) await imports.checkProfiles();
  const run = async () => {
    const renamed = actions.positive !== config.actions.positive || actions.negative !== config.actions.negative;
    const into = renamed ? await imports.renamed(actions, dryRun) : places;
    return new Import(into, now(), options, kind, given).run(files);
  };
  return dryRun ? run() : imports.alone(run);
}

/** What was given, by a profile and by itself. */
function givenMapping(
  options: ImportOptions,
  kind: KindOfRecord,
  actions: Actions,
  config: Context["config"],
): Mapping {
  const { profile, saveProfile } = options;
  if (saveProfile !== undefined && !PROFILE_NAME.test(saveProfile)) {
    throw new InputError(
      "bad_profile_name",
      `profile: got "${saveProfile}", expected letters (A to Z), digits, dots, dashes and underscores, a letter or digit first`,
    );
  }
  const flags = parseMapping(options);
  if (profile === undefined) {
    checkMapping(flags, kind, actions);
    return flags;
  }
  const kept = Object.hasOwn(config.import ?? {}, profile) ? config.import![profile] : undefined;
  if (!kept) throw noProfile(profile, Object.keys(config.import ?? {}));
  const base = profileMapping(kept);
  checkMapping(base, kind, actions, `import.${profile}`);
  const merged = mergeMappings(base, flags);
  checkMapping(merged, kind, actions);
  return merged;
}

const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function noProfile(name: string, names: readonly string[]): InputError {
  const meant = nearestName(name, names);
  return new InputError(
    "unknown_profile",
    `there is no import profile "${name}"`,
    names.length === 0
      ? "The workspace has none yet: an import can keep its mapping under a name."
      : `${meant === null ? "" : `Did you mean ${meant}? `}Profiles: ${names.join(", ")}.`,
  );
}

function refuseWords(file: string, guess: MappingGuess, entry: FileImport): void {
  const words = guess.unknown.filter(({ actions }) => actions.length > 0);
  if (words.length === 0) return;
  entry.guess = guess;
  const fields = [...new Set(words.map(({ field }) => field))].join(" and ");
  const rows = words.reduce((sum, word) => sum + word.rows, 0);
  throw new FileProblem(
    "unknown_words",
    `${file}: ${fields}: ${words.length === 1 ? "1 word is" : `${words.length} words are`} not understood (${rows} ${rows === 1 ? "row" : "rows"}), so nothing was imported`,
    "Say which action each of them is.",
  );
}

/** What is wrong with a file is told where it is taken. */
function holdsRules(file: ForeignFile): boolean {
  try {
    return file.format().format === "ruleset";
  } catch (cause) {
    if (cause instanceof FileProblem) return false;
    throw cause;
  }
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
  /** Everything that rows were read by, for the profile. */
  private used: Mapping;
  private profileName: string | undefined;
  private readonly unusedColumns: Set<string>;

  constructor(
    private readonly places: Places,
    now: Date,
    private readonly options: ImportOptions,
    private readonly kind: KindOfRecord,
    private readonly given: Mapping,
  ) {
    this.used = given;
    this.profileName = options.saveProfile;
    this.unusedColumns = new Set(given.columns.map(({ column }) => column));
    this.dryRun = options.dryRun ?? false;
    this.report = new ImportReport(this.dryRun, places.config.actions);
    this.stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  }

  async run(files: readonly ForeignFile[]): Promise<ImportResult> {
    try {
      const entries = files.map((file) => ({ file, entry: this.report.start(file.name) }));
      // A page of rules is understood by the communities of the decisions next to it.
      const rules = entries.filter(({ file }) => holdsRules(file));
      const records = entries.filter((one) => !rules.includes(one));
      for (const { file, entry } of [...records, ...rules]) await this.takeFile(file, entry);
    } finally {
      await this.store?.close();
    }
    return this.report.result({
      unused_maps: [...this.unusedColumns],
      profile: await this.keepProfile(),
      unused_rules: this.dryRun ? [] : await this.unusedRules(),
    });
  }

  /** Only where something was read by it: a mapping that fits nothing is of no use tomorrow. */
  private async keepProfile(): Promise<ImportResult["profile"]> {
    const { profileName: name } = this;
    if (name === undefined || this.dryRun || !this.report.tookRecords()) return null;
    const settings = mappingProfile(this.used);
    await this.places.imports.keepProfile(name, settings);
    return { name, settings };
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

  private async takeFile(file: ForeignFile, entry: FileImport): Promise<void> {
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
    const { community, platform, communityLevel } = this.options;
    const page = {
      ...(community === undefined ? {} : { community }),
      ...(platform ? { platform } : {}),
      ...(communityLevel === undefined ? {} : { communityLevel }),
    };
    let { sets, draft } = file.ruleSets(page);
    if (draft) {
      const names = await this.knownCommunities();
      const found = Object.keys(page).length === 0 ? communityLevelOf(draft, names) : null;
      if (found !== null) {
        entry.drafted = draftedPage(draft, found.level);
        throw headingsAreCommunities(file.name, found);
      }
      const spelled = (name: string) => (names.has(name) ? name : (spellingIn(names, name) ?? name));
      ({ sets, draft } = file.ruleSets({ ...page, spelled }));
      entry.drafted = draftedPage(draft, null);
    }
    for (const set of sets) {
      const fault = await this.rules.add(set, entry);
      if (!fault) continue;
      const reject = { file: file.name, line: 1, field: fault.field, reason: fault.reason };
      this.report.rejects.add(reject);
      log?.add(reject);
    }
  }

  /** Communities of the decisions of this import and of the workspace. */
  private async knownCommunities(): Promise<ReadonlySet<string>> {
    const names = new Set(this.communities);
    try {
      for await (const batch of this.places.records.decisions())
        for (const { community } of batch) names.add(community);
    } catch (cause) {
      // What is wrong with files that were there before is told by whatever needs them.
      if (!(cause instanceof DefensibleError)) throw cause;
    }
    return names;
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
    const map = new RowMap(await this.mappingFor(file.name, sample, entry), kind.fields);
    this.store ??= await places.imports.open(kind.kind, this.dryRun);
    const totalBytes = file.size();
    const progress = (bytes: number | null) => {
      options.signal?.throwIfAborted();
      options.onProgress?.({ file: file.name, rows: entry.rows, bytes, totalBytes });
    };
    const { store, communities } = this;
    const columns = sample.columns.map(({ name }) => name);
    const { taken, contested } = options;
    const into = { kind, store, communities, map, actions, log, progress, taken, contested };
    const rejects = await importRecords(file, format, entry, columns, into);
    for (const column of this.unusedColumns) if (!map.unused().includes(column)) this.unusedColumns.delete(column);
    this.report.rejects.merge(rejects);
  }

  private async mappingFor(file: string, sample: FileSample, entry: FileImport): Promise<Mapping> {
    const { kind, given, options } = this;
    const { actions } = this.places.config;
    const guess = guessMapping(sample, kind, actions, given);
    if (options.refuseUnknown && guess.missing.length === 0 && !guess.no_header) refuseWords(file, guess, entry);
    if (sample.rows === 0 || !(guess.adds || guess.missing.length > 0)) return this.use(guess.certain);
    entry.guess = guess;
    const chosen = await options.choose?.(file, guess, (said, kept) =>
      guessMapping(sample, kind, actions, mergeMappings(given, said), kept),
    );
    if (chosen === undefined) return this.use(guess.certain);
    if (chosen === null) throw new FileProblem("not_confirmed", `${file}: left out`);
    checkMapping(chosen.mapping, kind, actions);
    this.profileName = chosen.saveProfile ?? this.profileName;
    entry.guess = null;
    return this.use(chosen.mapping);
  }

  private use(mapping: Mapping): Mapping {
    this.used = mergeMappings(this.used, mapping);
    return mapping;
  }
}
