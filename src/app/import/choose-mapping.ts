import type { Config } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import { nearestName } from "../../core/text-checks.js";
import { FileProblem } from "../../io/files.js";
import {
  checkMapping,
  type Mapping,
  type MappingFlags,
  mappingProfile,
  mergeMappings,
  parseMapping,
  profileMapping,
} from "../../store/records/mapping.js";
import type { KindOfRecord } from "../../store/records/record-kinds.js";
import { guessMapping, type MappingGuess } from "./guess-mapping.js";
import type { FileImport, ImportResult } from "./import-report.js";
import type { FileSample } from "./sample-columns.js";

/** How the columns of files are mapped: by flags, a profile or a guess. */
export interface MappingChoices extends MappingFlags {
  /** Name of a mapping stored in the configuration; flags given with it take precedence. */
  profile?: string | undefined;
  /** Stores the mapping used in the configuration under this name. */
  saveProfile?: string | undefined;
  /**
   * Called if a guess goes beyond what is certain. Returns the mapping to use, null to leave the file out, or undefined to use only what is
   * certain, which is also the default.
   */
  choose?:
    | ((file: string, guess: MappingGuess, again: GuessAgain) => Promise<ChosenMapping | null | undefined>)
    | undefined;
  /**
   * Refuses a file with unknown action words, instead of rejecting their rows: the remaining rows would have only the other action. Also refuses a
   * file in which two columns could be the decision.
   */
  refuseUnknown?: boolean | undefined;
}

/** Guesses again, given more fields and words, and columns that are not fields. */
export type GuessAgain = (said: Mapping, kept: ReadonlySet<string>) => MappingGuess;

export interface ChosenMapping {
  mapping: Mapping;
  /** Name to store it under. */
  saveProfile?: string | undefined;
}

/** The column mappings of one import. */
export class FileMappings {
  private readonly given: Mapping;
  /** Everything used to read rows, for the profile. */
  private used: Mapping;
  private profileName: string | undefined;
  private unused: string[];

  constructor(
    private readonly choices: MappingChoices,
    private readonly kind: KindOfRecord,
    private readonly actions: Actions,
    config: Config,
  ) {
    this.given = givenMapping(choices, kind, actions, config);
    this.used = this.given;
    this.profileName = choices.saveProfile;
    this.unused = this.given.columns.map(({ column }) => column);
  }

  /** The mapping for a file. `entry` gets the guess if it goes beyond what is certain. */
  async of(file: string, sample: FileSample, entry: FileImport): Promise<Mapping> {
    const mapping = await this.choose(file, sample, entry);
    this.used = mergeMappings(this.used, mapping);
    return mapping;
  }

  private async choose(file: string, sample: FileSample, entry: FileImport): Promise<Mapping> {
    const { kind, given, choices, actions } = this;
    const guess = guessMapping(sample, kind, actions, given);
    if (choices.refuseUnknown && guess.missing.length === 0 && !guess.no_header) {
      refuseUnsure(file, guess, entry);
      refuseWords(file, guess, entry);
    }
    if (sample.rows === 0 || !(guess.adds || guess.missing.length > 0)) return guess.certain;
    entry.guess = guess;
    const chosen = await choices.choose?.(file, guess, (said, kept) =>
      guessMapping(sample, kind, actions, mergeMappings(given, said), kept),
    );
    if (chosen === undefined) return guess.certain;
    if (chosen === null) throw new FileProblem("not_confirmed", `${file}: left out`);
    checkMapping(chosen.mapping, kind, actions);
    this.profileName = chosen.saveProfile ?? this.profileName;
    entry.guess = null;
    return chosen.mapping;
  }

  /** Mapped columns that no file has. */
  unusedColumns(): string[] {
    return [...new Set(this.unused)];
  }

  /** `unused`: mapped columns that one file lacks. */
  noteUnused(unused: readonly string[]): void {
    this.unused = this.unused.filter((column) => unused.includes(column));
  }

  /** The profile to store; null: none was requested. */
  profile(): ImportResult["profile"] {
    return this.profileName === undefined ? null : { name: this.profileName, settings: mappingProfile(this.used) };
  }
}

/** The mapping given by a profile and by flags. */
function givenMapping(options: MappingChoices, kind: KindOfRecord, actions: Actions, config: Config): Mapping {
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

function refuseUnsure(file: string, guess: MappingGuess, entry: FileImport): void {
  if (guess.unsure === null) return;
  entry.guess = guess;
  const { column, claimant } = guess.unsure;
  throw new FileProblem(
    "unsure_decision",
    `${file}: the decision is ${column} by its values alone, and ${claimant} could be it by its name, so nothing was imported`,
    "Say which column is the decision.",
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
