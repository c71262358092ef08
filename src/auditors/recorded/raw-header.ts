import { closeSync, openSync, readSync } from "node:fs";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { SIGNAL_MODES, type SignalMode } from "../../core/records/audit.js";
import { type Tier, tierSchema } from "../../core/records/rule-set.js";
import { TEMPLATES, type Template } from "../../core/records/trace.js";
import { fileError } from "../../io/files.js";

/** The name of the file inside a run's folder. */
export const RAW_LOG_NAME = "raw.jsonl";

/** How every header begins, whatever settings follow. */
const HEAD = '{"format":"defensible-raw","version":1';
/** Far more than a header has. */
const HEAD_BYTES = 1 << 13;

const settingsSchema = z
  .object({
    template: z.enum(TEMPLATES),
    tier: tierSchema,
    temperature: z.number().min(0),
    signal: z.enum(SIGNAL_MODES),
    /** Only in signal mode `sampling`. */
    samples: z.number().int().min(1),
    prompt_version: z.string(),
  })
  .partial();

/** Under which settings the answers of a file were given, as far as it says. */
export type RawSettings = z.infer<typeof settingsSchema>;

/** What a run says of its settings. */
export interface RawRun {
  readonly promptVersion: string;
  readonly template: Template;
  readonly tier: Tier;
  readonly temperature: number;
  readonly signal: SignalMode;
  readonly samples: number;
}

export function headerLine(run: RawRun): string {
  const { template, tier, temperature, signal, samples, promptVersion } = run;
  const settings: RawSettings = {
    ...{ template, tier, temperature, signal },
    ...(signal === "sampling" ? { samples } : {}),
    prompt_version: promptVersion,
  };
  return `${HEAD},"settings":${JSON.stringify(settings)}}`;
}

/** What a file's first line says; null for a file from before settings were noted. InputError for a file that holds no raw answers. */
export function readHeader(line: string, path: string): RawSettings | null {
  let header: { format?: unknown; version?: unknown; settings?: unknown } | null = null;
  try {
    header = JSON.parse(line);
  } catch {}
  if (header?.format !== "defensible-raw") {
    throw new InputError(
      "not_raw",
      `${path}: not a file of raw answers; its first line does not begin with ${HEAD}`,
      `Name the ${RAW_LOG_NAME} of a run that was made with --keep-raw, or the run's folder.`,
    );
  }
  const remedy = "Use the version of defensible that wrote it.";
  if (header.version !== 1) {
    const got = JSON.stringify(header.version);
    throw new InputError("raw_version", `${path}: raw answers of another version; got ${got}, expected 1`, remedy);
  }
  if (header.settings === undefined) return null;
  const { data, error } = settingsSchema.safeParse(header.settings);
  if (data) return data;
  // Passed over, they would be replaced by defaults under which the answers were not given.
  const where = ["settings", ...error.issues[0]!.path].join(".");
  throw new InputError("raw_settings", `${path}: ${where} in its first line cannot be read`, remedy);
}

/** Before anything is cut off its end, a file must show that it is ours; a header that a crash tore is ours too. */
export function checkHead(path: string): void {
  const head = Buffer.alloc(HEAD_BYTES);
  let length: number;
  try {
    const file = openSync(path, "r");
    try {
      length = readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw fileError(cause, path);
  }
  const text = head.toString("utf8", 0, length);
  const newline = text.indexOf("\n");
  const torn = HEAD.startsWith(text) || text.startsWith(`${HEAD},`) || text === `${HEAD}}`;
  if (newline < 0 && torn) return;
  readHeader(newline < 0 ? text : text.slice(0, newline), path);
}
