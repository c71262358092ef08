import { basename } from "node:path";
import { Command, Option } from "commander";
import { openAuditTable } from "../../analysis/audit-table.js";
import { auditFormat } from "../../app/audit/audit-format.js";
import { OPPOSITE_ARM, PLAIN_ARM } from "../../audit/arms.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import type { Manifest } from "../../core/records/manifest.js";
import { buildDual, type DualInputs } from "../../experiments/dual/build-dual.js";
import { checkCorrection, correctionNotes } from "../../experiments/dual/check-correction.js";
import { dualDocument } from "../../experiments/dual/dual-document.js";
import { chosenRun, chosenRunOf } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { AuditSource } from "../../store/ports.js";
import { keep } from "../experiment-places.js";
import { type AuditFlags, auditForExperiment, withAuditOptions } from "../experiment-run.js";
import { type FigureOptions, withFigureOption, writeFigureData } from "../figure-data.js";
import { actions, examples, integer, withCommonOptions, workspaceOf } from "../options.js";
import { printJson } from "../output.js";
import { type PageOptions, printPage } from "../page.js";

interface DualFlags extends AuditFlags, FigureOptions, PageOptions {
  run?: string;
  audits?: string;
  actions?: Actions;
  correct?: string;
  rows: number;
}

/** `experiment dual`. */
export function experimentDualCommand(): Command {
  return withFigureOption(withAuditOptions(withCommonOptions(new Command("dual"))))
    .description(
      "audit each decision and its opposite apart: what do the rules settle, and is the inverse check right?",
    )
    .option("--run <id>", "analyse this run instead of auditing (newest: the newest dual audit)")
    .addOption(new Option("--audits <file>", 'analyse an audits file with the arms "" and "opposite"').conflicts("run"))
    .option("--actions <positive,negative>", "of an audits file: the two actions, the restricting one first", actions)
    .option("--correct <run>", "correct the ambiguity of this run by the dual audit of a random part of its decisions")
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .option("--rows <n>", "contradictions shown, of each kind; JSON has ten times as many", integer(1, 1000), 10)
    .addHelpText(
      "after",
      examples(
        "defensible experiment dual",
        "defensible experiment dual --sample 200 --auditor openai:gpt-4.1-mini --max-cost 2",
        "defensible experiment dual --sample 200 --correct newest",
        "defensible experiment dual --run 20261115T101530Z-4f2a --md=dual.md",
      ),
    )
    .action(dual);
}

async function dual(flags: DualFlags): Promise<void> {
  const found = flags.audits === undefined ? await fromWorkspace(flags) : fromFile(flags.audits, flags);
  if (!found) return;
  const { source, inputs } = found;
  const result = await withDuckDB(
    async (db) =>
      buildDual(await openAuditTable(db, source, { actions: found.actions, anyArm: true }), {
        ...inputs,
        oppositeArm: OPPOSITE_ARM.name,
        cases: 10 * flags.rows,
        correct: found.correct,
      }),
    { ordered: false },
  );
  keep(found.workspace, result);
  writeFigureData(result.figures, flags);
  printPage(() => dualDocument(result, { rows: flags.rows }), flags, printJson(result, flags));
}

interface Found {
  source: AuditSource;
  actions?: Actions | undefined;
  inputs: Pick<DualInputs, "name" | "run_id" | "auditor">;
  correct?: DualInputs["correct"];
  /** Where the result is kept; null: nowhere. */
  workspace: Workspace | null;
}

async function fromWorkspace(flags: DualFlags): Promise<Found | null> {
  const workspace = await workspaceOf(flags);
  const ledger = fileStores(workspace).runs;
  const target = flags.correct === undefined ? undefined : await chosenRun(ledger, flags.correct);
  // Before anything is audited: a run that it cannot correct must not cost a dual audit.
  if (target && !flags.run) checkPlan(workspace, flags, target);
  const manifest = flags.run
    ? await chosenRunOf(ledger, "dual", flags.run)
    : await auditForExperiment(workspace, flags, { kind: "dual", arms: [PLAIN_ARM, OPPOSITE_ARM] });
  if (!manifest) return null;
  if (target) checkCorrection(manifest, target);
  return {
    correct: target && {
      run_id: target.run_id,
      source: await ledger.snapshot(target.run_id),
      notes: correctionNotes(manifest, target),
    },
    source: await ledger.snapshot(manifest.run_id),
    actions: manifest.actions,
    inputs: { name: manifest.run_id, run_id: manifest.run_id, auditor: manifest.auditor },
    workspace,
  };
}

/** Whether the dual audit that the flags ask for can correct the run. Kept answers have settings of their own: they are looked at afterwards. */
function checkPlan({ config }: Workspace, flags: DualFlags, run: Manifest): void {
  const { auditor = config.auditor, tier = config.tier, template = config.template } = flags;
  if (/^(replay|answers):/.test(auditor)) return;
  const { cohort, communities, filter: filters, limit, sample: size } = flags;
  const sample = size ? { size, seed: flags.seed ?? config.seed } : undefined;
  checkCorrection({ auditor, tier, template, selection: { cohort, communities, filters, sample, limit } }, run);
}

function fromFile(path: string, flags: DualFlags): Found {
  if (flags.correct !== undefined) {
    throw new InputError(
      "no_workspace",
      "--correct: does not go with --audits",
      "Use --run with a run of the workspace.",
    );
  }
  if (flags.dryRun) {
    throw new InputError("nothing_to_plan", "--dry-run: nothing is audited with --audits", "Leave out one of the two.");
  }
  return {
    source: { path, format: auditFormat(path), own: false },
    actions: flags.actions,
    inputs: { name: basename(path), run_id: null, auditor: null },
    workspace: null,
  };
}
