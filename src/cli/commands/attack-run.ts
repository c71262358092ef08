import { basename } from "node:path";
import { Command, Option } from "commander";
import { openAuditTable } from "../../analysis/audit-table.js";
import { changedSince } from "../../app/report/run-report.js";
import { OPPOSITE_ARM, PLAIN_ARM } from "../../audit/arms.js";
import { Frames } from "../../audit/frames.js";
import { RuleBook } from "../../audit/rules-in-force.js";
import { InputError } from "../../core/errors.js";
import type { Audit } from "../../core/records/audit.js";
import type { Precedent } from "../../core/records/decision.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { AttackCase } from "../../core/results/attack.js";
import { attackDocument } from "../../experiments/attack/document/attack-document.js";
import { type RuleAmbiguity, ruleAmbiguity } from "../../experiments/attack/run/ambiguous-rules.js";
import { analyseAttacks, type ScoredSet, scoreCases } from "../../experiments/attack/run/analyse-attacks.js";
import { type AttackInputs, attackInputs, readAttackCases } from "../../experiments/attack/run/read-cases.js";
import { writeFileAtomic } from "../../io/files.js";
import { plural } from "../../present/words/numbers.js";
import { chosenRunOf } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { readPrecedents } from "../../store/files/records.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { askAboutScope } from "../attack-scope.js";
import { EXIT } from "../exit-code.js";
import { keep } from "../experiment-places.js";
import { type AuditFlags, auditForExperiment, withAuditOptions } from "../experiment-run.js";
import { type FigureOptions, withFigureOption, writeFigureData } from "../figure-data.js";
import { examples, integer, number, withCommonOptions, workspaceOf } from "../options.js";
import { printJson, say } from "../output.js";
import { type PageOptions, printPage } from "../page.js";

interface RunFlags extends AuditFlags, PageOptions, FigureOptions {
  run?: string;
  fpr: number;
  askScope?: boolean;
  dual?: boolean;
  cases?: string;
  draws: number;
  anyway?: boolean;
}

export function attackRunCommand(): Command {
  return withFigureOption(withAuditOptions(withCommonOptions(new Command("run"))))
    .description(
      "audit an attack file and report which attacks each layer of defence noticed, and what it wrongly flagged",
    )
    .argument("<file>", "an attack file (JSONL), made by `attack build` or by anybody (docs/attack.md)")
    .option("--run <id>", "analyse this run of the file instead of auditing it; `newest`: its newest one")
    .option("--anyway", "with --run: analyse although rules or precedents have changed since; nothing is kept")
    .option("--fpr <share>", "share of clean cases that a threshold may flag", number(0.0001, 0.5), 0.05)
    .option("--ask-scope", "ask the auditor a second question: does the cited rule support the step? (third layer)")
    .option("--dual", "also audit the opposite of every decision (third layer)")
    .option("--cases <file>", "write what each layer said of each case to a file (JSONL)")
    .option("--draws <n>", "draws of tests that are too large to be exact", integer(100, 1_000_000), 10_000)
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .addHelpText(
      "after",
      examples(
        "defensible attack run sg-bench.jsonl",
        "defensible attack run sg-bench.jsonl --auditor openai:gpt-4.1-mini --ask-scope --dual --max-cost 5",
        "defensible attack run sg-bench.jsonl --run RUN_ID --fpr 0.01 --figure-data figures",
      ),
    )
    .action(run);
}

async function run(file: string, flags: RunFlags): Promise<void> {
  const workspace = await workspaceOf(flags);
  const cases = await readAttackCases(file, workspace.config.actions);
  const inputs = attackInputs(cases);
  const manifest = flags.run
    ? await recorded(workspace, flags.run, inputs)
    : await auditAttacks(workspace, flags, inputs);
  if (!manifest) return;
  const changed = flags.run ? await changedRules(workspace, manifest, flags.anyway ?? false) : null;
  const arms = manifest.experiment?.arms.map((arm) => arm.name) ?? [];
  const dual = arms.includes(OPPOSITE_ARM.name);
  if (flags.dual && !dual) {
    throw new InputError(
      "no_opposite",
      `run ${manifest.run_id}: has no audits of opposites`,
      "Leave out --run or --dual.",
    );
  }
  const set = await scoreAttackRun(workspace, manifest, cases, inputs);
  if (flags.askScope && !(await askAboutScope(workspace, flags, manifest, set.scored))) {
    process.exitCode = EXIT.interrupted;
    return;
  }
  const result = analyseAttacks(set, {
    rate: flags.fpr,
    seed: flags.seed ?? workspace.config.seed,
    draws: flags.draws,
    question: flags.askScope === true,
    dual,
    runs: [manifest.run_id],
    auditor: manifest.auditor,
    ambiguity: await ambiguityOf(workspace, cases),
  });
  const warnings = changed === null ? result.warnings : [changed, ...result.warnings];
  const named = { ...result, warnings, file: basename(file) };
  // A result by other rules must not take the place of the one by the run's own.
  if (changed === null) keep(workspace, named);
  else say(`Note: ${changed}. The result is not kept.`);
  writeFigureData(result.figures, flags);
  if (flags.cases) writeCases(set, flags.cases);
  printPage(() => attackDocument(named), flags, printJson(named, flags));
}

/** The audits of a file's cases. */
export async function auditAttacks(
  workspace: Workspace,
  flags: AuditFlags & { dual?: boolean },
  inputs: AttackInputs,
): Promise<Manifest | null> {
  return auditForExperiment(workspace, flags, {
    kind: "attack",
    arms: flags.dual ? [PLAIN_ARM, OPPOSITE_ARM] : [PLAIN_ARM],
    source: {
      hash: inputs.hash,
      async *decisions() {
        yield inputs.decisions;
      },
    },
  });
}

/** A run of this very file. */
async function recorded(workspace: Workspace, runId: string, inputs: AttackInputs): Promise<Manifest> {
  const ofFile = ({ hashes }: Manifest) => hashes.decisions === inputs.hash;
  const manifest = await chosenRunOf(fileStores(workspace).runs, "attack", runId, ofFile);
  if (manifest.experiment?.kind === "attack" && ofFile(manifest)) return manifest;
  throw new InputError(
    "other_run",
    `run ${runId}: did not audit this attack file`,
    "Leave out --run to audit it, or name the file that the run was made with.",
  );
}

/** The second and third layer are run anew, on the workspace's rules. Null: they are those that the auditor was shown. */
async function changedRules(workspace: Workspace, manifest: Manifest, anyway: boolean): Promise<string | null> {
  const texts = (await changedSince(fileStores(workspace).records, manifest)).filter((name) => name !== "decisions");
  if (texts.length === 0) return null;
  const what = `the ${texts.join(" and ")} of the workspace are no longer those of run ${manifest.run_id}`;
  if (anyway) return `${what}: layers 2 and 3 judge by other texts than the auditor was shown`;
  throw new InputError(
    "changed_since_run",
    `attack: ${what}; layers 2 and 3 would judge by other texts than the auditor was shown`,
    "Leave out --run to audit the file again, or put the texts back; --anyway analyses all the same and keeps nothing.",
  );
}

/** The cases with what the layers say of them. */
export async function scoreAttackRun(
  workspace: Workspace,
  manifest: Manifest,
  cases: readonly AttackCase[],
  { auditIds }: AttackInputs,
): Promise<ScoredSet> {
  const byArm = { own: new Map<string, Audit>(), opposite: new Map<string, Audit>() };
  for await (const batch of fileStores(workspace).runs.audits(manifest.run_id)) {
    for (const audit of batch) {
      if (audit.replicate !== 0) continue;
      if (audit.arm === PLAIN_ARM.name) byArm.own.set(audit.decision_id, audit);
      else if (audit.arm === OPPOSITE_ARM.name) byArm.opposite.set(audit.decision_id, audit);
    }
  }
  const rules = new RuleBook(loadRuleSets(workspace).map(({ set }) => set));
  const precedents: Precedent[] = [];
  for await (const batch of readPrecedents(workspace)) precedents.push(...batch);
  const frames = new Frames(precedents, manifest.tier, manifest.actions);
  return scoreCases(
    cases,
    (one) => {
      const id = auditIds.get(one.id)!;
      return { own: byArm.own.get(id) ?? null, opposite: byArm.opposite.get(id) ?? null };
    },
    (one) => frames.of(one.community, rules.inForce(one)).frame,
  );
}

/** Ambiguity of rules in the run that the cases were made from; null: it is not here. */
export async function ambiguityOf(workspace: Workspace, cases: readonly AttackCase[]): Promise<RuleAmbiguity | null> {
  const runs = new Set(cases.flatMap((one) => one.base_run ?? []));
  const ledger = fileStores(workspace).runs;
  const known = (await ledger.list()).find((one) => runs.has(one.run_id));
  if (!known) return null;
  return withDuckDB(async (db) =>
    ruleAmbiguity(await openAuditTable(db, await ledger.snapshot(known.run_id), { actions: known.actions })),
  );
}

function writeCases({ scored: all }: ScoredSet, file: string): void {
  const lines = all.map(({ case: one, scores, level, grounded, scope, supported, dual }) =>
    JSON.stringify({
      id: one.id,
      kind: one.kind,
      target: one.target,
      archetype: one.archetype,
      level,
      grounded,
      scope_flagged: scope.flagged,
      failed_checks: scope.checks.filter((check) => check.passed === false).map((check) => check.name),
      supported,
      dual: dual?.state ?? null,
      scores,
    }),
  );
  writeFileAtomic(file, `${lines.join("\n")}\n`);
  say(`Wrote ${plural(lines.length, "case")} to ${printable(file)}`);
}
