import { measuredDecisions } from "../../analysis/replicates.js";
import { type Selection, selectDecisions } from "../../app/audit/audit-request.js";
import { type AuditsPlace, findAudits } from "../../app/find-audits.js";
import { hashText } from "../../audit/arms.js";
import type { Template } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Manifest } from "../../core/records/manifest.js";
import { identicalReplicates } from "../../measures/stability/allocate.js";
import { LEAST_REPLICATES } from "../../measures/stability/level-sequence.js";
import { plural, whole } from "../../present/words/numbers.js";
import { chosenRun, chosenRunOf } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { FileContext } from "../../store/files/stores.js";
import { type Kept, keepResult, type MakeAudits, placeOf, refusal, type SeveralFrom } from "../audits.js";
import { buildStability, isRepeated, type StabilityInputs } from "./build-stability.js";
import type { Stability } from "./result.js";
import { type PlanSettings, StabilityPlan } from "./stability-plan.js";

/** Most replicates of a case at a temperature. */
const CAP = 300;
/** Probability that a settled state is wrong. */
const ALPHA = 0.05;
const CASES = 100;
const PILOT = 10;
/** Candidates of the pilot for each case to be found. */
const CANDIDATES_PER_CASE = 5;

/** User choices about the measurement of stability; missing ones take the values of the run, or the defaults. */
export interface StabilityChoices extends Partial<Omit<PlanSettings, "temperatures" | "moreTemplates">> {
  temperatures: readonly number[];
  /** Templates of the trace; the first is the run's own. */
  templates?: readonly Template[];
  /** Run whose cases are measured, to compare auditors. */
  casesOf?: string;
  /** Draws of each bootstrap. */
  draws: number;
}

/** Existing audits: of runs (`newest`: the newest of this experiment) or of files. */
type StabilityFrom = Exclude<SeveralFrom, { make: MakeAudits }>;

export interface StabilityMaking {
  make: MakeAudits;
  /** Decisions among which the pilot looks for cases. */
  selection: Selection;
  /** Called before anything is audited, with the most that will be requested, and notes. */
  planned?: (words: string, notes: string[]) => void;
}

/** Audits, ready to be analysed. */
export interface StabilityAudits {
  places: AuditsPlace[];
  inputs: Omit<StabilityInputs, "sources">;
}

/** How stable verdicts are under repetition; null: there is nothing to analyse. Only files need no context. */
export async function runStability(
  context: FileContext | null,
  from: StabilityFrom | StabilityMaking,
  choices: StabilityChoices,
): Promise<Kept<Stability> | null> {
  const audits = "make" in from ? await makeStability(context!, from, choices) : await named(context, from, choices);
  if (!audits) return null;
  const result = await stabilityOf(audits);
  // A result without repetitions is empty, and must not replace one that has them.
  return keepResult(isRepeated(result) ? context : null, result);
}

export async function stabilityOf({ places, inputs }: StabilityAudits): Promise<Stability> {
  const sources = places.map(({ source, actions, label, manifest }) => ({
    source,
    actions,
    name: label,
    run: manifest?.run_id ?? null,
    auditor: manifest?.auditor ?? null,
  }));
  return withDuckDB((db) => buildStability(db, { ...inputs, sources }));
}

async function named(
  context: FileContext | null,
  from: StabilityFrom,
  choices: StabilityChoices,
): Promise<StabilityAudits> {
  if ("files" in from) {
    const { files, actions } = from;
    const places = await Promise.all(files.map((file) => findAudits(null, { file, actions })));
    return { places, inputs: inputsOf(choices, null, choices.seed ?? 1) };
  }
  const { runs, config } = context!;
  const chosen = new Map<string, Manifest>();
  for (const id of from.runs) {
    const manifest = await chosenRunOf(runs, "stability", id);
    chosen.set(manifest.run_id, manifest);
  }
  const places: AuditsPlace[] = [];
  for (const manifest of chosen.values()) places.push(await placeOf(runs, manifest));
  return { places, inputs: inputsOf(choices, places[0]!.manifest, choices.seed ?? config.seed) };
}

/** How existing audits are read: as the run was designed, unless the user chose otherwise. */
function inputsOf(choices: StabilityChoices, manifest: Manifest | null, seed: number): StabilityAudits["inputs"] {
  const own = manifest?.experiment?.kind === "stability" ? manifest.experiment.design : undefined;
  const design = (own ?? {}) as Partial<Omit<PlanSettings, "temperatures">>;
  return {
    mode: choices.mode ?? design.mode ?? "fixed",
    stop: choices.stop ?? design.stop ?? "boundary",
    evidence: choices.evidence ?? design.evidence ?? "labels",
    alpha: choices.alpha ?? design.alpha ?? ALPHA,
    cap: choices.replicates ?? design.replicates ?? CAP,
    budget: design.budget ?? null,
    rule: choices.rule ?? design.rule ?? "level",
    ...(choices.pilot ? { pilot: choices.pilot } : {}),
    asked: design.cases ?? null,
    seed,
    draws: choices.draws,
  };
}

/** Makes the audits: pilot, choice of cases, replicates. null: there is nothing to analyse. */
export async function makeStability(
  context: FileContext,
  { make, selection, planned }: StabilityMaking,
  choices: StabilityChoices,
): Promise<StabilityAudits | null> {
  const settings = planSettings(choices, selection, context.config.seed);
  const [template, ...moreTemplates] = choices.templates ?? [];
  const decisions = await candidates(context, selection, settings, choices.casesOf);
  if (decisions.length === 0) throw refusal({ code: "no_cases", because: "no_decision" });
  const plan = new StabilityPlan(
    { ...settings, moreTemplates },
    decisions.map(({ id }) => id),
  );
  const words = planWords(plan, settings, decisions.length);
  planned?.(words, planNotes(settings));
  const { temperatures: _, ...design } = settings;
  const { cohort, communities, filters: filter, sample, limit } = selection;
  const manifest = await make({
    kind: "stability",
    arms: plan.arms,
    plan: { words, most: plan.most.pilot + plan.most.measured },
    replicates: settings.replicates,
    selection: {},
    ...(template && { template }),
    design: {
      ...design,
      candidates: decisions.length,
      ...given({ cohort, communities, filter, sample: sample?.size, limit, cases_of: choices.casesOf }),
    },
    replicatesFor: (decision, arm) => plan.replicatesFor(decision.id, arm.name),
    observe: (audit) => plan.observe(audit),
    again: () => plan.again(),
    source: {
      decisions: async function* () {
        yield decisions;
      },
      hash: hashText(JSON.stringify(decisions)),
    },
  });
  if (!manifest) return null;
  if (plan.chosen?.size === 0) throw refusal({ code: "no_cases", because: "no_verdict" });
  const places = [await placeOf(context.runs, manifest)];
  return { places, inputs: inputsOf({ ...choices, pilot: 0 }, manifest, settings.seed) };
}

function planSettings(choices: StabilityChoices, { cohort }: Selection, seed: number): PlanSettings {
  const { temperatures, casesOf } = choices;
  return {
    temperatures,
    moreTemplates: [],
    mode: choices.mode ?? "sequential",
    replicates: choices.replicates ?? CAP,
    stop: choices.stop ?? "boundary",
    alpha: choices.alpha ?? ALPHA,
    evidence: choices.evidence ?? "labels",
    budget: choices.budget ?? null,
    order: choices.order ?? "nearest",
    pilot: choices.pilot ?? (casesOf ? 0 : PILOT),
    pilotTemperature: choices.pilotTemperature ?? temperatures[0]!,
    rule: choices.rule ?? "level",
    cases: choices.cases ?? (cohort || casesOf ? null : CASES),
    seed: choices.seed ?? seed,
  };
}

/** The pilot's candidate decisions, in memory: the plan iterates over them many times. */
async function candidates(
  context: FileContext,
  selection: Selection,
  { cases, pilot, seed }: PlanSettings,
  casesOf: string | undefined,
): Promise<Decision[]> {
  const some = cases === null ? null : pilot > 0 ? CANDIDATES_PER_CASE * cases : cases;
  const whole = selection.limit || selection.cohort || casesOf;
  const size = selection.sample?.size ?? (whole ? null : some);
  const wanted = casesOf === undefined ? null : new Set(await measuredIn(context, casesOf));
  const sample = size ? { size, seed } : undefined;
  const source = await selectDecisions(context, { ...selection, sample });
  const decisions: Decision[] = [];
  for await (const batch of source()) {
    decisions.push(...(wanted ? batch.filter(({ id }) => wanted.has(id)) : batch));
  }
  return decisions;
}

async function measuredIn({ runs }: FileContext, run: string): Promise<string[]> {
  const { actions, run_id } = await chosenRun(runs, run);
  const source = await runs.snapshot(run_id);
  return withDuckDB((db) => measuredDecisions(db, { source, run: run_id, actions }));
}

function given(selection: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
}

/** The most that will be requested, without a full stop: the pilot decides on the cases, and the verdicts on when each is settled. */
export function planWords(
  { most, mostCases, arms }: Pick<StabilityPlan, "most" | "mostCases" | "arms">,
  { pilot, mode, replicates, temperatures, budget }: PlanSettings,
  candidates: number,
): string {
  const first =
    pilot > 0
      ? `${plural(pilot, "pilot audit")} of each of ${plural(candidates, "candidate")} (${whole(most.pilot)}), then `
      : "";
  const conditions = arms.length - (pilot > 0 ? 1 : 0);
  const templates = conditions > temperatures.length ? `, ${conditions / temperatures.length} templates` : "";
  const each = mode === "fixed" ? whole(replicates) : `up to ${whole(replicates)}`;
  const limit = budget === null ? "" : `--budget ${whole(budget)}: `;
  const cases = `${mostCases === candidates && pilot === 0 ? "" : "up to "}${plural(mostCases, "case")}`;
  return `${first}${each} audits of each of ${cases} at ${plural(temperatures.length, "temperature")}${templates} (${limit}at most ${whole(most.measured)}): at most ${whole(most.pilot + most.measured)} audits planned`;
}

/** What to know about the plan before paying for it, each in a sentence. */
export function planNotes({ mode, replicates, stop, alpha, cases, pilot }: PlanSettings): string[] {
  const odd =
    pilot > 0 && cases !== null && cases % 2 === 1
      ? [
          `--cases ${cases} is odd: half are to be Flippers and half Stable, so at most ${Math.floor(cases / 2)} of each are measured`,
        ]
      : [];
  if (mode === "fixed") {
    const few = `--replicates ${replicates} is fewer than the ${LEAST_REPLICATES} verdicts that a class or a boundary state needs: no case will have one`;
    return replicates < LEAST_REPLICATES ? [...odd, few] : odd;
  }
  const needed = identicalReplicates(alpha, stop);
  const what = stop === "class" ? "boundary state and class" : "boundary state";
  return [
    ...odd,
    `at α = ${alpha} a case that gives the same level every time has its ${what} settled after ${needed} audits${replicates < needed ? `, and --replicates ${replicates} is fewer: no stable case can be settled` : ""}`,
  ];
}
