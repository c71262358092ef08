import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PAGE_COLUMNS } from "../../analysis/decision-scores.js";
import { fitCalibration, keepCalibration } from "../../app/calibrate/fit-calibration.js";
import { evaluateGate } from "../../app/gate/gate-use-cases.js";
import { worded } from "../../app/notices.js";
import { runReport } from "../../app/report/run-report.js";
import { InputError } from "../../core/errors.js";
import { type MakeAudits, refusalWords } from "../../experiments/audits.js";
import { runDiff } from "../../experiments/rules/run-diff.js";
import { CALIBRATION_WORDS, calibrateRefusal } from "../../present/calibrate/calibrate-words.js";
import { gateWords } from "../../present/gate/gate-words.js";
import { reportPage } from "../../present/page/build-page.js";
import type { DemoFindings } from "../../present/report/headline-document.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { type FileContext, fileContext } from "../../store/files/stores.js";
import { createWorkspace, openWorkspace, type Workspace, workspacePaths } from "../../store/files/workspace.js";
import type { AuditFlags } from "../audit/options.js";
import { auditSession, type OwnRequest } from "../audit/session.js";
import { copyExample } from "../commands/start/init.js";
import { writePage } from "../report/page.js";

/** Recorded answers per question. With at least 2 there are probabilities, which the demo calibrates. */
const DRAWS = 3;

/** Number of opposites with recorded answers. */
const FLIPS = 100;

const ANSWERS = "answers.jsonl.gz";
const REWRITE = join("rewrites", "indie-games.yaml");
/** The most urgent decisions; listing all would make the page larger than 1.5 MB. */
const LISTED = 680;

/** Marks the folder of a demo, and says whether its sample is complete. */
const MARK = "demo.txt";
const BEGUN = "Made by `defensible demo`; the sample is not whole yet.\n";
const WHOLE =
  "Made by `defensible demo`. Repeating it audits what is here again and changes neither decisions, rules nor settings.\n";

/** The sample in a new folder, or in that of an earlier demo. Nothing is overwritten; an interrupted copy is completed. */
export function prepareDemo(dir: string): Workspace {
  const root = resolve(dir);
  const mark = join(root, MARK);
  if (!existsSync(root) || readdirSync(root).length === 0) {
    mkdirSync(root, { recursive: true });
    writeFileSync(mark, BEGUN);
  } else if (!existsSync(mark)) {
    const remedy = "Name a new folder: `defensible demo DIR`.";
    throw new InputError("not_a_demo", `demo: ${root} holds something else`, remedy);
  }
  if (readFileSync(mark, "utf8") === BEGUN) {
    if (!existsSync(workspacePaths(root).config)) createWorkspace(root);
    copyExample("commons", root);
    writeFileSync(mark, WHOLE);
  }
  return openWorkspace(root);
}

/** All work of the demo before it prints: audit, calibration, comparison of two rules, gate, and the page at `path`. */
export async function runDemo(workspace: Workspace, path: string): Promise<DemoFindings> {
  const context = fileContext(workspace);
  const flags = flagsOf(workspace);
  await audit(workspace, flags, { replicates: 1, flip: FLIPS });
  const calibration = DRAWS > 1 ? await calibrate(context) : null;
  const diff = await compareRules(context, flags);
  const gate = await evaluateGate(context, {
    choices: {},
    holdout: null,
    slices: [],
    now: new Date().toISOString(),
    words: gateWords(),
    dryRun: true,
  });
  const page = await writeReport(context, path);
  const [, model = "a language model"] = /^answers:(.+)$/s.exec(page.report.run.auditor ?? "") ?? [];
  return { platform: workspace.config.platform ?? "Commons", model, page, gate, diff, calibration };
}

function flagsOf({ root }: Workspace): AuditFlags {
  const signal = DRAWS > 1 ? ({ signal: "sampling", samples: DRAWS } as const) : ({ signal: "none" } as const);
  return { auditor: `answers:${join(root, ANSWERS)}`, ...signal, concurrency: 64, cache: false };
}

/** Audits, and returns the id of the complete run. */
async function audit(workspace: Workspace, flags: AuditFlags, own: OwnRequest): Promise<string> {
  const { status, reason, runId } = await auditSession(fileContext(workspace), flags, own, { quiet: true });
  if (reason) throw reason;
  if (runId !== null && (status === "sealed" || status === "done")) return runId;
  throw new InputError(
    "demo_incomplete",
    `demo: the recorded answers in ${workspace.root} do not fit its decisions and rules`,
    "Name a new folder: `defensible demo DIR`.",
  );
}

async function compareRules(context: FileContext, flags: AuditFlags): Promise<DemoFindings["diff"]> {
  const { workspace } = context;
  const make: MakeAudits = async ({ kind, arms, selection }) => {
    // The answers to the rewritten rule were recorded once each.
    const own = { replicates: 1, arms, experiment: kind, ...(selection && { selection }) };
    const once = { ...flags, signal: "none" as const, samples: undefined };
    return context.runs.manifest(await audit(workspace, once, own));
  };
  const made = await worded(refusalWords, () =>
    runDiff({
      context,
      from: { make },
      compared: { old: null, new: join(workspace.root, REWRITE) },
      tier: undefined,
      selection: {},
      limits: { mode: "point" },
      minDecisions: 10,
      listed: 200,
    }),
  );
  return made!.result;
}

async function calibrate(context: FileContext): Promise<DemoFindings["calibration"]> {
  const request = { method: "auto", component: "h_w", optimiser: "closed-simplex", seed: 1, draws: 200 } as const;
  const fitted = await worded(calibrateRefusal, () =>
    fitCalibration(context, {
      ...request,
      words: CALIBRATION_WORDS,
      holdout: null,
      name: null,
      createdAt: new Date().toISOString(),
      audits: {},
      labels: null,
      target: { kind: "gold" },
      evaluateOn: null,
      force: false,
    }),
  );
  return (await keepCalibration(context, fitted, { dryRun: false, write: null })).calibration;
}

async function writeReport(context: FileContext, path: string): Promise<DemoFindings["page"]> {
  return withDuckDB(
    async (db) => {
      const subject = await runReport(db, context, { against: "gold", also: PAGE_COLUMNS, findings: gateWords() });
      const page = await reportPage(subject, { decisions: LISTED });
      writePage(page, path);
      return page;
    },
    { ordered: false },
  );
}
