import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { OPPOSITE_ARM } from "../audit/arms.js";
import { readWeights } from "../audit/read-weights.js";
import type { Experiment } from "../domain/experiment.js";
import type { GapColumn } from "../domain/gap-experiment.js";
import type { ReplicateStep } from "../domain/replicate.js";
import { TIERS } from "../domain/rule-set.js";
import type { Simulation } from "../domain/simulation.js";
import { runCircularity } from "../experiments/circularity/run-circularity.js";
import { buildDual } from "../experiments/dual/build-dual.js";
import { gapColumn } from "../experiments/gap/gap-column.js";
import { gapExperiment } from "../experiments/gap/gap-experiment.js";
import { heldOutRow, paperCalibration } from "../experiments/replicate/calibration-table.js";
import { gateTable } from "../experiments/replicate/gate-table.js";
import { levelsByTemperature, plainSigmaRow, regimesOf } from "../experiments/replicate/level-table.js";
import type { StepResults } from "../experiments/replicate/results.js";
import type { RaterSettings } from "../experiments/replicate/simulated-ratings.js";
import { tokenAgreement } from "../experiments/replicate/token-agreement.js";
import { buildScopes } from "../experiments/rules/build-scopes.js";
import { buildTiers } from "../experiments/rules/build-tiers.js";
import { runSignal } from "../experiments/signal/run-signal.js";
import { referencePlaces } from "../experiments/truth-places.js";
import { type AuditTable, openAuditTable, type TableOptions } from "../ledger/audit-table.js";
import { withDuckDB } from "../ledger/duckdb.js";
import { writeFileAtomic } from "../ledger/files.js";
import { countGapCells } from "../ledger/gap-cells.js";
import { countGateCohorts } from "../ledger/gate-counts.js";
import { SIGNAL_COLUMNS } from "../ledger/signal-columns.js";
import { loadTrueVerdicts } from "../ledger/true-verdicts.js";
import { writeExperiment } from "../workspace/experiment-store.js";
import { type AuditsPlace, loadScores } from "../workspace/load-scores.js";
import { armSource, rulesShown, withArmTable } from "./arm-audits.js";
import { validateOf } from "./commands/validate.js";
import { replicateAttack } from "./replicate-attack.js";
import { replicateHumans } from "./replicate-humans.js";
import { isColumns, type ReplicateRuns, type RunName } from "./replicate-runs.js";
import { replicateStability } from "./replicate-stability.js";

/** What steps work with and leave behind. */
export interface StepContext {
  runs: ReplicateRuns;
  results: StepResults;
  seed: number;
  simulation: Simulation | null;
  warnings: string[];
  expert: { decisions: number; valid: number; communities: number } | null;
  raters: (RaterSettings & { cases: number }) | null;
}

export interface Step {
  name: ReplicateStep;
  title: string;
  /** Why it cannot be done here; null: it can. */
  refuses?: (context: StepContext) => Promise<{ reason: string; command: string | null } | null>;
  /** Runs that it asks for. */
  needs: (context: StepContext) => RunName[];
  run: (context: StepContext) => Promise<void>;
}

const drawing = ({ runs, seed }: StepContext) => ({ seed, draws: runs.sizes.draws });

/** Keeps the result of a step as its own command would. */
export function keepStep<T extends Experiment>({ runs }: StepContext, result: T): T {
  writeExperiment(runs.workspace, result);
  return result;
}

export function withRun<T>(
  place: AuditsPlace,
  work: (table: AuditTable) => Promise<T>,
  options: Pick<TableOptions, "also" | "anyArm"> = {},
): Promise<T> {
  return withDuckDB(async (db) => work(await openAuditTable(db, place.source, { actions: place.actions, ...options })));
}

async function calibration(context: StepContext): Promise<void> {
  const { runs, results } = context;
  const place = await runs.get("balanced");
  const loaded = await loadScores(place, { kind: "self" }, { workspace: runs.workspace, labels: null });
  const found = paperCalibration(loaded!.main.columns, drawing(context));
  results.calibration = found;
  if (!found.weights) {
    context.warnings.push(`S has the workspace's weights, because none could be fitted: ${found.reason}`);
    return;
  }
  const { calibrated: _, ...weights } = found.weights;
  mkdirSync(dirname(runs.weightsFile), { recursive: true });
  writeFileAtomic(runs.weightsFile, `${JSON.stringify(weights, null, 2)}\n`);
}

async function gapOf({ runs }: StepContext, name: "random" | "balanced"): Promise<GapColumn> {
  const place = await runs.get(name);
  return withRun(place, async (table) => {
    const truth = await loadTrueVerdicts(table, referencePlaces(runs.workspace));
    const { run_id, auditor } = place.manifest!;
    const cells = await countGapCells(table, { truth: truth !== null });
    return gapColumn({ name, run_id, auditor, cohort: runs.cohorts[name] }, cells, truth);
  });
}

async function gap(context: StepContext): Promise<void> {
  const [random, balanced] = [await gapOf(context, "random"), await gapOf(context, "balanced")];
  const experiment = keepStep(context, gapExperiment([random, balanced]));
  context.results.gap = { experiment, random, balanced };
}

async function signal(context: StepContext): Promise<void> {
  const { runs, results } = context;
  const { workspace } = runs;
  const [random, spread, balanced] = [await runs.get("random"), await runs.get("spread"), await runs.get("balanced")];
  const expert = runs.cohorts.expert === null ? null : await runs.get("expert");
  const experiment = keepStep(context, await runSignal({ places: [random, spread], workspace }));
  const repeated = await runSignal({ places: [spread], workspace });
  const weights = readWeights(runs.fitted);
  const loaded = weights.calibrated ? await loadScores(random, { kind: "self" }, { workspace, labels: null }) : null;
  const also = { also: SIGNAL_COLUMNS };
  if (expert) {
    const { planned, verdicts } = expert.manifest!.counts;
    const communities = await withRun(expert, async ({ db }) =>
      db.rows<{ n: number }>("SELECT count(DISTINCT community)::INTEGER AS n FROM audits"),
    );
    context.expert = { decisions: planned, valid: verdicts, communities: communities[0]!.n };
  }
  results.signal = {
    experiment,
    levels: await withRun(random, levelsByTemperature, also),
    expert: expert && (await withRun(expert, (table) => plainSigmaRow(table, "expert"), also)),
    regimes: await withRun(balanced, (table) => regimesOf(table, weights.calibrated ? weights : null), also),
    spread: repeated.agreement,
    heldOut: loaded ? loaded.temperatures.map((arm) => heldOutRow(arm, weights, drawing(context))) : [],
    heldOutReason: loaded ? null : (results.calibration?.reason ?? "no weights of S were fitted"),
  };
}

async function gate(context: StepContext): Promise<void> {
  const place = await context.runs.get("fleet");
  const cohorts = await withRun(place, (table) => countGateCohorts(table, { by: ["community"] }));
  context.results.gate = gateTable(cohorts, drawing(context));
}

async function tiers(context: StepContext): Promise<void> {
  const { workspace } = context.runs;
  const place = await context.runs.get("tiers");
  const inputs = { source: armSource(place), rules: rulesShown({ workspace, place }), minDecisions: 10 };
  const result = await withArmTable(place, (table) => buildTiers(table, { ...inputs, tiers: TIERS }));
  context.results.tiers = keepStep(context, result);
}

async function scopes(context: StepContext): Promise<void> {
  const { workspace } = context.runs;
  const place = await context.runs.get("scopes");
  const inputs = { source: armSource(place), rules: rulesShown({ workspace, place }), minDecisions: 10 };
  context.results.scopes = keepStep(context, await withArmTable(place, (table) => buildScopes(table, inputs)));
}

async function dual(context: StepContext): Promise<void> {
  const place = await context.runs.get("dual");
  const { run_id, auditor } = place.manifest!;
  const result = await withRun(
    place,
    (table) => buildDual(table, { name: run_id, run_id, auditor, oppositeArm: OPPOSITE_ARM.name, cases: 100 }),
    { anyArm: true },
  );
  context.results.dual = keepStep(context, result);
}

async function validate(context: StepContext): Promise<void> {
  const { runs, seed } = context;
  const { manifest } = await runs.get("random");
  const result = await validateOf(runs.workspace, {
    run: manifest!.run_id,
    worlds: runs.sizes.worlds,
    communities: 40,
    decisions: 2400,
    labels: 200,
    temperature: manifest!.temperature,
    seed,
  });
  context.results.validate = keepStep(context, result);
}

async function circularity(context: StepContext): Promise<void> {
  const { runs } = context;
  const place = await runs.get("random");
  const { workspace } = runs;
  const result = await runCircularity({ place, workspace, margin: 0.05, ...drawing(context) });
  context.results.circularity = keepStep(context, result);
}

async function tokens(context: StepContext): Promise<void> {
  const { runs } = context;
  const pairs = [];
  let of = 0;
  for (const [columns, tokens] of TOKEN_PAIRS) {
    const whole = await runs.get(columns);
    of += await withRun(whole, async ({ db }) => {
      const [row] = await db.rows<{ n: number }>(
        "SELECT count(*)::INTEGER AS n FROM audits WHERE arm = '' AND replicate = 0",
      );
      return row!.n;
    });
    pairs.push({ columns: whole.source, tokens: (await runs.get(tokens)).source });
  }
  const found = await tokenAgreement(pairs, of);
  context.results.tokens = found;
  if (!found.agrees) context.warnings.push("audits by tokens do not agree with the same audits as columns");
}

const TOKEN_PAIRS = [
  ["random", "tokens_random"],
  ["balanced", "tokens_balanced"],
  ["fleet", "tokens_fleet"],
] as const;

const notSimulated = async ({ simulation }: StepContext) =>
  simulation
    ? null
    : {
        reason: "the truth is known only in a simulated world, and this is none",
        command: "defensible validate, or defensible replicate --preset paper --out DIR",
      };

/** All steps, in the order in which they are done. */
export const STEPS: readonly Step[] = [
  { name: "calibration", title: "weights of S", needs: () => ["balanced"], run: calibration },
  { name: "gap", title: "agreement against defensibility", needs: () => ["balanced", "random"], run: gap },
  {
    name: "signal",
    title: "signals at four temperatures, held-out calibration",
    needs: ({ runs }) => ["balanced", "random", "spread", ...(runs.cohorts.expert === null ? [] : ["expert" as const])],
    run: signal,
  },
  { name: "gate", title: "fleet and gate", needs: () => ["fleet"], run: gate },
  { name: "tiers", title: "rule text", needs: () => ["tiers"], run: tiers },
  { name: "scopes", title: "whose rules leave it open", needs: () => ["scopes"], run: scopes },
  { name: "stability", title: "repeated audits", needs: () => [], run: replicateStability },
  { name: "attack", title: "attacks", needs: () => ["attack_base"], run: replicateAttack },
  { name: "dual", title: "decisions and their opposites", needs: () => ["dual"], run: dual },
  {
    name: "humans",
    title: "people's ratings",
    ...replicateHumans,
  },
  {
    name: "validate",
    title: "against the truth",
    refuses: notSimulated,
    needs: () => ["random"],
    run: validate,
  },
  { name: "circularity", title: "circularity", needs: () => ["random"], run: circularity },
  {
    name: "tokens",
    title: "tokens against columns",
    refuses: async ({ runs }) =>
      isColumns(runs.auditor)
        ? null
        : { reason: "compares two ways of the simulated auditor, which is not in use", command: null },
    needs: () => TOKEN_PAIRS.flat(),
    run: tokens,
  },
];
