import { existsSync, realpathSync } from "node:fs";
import { auditFormat } from "../../app/audit/audit-format.js";
import { type AuditsPlace, findAudits } from "../../app/calibrate/load-scores.js";
import type { DataFile, TargetRequest } from "../../app/report/choose-target.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import { whole } from "../../present/words/numbers.js";
import type { Workspace } from "../../store/files/workspace.js";
import { type CommonOptions, workspaceOf } from "../options.js";
import { say } from "../output.js";

export interface AuditsOptions extends CommonOptions {
  run?: string;
  audits?: string;
  actions?: Actions;
}

export interface TargetOptions {
  target?: string;
  labels?: string;
}

export function dataFile(path: string): DataFile {
  return { path, format: auditFormat(path) };
}

/** The workspace; null where only a file was named. */
export async function workspaceFor(options: AuditsOptions): Promise<Workspace | null> {
  if (options.audits && options.run) {
    throw new InputError("two_sources", "--run and --audits: got both, expected one", "Leave out one of them.");
  }
  if (options.actions && !options.audits) {
    throw new InputError(
      "needs_audits",
      "--actions: goes with --audits",
      "A run knows its own actions; leave out the flag.",
    );
  }
  return options.audits && !options.workspace ? null : workspaceOf(options);
}

export function auditsOf(workspace: Workspace | null, options: AuditsOptions): Promise<AuditsPlace> {
  const { run, audits, actions } = options;
  return findAudits(workspace, { run, file: audits ? dataFile(audits) : undefined, actions });
}

/** A run's id, or a file by its ending. */
export function runOrFile(text: string): { run?: string; file?: DataFile } {
  return /\.(jsonl|ndjson|csv|parquet)$/i.test(text) || text.includes("/") ? { file: dataFile(text) } : { run: text };
}

const KINDS = ["auto", "human", "gold", "auditor", "replicates", "self"] as const;

export function targetRequest({ target = "auto" }: TargetOptions): TargetRequest {
  if (target.startsWith("auditor:")) {
    const named = target.slice("auditor:".length);
    if (named) return { kind: "auditor", ...runOrFile(named) };
  }
  const kind = KINDS.find((one) => one === target);
  if (kind) return { kind };
  throw new InputError(
    "unknown_target",
    `--target: got "${target}"`,
    `Use one of ${KINDS.join(", ")}, auditor:RUN or auditor:FILE.`,
  );
}

/** A run cannot be its own second auditor, by whatever name. */
export function refuseSameRun(request: TargetRequest, place: AuditsPlace): void {
  if (request.kind !== "auditor") return;
  const { run, file } = request;
  const same = run ? run === place.manifest?.run_id : file && isSameFile(file.path, place.source.path);
  if (!same) return;
  throw new InputError(
    "same_run",
    `--target auditor:${run ?? file!.path}: is ${place.label} itself`,
    "Name a run of another auditor.",
  );
}

/** Whether two paths lead to one file; false where one of them leads nowhere. */
export function isSameFile(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);
}

export function labelsFile({ labels }: TargetOptions): DataFile | null {
  if (labels === undefined) return null;
  if (!existsSync(labels)) throw new InputError("no_labels", `--labels: no file ${labels}`, "Check the path.");
  return dataFile(labels);
}

/** Rows times draws that take some seconds. */
const LONG_WORK = 3_000_000;
const LONG_MS = 2000;

/** Says on stderr what is being done, where it will take long or has already; quick work stays silent. */
export function sayStages(rows: number, draws: number, now: () => number = () => performance.now()) {
  const started = now();
  return (stage: string): void => {
    if (rows * draws < LONG_WORK && now() - started < LONG_MS) return;
    say(`${stage} … (${whole(rows)} rows, ${whole(draws)} draws)`);
  };
}
