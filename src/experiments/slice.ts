import type { Selection } from "../app/audit/selection.js";
import type { AuditsPlace } from "../app/find-audits.js";
import type { Manifest } from "../core/records/manifest.js";
import type { Experiment } from "../core/results/experiment.js";
import type { Document } from "../present/document/document.js";
import type { FileContext } from "../store/files/stores.js";
import type { AuditsFrom, Kept } from "./audits.js";

/** An option of an experiment's command, next to those that all experiments of its kind have. */
export interface SliceOption {
  /** As in the help: `--margin <share>`. */
  flag: string;
  does: string;
  /** What its value is; default: text. A function reads the text, and throws a `RangeError` with what it expected. */
  is?: { whole: [min: number, max?: number] } | { share: [min: number, max: number] } | "several" | Reader;
  choices?: readonly string[];
  default?: unknown;
}

type Reader = (text: string) => unknown;

/** Audits that are there: one or more runs, or files. */
export interface FoundAudits {
  /** Null with files. */
  context: FileContext | null;
  places: readonly [AuditsPlace, ...AuditsPlace[]];
  say: (text: string) => void;
}

/** Audits that are made for the experiment, unless a run or a file is named. */
export interface WantedAudits {
  /** Null with a file outside of a workspace. */
  context: FileContext | null;
  from: AuditsFrom;
  /** What audits will be made with; null: none are made, or the auditor has settings of its own. */
  settings: (Pick<Manifest, "auditor" | "tier" | "template"> & { selection: Selection }) | null;
}

interface Common<Result extends Experiment, Options> {
  options: readonly SliceOption[];
  examples: readonly string[];
  /** What the help says after the examples. */
  more?: string;
  document(result: Result, options: Options): Document;
}

/** An experiment that analyses audits that are there. */
export interface Analysis<Result extends Experiment, Options> extends Common<Result, Options> {
  audits: "there";
  run(audits: FoundAudits, options: Options): Promise<Kept<Result>>;
}

/** An experiment that audits the same decisions under several arms. */
export interface ArmStudy<Result extends Experiment, Options> extends Common<Result, Options> {
  audits: "made";
  /** A flag of all audits that the experiment sets itself, and the one to use instead. */
  sets?: { flag: "tier"; instead: string };
  /** Rules and decisions shown; default: 15. */
  rows?: number;
  /** Null: there is nothing to analyse. */
  run(audits: WantedAudits, options: Options): Promise<Kept<Result> | null>;
}

/** What a command needs of an experiment. The registry loads it; only its own folder knows the types of its result and options. */
// biome-ignore lint/suspicious/noExplicitAny: a list of experiments has results and options of every type
export type Slice = Analysis<any, any> | ArmStudy<any, any>;
