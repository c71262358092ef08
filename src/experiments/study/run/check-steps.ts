import { decisionCount } from "../../../analysis/labels/judgements.js";
import { type TokenPair, tokenAgreement } from "../../../analysis/signal-columns.js";
import { readTruthTable } from "../../../auditors/simulated/truth-table.js";
import type { Label } from "../../../core/records/label.js";
import { collectGarbage } from "../../../io/limits.js";
import { writeStepFile } from "../../../store/files/experiment-store.js";
import { attacksOf } from "../../attack/build/build-attacks.js";
import { DEFAULT_WANTED, type Wanted } from "../../attack/build/plan.js";
import { attackInputs } from "../../attack/run/read-cases.js";
import { attackAudits, attackResult, scoreAttackRun } from "../../attack/run/run-attack.js";
import { runCircularity } from "../../circularity/run-circularity.js";
import { buildHumans } from "../../humans/build-humans.js";
import { makeStability, stabilityOf } from "../../stability/run-stability.js";
import { runValidate } from "../../validate/run-validate.js";
import { RATERS, type RaterSettings, simulatedRatings } from "../datasets.js";
import { TEMPERATURES } from "../values.js";
import { drawing, keepStep, type StepContext, withRun } from "./step.js";

/** Pilot, choice of cases, replicates: as many of each case, as in the paper. */
export async function stability(context: StepContext): Promise<void> {
  const { runs, seed } = context;
  const { replicates, cases, pilot, draws } = runs.sizes;
  const audits = await makeStability(
    runs.context,
    {
      make: async (wanted) => (await runs.audit(wanted, { fitted: true })).manifest,
      selection: runs.selectionOf({ cohort: runs.cohorts.stability }),
      planned: (words, notes) => context.tell({ event: "planned", words, notes }),
    },
    { temperatures: TEMPERATURES, mode: "fixed", replicates, cases, pilot, draws, seed },
  );
  collectGarbage();
  context.results.stability = await keepStep(context, await stabilityOf(audits!));
}

/** The kinds that the paper has, and none of the others: they have a command of their own. */
const PAPER_ATTACKS: Wanted = {
  ...(Object.fromEntries(Object.keys(DEFAULT_WANTED).map((kind) => [kind, 0])) as Wanted),
  clean: DEFAULT_WANTED.clean,
  action_flip: DEFAULT_WANTED.action_flip,
  hallucinated_grounding: DEFAULT_WANTED.hallucinated_grounding,
};

/** Where the attacks of the step are. */
const ATTACKS = "replicate-attacks.jsonl";

/** SG-Bench of the paper's sizes, made of audited decisions, audited in its turn. */
export async function attack(context: StepContext): Promise<void> {
  const { runs, seed } = context;
  const base = await runs.get("attack_base");
  const { cases } = await attacksOf(runs.context, base.manifest!, { wanted: PAPER_ATTACKS, seed });
  writeStepFile(runs.context.workspace, ATTACKS, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const inputs = attackInputs(cases);
  // The cases are chosen already: what selects decisions of the workspace does not select among them.
  const wanted = { ...attackAudits(inputs, false), selection: {} };
  const manifest = (await runs.audit(wanted, { fitted: false })).manifest!;
  const set = await scoreAttackRun(runs.context, manifest, cases, inputs);
  const options = { rate: 0.05, seed, draws: runs.sizes.draws, question: false, dual: false };
  const result = await attackResult(runs.context, manifest, { cases, set }, options);
  context.results.attack = await keepStep(context, { ...result, file: ATTACKS });
}

/** People's ratings; in a simulated world with a cohort to be rated, ratings of simulated people. */
export async function humans(context: StepContext): Promise<void> {
  const { runs, seed } = context;
  const labels = await ratingsOf(context);
  const place = await runs.get("human");
  const settings = context.raters;
  const inputs = { runId: place.manifest!.run_id, labels, key: null, simulated: settings !== null, seed };
  const result = await withRun(place, (table) => buildHumans(table, { ...inputs, draws: runs.sizes.draws }));
  context.results.humans = await keepStep(context, {
    ...result,
    ...(settings && {
      simulated_raters: settings,
      warnings: ["the raters are simulated from the truth: nothing here is about people", ...result.warnings],
    }),
  });
}

export async function ratingsOf(context: StepContext): Promise<Label[]> {
  const { runs, simulation } = context;
  const labels: Label[] = [];
  for await (const batch of runs.context.labels.labels()) {
    labels.push(...batch.filter(({ source, rater }) => source === "human" && rater));
  }
  const { human } = runs.cohorts;
  if (labels.length > 0 || !simulation || human === null) return labels;
  const truths = await readTruthTable(runs.context.workspace.paths.truth);
  const rated = (await runs.context.cohorts.find(human))!.decision_ids;
  const cases = rated.flatMap((decision_id) => {
    const truth = truths.get(decision_id);
    return truth ? [{ decision_id, level: truth.level, inverse: truth.inverse }] : [];
  });
  const settings: RaterSettings = { ...RATERS, seed: simulation.seed };
  context.raters = { ...settings, cases: cases.length };
  return simulatedRatings(cases, settings);
}

export async function validate(context: StepContext): Promise<void> {
  const { runs, seed } = context;
  const { manifest } = await runs.get("random");
  const result = await runValidate(runs.context, {
    run: manifest!.run_id,
    worlds: runs.sizes.worlds,
    communities: 40,
    decisions: 2400,
    labels: 200,
    temperature: manifest!.temperature,
    seed,
    progress: (done) => context.tell({ event: "worlds", done, of: runs.sizes.worlds }),
  });
  context.results.validate = await keepStep(context, result);
}

export async function circularity(context: StepContext): Promise<void> {
  const { runs } = context;
  const place = await runs.get("random");
  const result = await runCircularity({ place, context: runs.context, margin: 0.05, ...drawing(context) });
  context.results.circularity = await keepStep(context, result);
}

export const TOKEN_PAIRS = [
  ["random", "tokens_random"],
  ["balanced", "tokens_balanced"],
  ["fleet", "tokens_fleet"],
] as const;

export async function tokens(context: StepContext): Promise<void> {
  const { runs } = context;
  const pairs: TokenPair[] = [];
  let of = 0;
  for (const [columns, tokens] of TOKEN_PAIRS) {
    const whole = await runs.get(columns);
    of += await withRun(whole, decisionCount);
    pairs.push({ columns: whole.source, tokens: (await runs.get(tokens)).source });
  }
  const found = await tokenAgreement(pairs, of);
  context.results.tokens = found;
  if (!found.agrees) context.warnings.push("audits by tokens do not agree with the same audits as columns");
}
