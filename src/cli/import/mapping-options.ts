import { type Command, Option } from "commander";
import type { ChosenMapping } from "../../app/import/choose-mapping.js";
import type { ImportOptions } from "../../app/import/import.js";
import type { FileImport, ImportResult } from "../../app/import/import-report.js";
import { type CommandFor, columnsRemedy, importRemarks, importSentence } from "../../present/import/import-words.js";
import { guessLines } from "../../present/import/mapping-words.js";
import type { Context } from "../../store/context.js";
import { ID_SOURCES, type MappingFlags } from "../../store/records/mapping.js";
import { RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import { printable } from "../../text/printable.js";
import { EXIT } from "../exit-code.js";
import { type CommonOptions, collect } from "../options.js";
import { print, printJson, say } from "../output.js";
import { MappingQuestions, terminalQuestions } from "./ask-mapping.js";

export interface MappingOptions extends CommonOptions, MappingFlags {
  profile?: string;
  saveProfile?: string;
  yes?: boolean;
  dryRun?: boolean;
}

/** Adds flags for the meaning of columns and values, for every command that reads a foreign file. `decides`: its records have an id and actions. */
export function withMappingOptions(command: Command, decides: boolean): Command {
  command.option("--map <column=field>", "read a column of the file as this field; repeatable", collect);
  if (decides) {
    const does = "read an action of the file as this action, in decision and human_label; repeatable";
    command.option("--value <theirs=ours>", does, collect);
  }
  command
    .option("--map-value <field:theirs=ours>", "read a value of this field as another; repeatable", collect)
    .option(
      "--set <field=value>",
      "set a field to one value in every row, such as community=plants; repeatable",
      collect,
    );
  if (decides) {
    const ids = new Option("--id-from <source>", "make ids from a hash of each row, if no column has them");
    command.addOption(ids.choices(ID_SOURCES));
  }
  return command
    .option("--yes", "accept the guessed columns and values without asking")
    .option("--save-profile <name>", "save the mapping in defensible.yaml under this name")
    .option("--profile <name>", "read the file with a mapping saved in defensible.yaml")
    .option("--dry-run", "check everything and write nothing");
}

export function importOptions(options: MappingOptions, kind: RecordKind, context: Context): ImportOptions {
  const { map, mapValue, value, set, idFrom, profile, saveProfile, dryRun } = options;
  const choose = chooserOf(options, kind, context);
  return { map, mapValue, value, set, idFrom, profile, saveProfile, dryRun, choose, refuseUnknown: options.yes };
}

/** With `--yes`, a complete guess is accepted; on a terminal the user is asked; a script uses no guess. */
function chooserOf(options: MappingOptions, kind: RecordKind, { config }: Context): ImportOptions["choose"] {
  if (options.yes) {
    return async (file, guess) => {
      if (guess.missing.length > 0 || guess.no_header) return undefined;
      say(`${printable(file, 200)}:`);
      for (const line of guessLines(guess)) say(line);
      return { mapping: guess.mapping };
    };
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY || options.json) return undefined;
  const { map, mapValue, value, set, idFrom, profile, saveProfile, actions } = options as MappingOptions &
    ImportOptions;
  const isGiven = [map, mapValue, value, set, idFrom, profile].some((each) => each !== undefined);
  const answers = new Map<string, ChosenMapping | null>();
  return async (file, guess, again) => {
    if (guess.no_header) return undefined;
    // What the command line names is enough if the rows can be read by it.
    if (isGiven && !guess.needed && guess.missing.length === 0) return undefined;
    const key = JSON.stringify([guess.mapping, guess.missing]);
    const known = answers.get(key);
    if (known) return known;
    const { ask, close } = terminalQuestions();
    try {
      const words = { fields: RECORD_KINDS[kind].fields, actions: actions ?? config.actions };
      const answer = await new MappingQuestions(guess, again, words, ask, say).answer(file, saveProfile === undefined);
      answers.set(key, answer);
      return answer;
    } finally {
      close();
    }
  };
}

/** Reports the result of an import. `commandFor`: the command that imports one of its files, up to the column flags. */
export function tellImport(
  result: ImportResult,
  options: MappingOptions,
  commandFor: CommandFor,
  tellMore: () => void = () => {},
): void {
  if (result.rejected > 0 || result.files.some((file) => file.problem)) process.exitCode = EXIT.user;
  const { workspace, saveProfile } = options;
  const place = [
    ...(workspace ? ["--workspace", workspace] : []),
    ...(saveProfile ? ["--save-profile", saveProfile] : []),
  ];
  const command: CommandFor = (file) => [...commandFor(file), ...place];
  const files = result.files.map((file) => jsonFile(file, command));
  if (printJson({ ...namedCounts(result), files }, options)) return;
  for (const line of importRemarks(result, command)) say(line);
  tellMore();
  print(importSentence(result));
}

/** A file's part of the JSON result, with the command that would import it. */
function jsonFile(file: FileImport, command: CommandFor) {
  const problem = file.problem && { ...file.problem, remedy: columnsRemedy(file, command) };
  return namedCounts({ ...file, problem });
}

/** The counts under the names that the command's own output uses. */
function namedCounts<T extends { accepted: number; duplicates: number; rejected: number }>({
  accepted,
  duplicates,
  rejected,
  ...rest
}: T) {
  return { imported: accepted, duplicate: duplicates, rejected, ...rest };
}
