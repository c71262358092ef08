import type { Selection } from "../app/audit/audit-request.js";
import type { AuditsPlace } from "../app/find-audits.js";
import type { InputError } from "../core/errors.js";
import type { Manifest } from "../core/records/manifest.js";
import type { Experiment } from "../core/results/experiment.js";
import type { Document } from "../present/document/document.js";
import type { FileContext } from "../store/files/stores.js";
import type { Scrub } from "../text/scrub/scrub.js";
import type { AuditsFrom, ExperimentAudits, Kept, MakeAudits } from "./audits.js";

/** Options of an experiment's command by their flags (`--margin <share>`), in addition to those of all experiments of its kind. */
export type SliceOptions = Readonly<Record<string, readonly [does: string, reads?: Reads, otherwise?: unknown]>>;

/** How the value of an option is read. A function parses the text, and throws a `RangeError` with what it expected. */
type Reads =
  | "text"
  | "several"
  | "required"
  | { whole: readonly [min: number, max?: number] }
  | { number: readonly [min: number, max: number] }
  | { share: readonly [min: number, max: number] }
  | { choices: readonly string[] }
  | Reader;

type Reader = (text: string) => unknown;

/** The values of options, by their names in code: `--min-rule <n>` is `minRule`. Required options and those with a default are always present. */
export type OptionsOf<Table extends SliceOptions> = {
  -readonly [Flag in keyof Table as Flag extends Given<Table> ? NameOf<Flag> : never]: ValueOf<Flag, Table[Flag][1]>;
} & {
  -readonly [Flag in keyof Table as Flag extends Given<Table> ? never : NameOf<Flag>]?: ValueOf<Flag, Table[Flag][1]>;
};

type Given<Table extends SliceOptions> = {
  [Flag in keyof Table]: Table[Flag] extends readonly [string, "required"] | readonly [string, Reads, unknown]
    ? Flag
    : never;
}[keyof Table];

type NameOf<Flag> = Flag extends `--${infer Name} ${string}` | `--${infer Name}` ? Camel<Name> : never;
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type ValueOf<Flag, Read> = Read extends (text: string) => infer Value
  ? Value
  : Read extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Read extends object
      ? number
      : Flag extends `${string}<${string}`
        ? Read extends "several"
          ? string[]
          : string
        : boolean;

/** The command line's services to a command, according to its flags. */
export interface Tools {
  /** Prints a message on stderr. */
  say(text: string): void;
  /** Prints a result on stdout. */
  print(text: string): void;
  /** Prints or writes a result as JSON if requested; returns whether stdout is taken. */
  json(value: unknown): boolean;
  /** The same for a document. */
  page(document: () => Document, taken: boolean): void;
  workspace(options?: { workspace: string }): Promise<FileContext>;
  make(context: FileContext): MakeAudits;
  /** The audits that would be made; `cost_usd` null: the price is unknown. */
  plan(context: FileContext): (wanted: ExperimentAudits) => Promise<{ audits: number; cost_usd: number | null }>;
  /** Files and folders that are named on the command line. */
  files: {
    has(path: string): boolean;
    read(path: string): string;
    write(path: string, text: string): void;
    makeFolder(path: string): void;
  };
  /** The selected decisions. */
  selection(seed: number): Selection;
  /** Hides text from models and raters; null: nothing is hidden. */
  scrub(): Promise<Scrub | null>;
  /** Reports from time to time how many simulated worlds are done. */
  worlds(of: number): (done: number) => void;
  /** Ctrl-C aborts what follows, until it is released. */
  interruptible(): { signal: AbortSignal; release: () => void };
  /** Ctrl-C during audits, which have their own way to stop. */
  interrupts(): Interrupts;
  /** Sets the exit status; `user` applies only if none was set before. */
  end(how: "user" | "checkFailed" | "interrupted"): void;
}

interface Interrupts {
  readonly signal: AbortSignal;
  auditing<T>(work: () => Promise<T>): Promise<T>;
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** Existing audits: one or more runs, or files. */
export interface FoundAudits {
  /** null with files. */
  context: FileContext | null;
  places: readonly [AuditsPlace, ...AuditsPlace[]];
}

/** Audits that are made for the experiment, unless a run or a file is named. */
export interface WantedAudits<From = AuditsFrom> {
  /** null with a file outside of a workspace. */
  context: FileContext | null;
  from: From;
  /** Settings of the audits to be made; null: none are made, or the auditor has settings of its own. */
  settings: (Pick<Manifest, "auditor" | "tier" | "template"> & { selection: Selection }) | null;
}

interface Common<Result extends Experiment, Options, Made extends Kept<Result> = Kept<Result>> {
  /** What a subcommand does. */
  does?: string;
  /** As in the help: `<file>`, and what it is. */
  arguments?: readonly (readonly [name: string, does: string])[];
  options: SliceOptions;
  examples: readonly string[];
  /** Help text after the examples. */
  more?: string;
  document(result: Result, options: Options): Document;
  /** Called once the result has been shown. */
  after?(made: Made, options: Options, tools: Tools): void;
}

/** An experiment that analyses existing audits. */
export interface Analysis<Result extends Experiment, Options> extends Common<Result, Options> {
  audits: "there";
  run(audits: FoundAudits & Tools, options: Options): Promise<Kept<Result>>;
}

/** An experiment that audits the same decisions under several arms. */
export interface ArmStudy<Result extends Experiment, Options, From = AuditsFrom> extends Common<Result, Options> {
  audits: "made";
  /** A flag of all audits that the experiment sets itself, and the one to use instead. */
  sets?: { flag: "tier" | "temperature"; instead: string };
  /** Rules and decisions shown; default: 15. */
  rows?: number;
  /** Several runs or files may be named: the help of the flags, and the audit flags that the analysis also reads. */
  several?: { run: string; audits: string; rows: string; reads: readonly string[] };
  /** null: there is nothing to analyse. */
  run(
    audits: WantedAudits<From> & Tools,
    options: Options,
    ...args: (string | undefined)[]
  ): Promise<Kept<Result> | null>;
}

/** A command that finds or makes its own audits, if it has any. Without `document`, it shows its result itself. */
export interface OwnCommand<Result extends Experiment, Options, Made extends Kept<Result> = Kept<Result>>
  extends Omit<Common<Result, Options, Made>, "document"> {
  /** Flags that it has in addition to those of every command. */
  takes: readonly ("audits" | "result" | "markdown" | "raters")[];
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own reasons
  refusals?: (why: any) => InputError;
  run(tools: Tools, options: Options, ...args: never[]): Promise<Made | null>;
  document?(result: Result, options: Options): Document;
}

/** What a command needs from an experiment. The registry loads it; only its own folder knows the types of its result and options. */
// biome-ignore lint/suspicious/noExplicitAny: a list of experiments has results and options of every type
export type Slice = Analysis<any, any> | ArmStudy<any, any, any> | OwnCommand<any, any, any>;

/** An experiment with several commands below its own. */
export interface SliceGroup {
  commands: Readonly<Record<string, Slice>>;
  examples?: readonly string[];
}
