import { extname } from "node:path";
import { Command, type Option } from "commander";
import { auditFormat } from "../../app/find-audits.js";
import { inputLines, routeLines, type StreamTools } from "../../app/route/stream.js";
import { DefensibleError, InputError } from "../../core/errors.js";
import { chosenRun } from "../../store/choose-run.js";
import type { AuditSource, RunStore } from "../../store/ports.js";
import { withMappingOptions } from "../import/mapping-options.js";
import type { RouteProgress } from "../progress.js";
import type { DayFlags } from "./day.js";
import { openOutput, type RouteInput } from "./io.js";

/** Adds the flags of `import` that say how a file is read, hidden: the help of `import` explains them. */
export function withImportFlags(command: Command): Command {
  for (const option of importFlags()) command.addOption(option.hideHelp());
  return command;
}

function importFlags(): Option[] {
  const { options } = withMappingOptions(new Command(), true);
  return options.filter(({ long }) => long !== "--dry-run" && long !== "--profile");
}

/** Flags that require `--audit`. */
function dayFlags(): { name: string; flag: string }[] {
  const flags = importFlags().map((option) => ({ name: option.attributeName(), flag: option.long! }));
  return [...flags, { name: "profile", flag: "--profile" }, { name: "maxCost", flag: "--max-cost" }];
}

const OTHER_FORMATS: Readonly<Record<string, string>> = { ".csv": "CSV", ".tsv": "CSV", ".parquet": "Parquet" };

/** Requires one input in a format that can be streamed, and one source of audits. */
export function refuseContradictions(
  file: string | undefined,
  options: { decision?: string; audits?: string; run?: string; audit?: boolean } & DayFlags,
): void {
  if (options.audit) {
    refuseWithAudit(file, options);
    return;
  }
  for (const { name, flag } of dayFlags()) {
    if ((options as Record<string, unknown>)[name] === undefined) continue;
    throw new InputError("needs_audit", `${flag}: requires --audit`, "Add --audit, or leave it out.");
  }
  const other = OTHER_FORMATS[extname(file ?? "").toLowerCase()];
  if (other) {
    throw new InputError(
      "not_json_lines",
      `${file}: got ${other}, expected decisions as JSONL`,
      `\`defensible route ${file} --audit\` imports, audits and routes it. Or \`defensible import\` reads it, and \`defensible export --what decisions --out decisions.jsonl\` writes decisions that can be routed. Audits go after --audits.`,
    );
  }
  if (file !== undefined && options.decision !== undefined) {
    throw new InputError("two_inputs", "route: got a file and --decision, expected one of them", "Leave out one.");
  }
  if (options.audits !== undefined && options.run !== undefined) {
    throw new InputError("two_audits", "route: got --audits and --run, expected one of them", "Leave out one.");
  }
}

/** With `--audit`, the input must be a file, and the audits are made by the command itself. */
function refuseWithAudit(
  file: string | undefined,
  options: { decision?: string; audits?: string; run?: string },
): void {
  if (file === undefined || file === "-") {
    throw new InputError(
      "no_file",
      "--audit: there is no file to import",
      "Name one: `defensible route today.csv --audit`.",
    );
  }
  for (const name of ["decision", "audits", "run"] as const) {
    if (options[name] === undefined) continue;
    throw new InputError(
      "two_audits",
      `--${name}: cannot be used with --audit, which makes the audits`,
      "Leave out one.",
    );
  }
}

/** Routes until the input ends or a stop; returns whether it was stopped. */
export async function follow(
  input: RouteInput,
  tools: Omit<StreamTools, "write" | "signal" | "progress">,
  progress: RouteProgress,
  jsonFile: string | undefined,
): Promise<boolean> {
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort();
    input.stop();
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const output = openOutput(jsonFile);
    try {
      await routeLines(inputLines(input.chunks), {
        ...tools,
        write: output.write,
        signal: stop.signal,
        progress: (decisions, bytes) => progress.update(decisions, bytes),
      });
    } finally {
      output.close();
    }
  } catch (cause) {
    // A stream aborted halfway throws; here the abort was intended.
    if (!stop.signal.aborted || cause instanceof DefensibleError) throw cause;
  } finally {
    progress.clear();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    await tools.log.close();
  }
  return stop.signal.aborted;
}

export async function auditSource(
  runs: RunStore,
  { audits, run }: { audits?: string; run?: string },
): Promise<AuditSource | null> {
  if (audits !== undefined) return { path: audits, format: auditFormat(audits), own: false };
  if (run === undefined) return null;
  const manifest = await chosenRun(runs, run);
  return runs.snapshot(manifest.run_id);
}
