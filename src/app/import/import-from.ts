import { ADAPTERS, type AdaptedInput, adaptSources } from "../../adapters/adapt.js";
import type { Adapter, AdapterOptions, LeftOut, Source } from "../../adapters/adapter.js";
import { InputError } from "../../core/errors.js";
import { type Actions, actionChoice, MODERATION_ACTIONS, parseAction } from "../../core/records/actions.js";
import { nearestName } from "../../core/text-checks.js";
import { FileProblem } from "../../io/files.js";
import type { Context } from "../../store/context.js";
import type { ForeignFile, ForeignRow } from "../../store/formats/foreign-rows.js";
import { Fault, objectsIn } from "../../store/formats/parse-json.js";
import { parseMapping } from "../../store/records/mapping.js";
import { RECORD_KINDS, type RecordObject } from "../../store/records/record-kinds.js";
import { importOutcomes } from "../outcomes/import-outcomes.js";
import { type ImportOptions, importFiles } from "./import.js";
import type { ImportResult } from "./import-report.js";

export interface ImportFromOptions
  extends Pick<ImportOptions, "actions" | "community" | "dryRun" | "set" | "value" | "signal" | "onProgress"> {
  from: string;
}

/** Result of importing files of a foreign system. Decisions, rule sets and outcomes have their own entries in `files`. */
export interface FromImport extends ImportResult {
  from: string;
  /** Items still waiting for a decision there. They are counted, not stored. */
  review_items: number;
  left_out: LeftOut[];
}

/** Imports files of a foreign system. The files of one import are read together, because one may hold what another refers to. */
export async function importFrom(
  context: Context,
  files: readonly ForeignFile[],
  { from, community, value, set, ...rest }: ImportFromOptions,
): Promise<FromImport> {
  const adapter = adapterNamed(from);
  const actions = rest.actions ?? context.config.actions;
  const read: ReadFile[] = [];
  for (const file of files) read.push(await readFile(file));
  const values = valuesFrom(parseMapping({ value }).values, actions);
  const sources = read.flatMap((one) => one.sources);
  const adapted = adaptSources(adapter, sources, { actions, community, values });
  const virtual = read.flatMap((file) => recordFiles(file, adapter, adapted));
  const result = await importFiles(context, virtual, { ...rest, set });
  const ofOutcomes = files.flatMap(({ name }) => {
    const rows = adapted.outcomes.filter(({ source }) => source.file === name).map(rowOf);
    return rows.length > 0 ? [rowsFile(name, rows)] : [];
  });
  const { left_out, review_items } = adapted;
  const all = { ...result, from, left_out, review_items: review_items.length };
  if (ofOutcomes.length === 0) return all;
  const outcomes = await importOutcomes(context, ofOutcomes, { dryRun: rest.dryRun });
  return {
    ...all,
    accepted: all.accepted + outcomes.accepted,
    duplicates: all.duplicates + outcomes.duplicates,
    rejected: all.rejected + outcomes.rejected,
    files: [...all.files, ...outcomes.files],
    rejects: [...all.rejects, ...outcomes.rejects],
    reasons: [...all.reasons, ...outcomes.reasons],
  };
}

export interface AdaptOptions {
  /** Default: remove and approve. */
  actions?: Actions;
  /** Community of decisions and rules that name none. */
  community?: string;
  /** Maps their actions to ours, such as `{ resolved: "approve" }`. */
  values?: Readonly<Record<string, string>>;
}

/**
 * Converts a foreign system's data into records: decisions, rule sets, outcomes and items to review. Reads and writes nothing.
 * @param input text (JSON or JSON lines), an object, or a list of objects
 */
export function adapt(from: string, input: unknown, options: AdaptOptions = {}): AdaptedInput {
  const { actions = MODERATION_ACTIONS, community, values = {} } = options;
  const given = Object.entries(values).map(([theirs, ours]) => ({ theirs, ours }));
  const { objects, wrong } = objectsIn(input);
  const source = (value: RecordObject, line: number): Source => ({ value, file: "input", line });
  const adapted = adaptSources(
    adapterNamed(from),
    objects.map(({ value, line }) => source(value, line)),
    { actions, community, values: valuesFrom(given, actions) },
  );
  const rejected = wrong.map(({ line, reason }) => ({ source: source({}, line), field: "", reason }));
  return { ...adapted, rejected: [...rejected, ...adapted.rejected] };
}

export function adapterNamed(name: string): Adapter {
  const names = ADAPTERS.map((one) => one.name);
  const adapter = ADAPTERS.find((one) => one.name === name);
  if (adapter) return adapter;
  const meant = nearestName(name, names);
  throw new InputError(
    "unknown_adapter",
    `there is no adapter "${name}"`,
    `${meant === null ? "" : `Did you mean ${meant}? `}Adapters: ${names.join(", ")}.`,
  );
}

export function valuesFrom(
  given: readonly { theirs: string; ours: string }[],
  actions: Actions,
): AdapterOptions["values"] {
  return new Map(
    given.map(({ theirs, ours }) => {
      const action = parseAction(actions, ours);
      if (action !== null) return [theirs.trim().toLowerCase(), action] as const;
      throw new InputError("bad_value", `value: got "${ours}" for "${theirs}", expected ${actionChoice(actions)}`);
    }),
  );
}

interface ReadFile {
  name: string;
  sources: Source[];
  /** Lines that are not objects. */
  faults: ForeignRow[];
  problem: FileProblem | null;
}

async function readFile(file: ForeignFile): Promise<ReadFile> {
  const read: ReadFile = { name: file.name, sources: [], faults: [], problem: null };
  const take = (value: RecordObject, line: number) => read.sources.push({ value, file: file.name, line });
  try {
    const format = file.format();
    if (format.format === "parquet" || format.format === "csv") {
      throw new FileProblem(
        "not_json",
        `${file.name}: is not JSON`,
        "Give what the system's API or export wrote, as JSON.",
      );
    }
    if (format.format === "ruleset") {
      const { objects, wrong } = objectsIn(file.text());
      for (const { value, line } of objects) take(value, line);
      if (wrong.length > 0) throw new FileProblem("not_json", `${file.name}: ${wrong[0]!.reason}`);
      return read;
    }
    const { fields } = RECORD_KINDS.decisions;
    for await (const { rows } of file.rows({ fields, rename: new Map() }, format))
      for (const row of rows) {
        if (row.value instanceof Fault) read.faults.push(row);
        else take(row.value, row.line);
      }
  } catch (cause) {
    if (!(cause instanceof FileProblem)) throw cause;
    read.problem = cause;
  }
  return read;
}

/** A file's records, as files of our own formats. */
function recordFiles(read: ReadFile, { title }: Adapter, adapted: AdaptedInput): ForeignFile[] {
  const { name, faults, problem } = read;
  const isMine = ({ source }: { source: Source }) => source.file === name;
  const isUnknown = read.sources.length > 0 && adapted.unknown_files.includes(name);
  const refusal =
    problem ?? (isUnknown ? new FileProblem("not_recognised", `${name}: holds nothing that ${title} gives`) : null);
  if (refusal) return [refusedFile(name, refusal)];
  const sets = adapted.rule_sets.filter(isMine).map(({ record }) => ({ set: record, text: null }));
  const rejected = adapted.rejected.filter(isMine).map(({ source, field, reason }): ForeignRow => {
    const text = JSON.stringify(source.value);
    return { line: source.line, value: new Fault(field, reason), text, source: text };
  });
  const rows = [...adapted.decisions.filter(isMine).map(rowOf), ...rejected, ...faults].sort((a, b) => a.line - b.line);
  return [
    ...(rows.length > 0 ? [rowsFile(name, rows)] : []),
    ...(sets.length > 0
      ? [
          {
            ...rowsFile(name, []),
            format: () => ({ format: "ruleset" as const }),
            ruleSets: () => ({ sets, draft: null }),
          },
        ]
      : []),
  ];
}

function rowOf({ record, source }: { record: object; source: Source }): ForeignRow {
  return { line: source.line, value: { ...record }, text: null, source: JSON.stringify(source.value) };
}

const LOT = 512;

function rowsFile(name: string, rows: readonly ForeignRow[]): ForeignFile {
  return {
    name,
    format: () => ({ format: "jsonl" }),
    size: () => 0,
    text: () => "",
    ruleSets: () => ({ sets: [], draft: null }),
    async *rows() {
      for (let i = 0; i < rows.length; i += LOT) {
        // Taking a row changes it, and a file is read more than once.
        const lot = rows
          .slice(i, i + LOT)
          .map((row) => ({ ...row, value: row.value instanceof Fault ? row.value : structuredClone(row.value) }));
        yield { rows: lot, bytes: null, columns: null };
      }
    },
  };
}

function refusedFile(name: string, problem: FileProblem): ForeignFile {
  return {
    ...rowsFile(name, []),
    format() {
      throw problem;
    },
  };
}
