import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { AuditResult } from "../../app/audit/audit-request.js";
import { importFiles } from "../../app/import/import.js";
import type { ImportResult } from "../../app/import/import-report.js";
import { RunHalted } from "../../audit/calls/budget.js";
import { InputError } from "../../core/errors.js";
import { auditSentence } from "../../present/audit/run-words.js";
import { importRemarks } from "../../present/import/import-words.js";
import { type DayCounts, STOPPED_AT_AUDIT } from "../../present/words/route-words.js";
import type { Context } from "../../store/context.js";
import { foreignFile } from "../../store/formats/foreign-rows.js";
import { auditSession } from "../audit/session.js";
import { DEFAULT_FLIP } from "../commands/measure/audit.js";
import { EXIT } from "../exit-code.js";
import { importOptions, type MappingOptions } from "../import/mapping-options.js";
import { say } from "../output.js";
import type { RouteInput } from "./io.js";

export interface DayFlags extends Omit<MappingOptions, "dryRun"> {
  maxCost?: number;
}

/** A day's decisions, imported and audited, ready to be routed. */
export interface Day {
  input: RouteInput;
  run: string;
  /** Ids that also occur in the file with other contents, so that it is unclear which is meant. */
  contested: ReadonlySet<string>;
  counts: Omit<DayCounts, "route">;
}

/** Imports a file of new decisions and audits them; null: it stopped and said where. Repeating the command continues from there. */
export async function importAndAudit(context: Context, file: string, flags: DayFlags): Promise<Day | null> {
  const ids = new Set<string>();
  const contested = new Set<string>();
  const imported = await importDay(context, file, flags, { ids, contested });
  const { input, population } = await decisionsOf(context, ids);
  const cohort = await dayCohort(context, file, [...ids], population);
  const audited = await auditDay(context, cohort, flags);
  if (!audited) return null;
  const { runId, counts, usage } = audited;
  const { accepted, duplicates, rejected } = imported;
  return {
    input,
    run: runId!,
    contested,
    counts: { file, accepted, duplicates, rejected, run: runId!, audit: counts, usage },
  };
}

/** Imports the decisions of a file; already stored ones count, too, so that a repeated command has the same decisions. */
async function importDay(
  context: Context,
  file: string,
  flags: DayFlags,
  { ids, contested }: { ids: Set<string>; contested: Set<string> },
): Promise<ImportResult> {
  const request = {
    ...importOptions(flags, "decisions", context),
    taken: (id: string) => ids.add(id),
    contested: (id: string) => contested.add(id),
  };
  const imported = await importFiles(context, [foreignFile(file)], request);
  const place = flags.workspace ? ["--workspace", flags.workspace] : [];
  for (const line of importRemarks(imported, (name) => ["defensible", "route", name, "--audit", ...place])) say(line);
  if (ids.size > 0) {
    if (imported.rejected > 0) process.exitCode = EXIT.user;
    return imported;
  }
  throw new InputError(
    "nothing_imported",
    `${file}: stopped at step 1 of 4 (import): no decision could be read. Nothing was audited or routed`,
    "Correct the file and repeat the command. `defensible import FILE --dry-run` checks it.",
  );
}

/** The same decisions give the same cohort name, so that a repeated audit is the same run. */
async function dayCohort(context: Context, file: string, ids: readonly string[], population: number): Promise<string> {
  const hash = createHash("sha256")
    .update(JSON.stringify([...ids].sort()))
    .digest("hex")
    .slice(0, 8);
  const slug = basename(file)
    .replace(/\.\w+$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  const name = `${slug || "day"}-${hash}`;
  if (!(await context.cohorts.find(name))) {
    const created_at = context.now().toISOString();
    const selection = { kind: "file" as const, file };
    await context.cohorts.keep({ name, selection, population, decision_ids: [...ids], created_at });
  }
  return name;
}

async function auditDay(context: Context, cohort: string, { maxCost }: DayFlags): Promise<AuditResult | null> {
  const started = performance.now();
  const { config } = context;
  const limit = maxCost === undefined ? {} : { maxCost };
  const own = { replicates: 1, flip: config.flip ?? DEFAULT_FLIP, selection: { cohort } };
  const audited = await auditSession(context, { concurrency: 64, cache: true, ...limit }, own).catch(stopAtAudit);
  if (audited === null) return null;
  if ((audited.status === "sealed" || audited.status === "done") && audited.runId !== null) {
    if (audited.counts.errors > 0) process.exitCode = EXIT.someErrors;
    return audited;
  }
  say(auditSentence(audited, performance.now() - started));
  say(STOPPED_AT_AUDIT);
  if (audited.reason) throw audited.reason;
  process.exitCode = audited.status === "stopped" ? EXIT.interrupted : EXIT.user;
  return null;
}

/** Stopped before the first question: by an interrupt, or by an error to fix. */
function stopAtAudit(cause: unknown): null {
  say(STOPPED_AT_AUDIT);
  if (!(cause instanceof RunHalted) || cause.reason !== null) throw cause;
  process.exitCode = EXIT.interrupted;
  return null;
}

/** Decisions of the workspace as lines, in the order of their file; `population`: number of all decisions. */
async function decisionsOf({ records }: Context, ids: ReadonlySet<string>) {
  const lines = new Map<string, string>([...ids].map((id) => [id, ""]));
  let population = 0;
  for await (const batch of records.decisions()) {
    population += batch.length;
    for (const decision of batch) if (ids.has(decision.id)) lines.set(decision.id, `${JSON.stringify(decision)}\n`);
  }
  let stopped = false;
  const chunks = async function* () {
    for (const line of lines.values()) {
      if (stopped) return;
      yield Buffer.from(line);
    }
  };
  const stop = () => {
    stopped = true;
  };
  return { input: { chunks: chunks(), stop, bytes: null }, population };
}
