import { measuredDecisions } from "../../analysis/replicates.js";
import { selectDecisions } from "../../app/audit/selection.js";
import { hashText } from "../../audit/identity.js";
import { InputError } from "../../core/errors.js";
import type { Decision } from "../../core/records/decision.js";
import type { Manifest } from "../../core/records/manifest.js";
import { type PlanSettings, StabilityPlan } from "../../experiments/stability/stability-plan.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { StabilityFlags } from "../commands/stability.js";
import { auditForExperiment } from "../experiment-run.js";
import { say } from "../output.js";
import { planNotes, planWords } from "./words.js";

/** Most replicates of a case at a temperature. */
export const CAP = 300;
/** Probability that a settled state is wrong. */
export const ALPHA = 0.05;
const CASES = 100;
const PILOT = 10;
/** Candidates of the pilot for each case to be found. */
const CANDIDATES_PER_CASE = 5;

/** Makes the audits: pilot, choice of cases, replicates. Null: there is nothing to analyse, and it has been said why. */
export async function auditStability(workspace: Workspace, flags: StabilityFlags): Promise<Manifest | null> {
  const settings = planSettings(flags, workspace.config.seed);
  const [template, ...moreTemplates] = flags.templates ?? [];
  const decisions = await candidates(workspace, flags, settings);
  if (decisions.length === 0) {
    throw new InputError(
      "no_cases",
      "stability: no decision was chosen",
      "Check --cohort, --communities and --filter.",
    );
  }
  const plan = new StabilityPlan(
    { ...settings, moreTemplates },
    decisions.map(({ id }) => id),
  );
  const words = planWords(plan, settings, decisions.length);
  if (!flags.dryRun) say(`${words}.`);
  for (const note of planNotes(settings)) say(`Note: ${note}.`);
  const { temperatures: _, ...design } = settings;
  const { cohort, communities, filter, sample, limit, casesOf: of, ...rest } = flags;
  const manifest = await auditForExperiment(
    workspace,
    { ...rest, ...(template && { template }) },
    {
      kind: "stability",
      arms: plan.arms,
      plan: { words, most: plan.most.pilot + plan.most.measured },
      replicates: settings.replicates,
      design: {
        ...design,
        candidates: decisions.length,
        ...given({ cohort, communities, filter, sample, limit, cases_of: of }),
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
    },
  );
  if (manifest && plan.chosen?.size === 0) {
    throw new InputError(
      "no_cases",
      "stability: the pilot gave no verdict, so that no case could be chosen",
      "`defensible runs show` says how its audits ended.",
    );
  }
  return manifest;
}

function planSettings(flags: StabilityFlags, seed: number): PlanSettings {
  return {
    temperatures: flags.temperatures,
    moreTemplates: [],
    mode: flags.fixed ? "fixed" : "sequential",
    replicates: flags.replicates ?? CAP,
    stop: flags.stop ?? "boundary",
    alpha: flags.alpha ?? ALPHA,
    evidence: flags.raoBlackwell ? "probabilities" : "labels",
    budget: flags.budget ?? null,
    order: flags.budgetOrder ?? "nearest",
    pilot: flags.pilot ?? (flags.casesOf ? 0 : PILOT),
    pilotTemperature: flags.pilotTemperature ?? flags.temperatures[0]!,
    rule: flags.flippers ?? "level",
    cases: flags.cases ?? (flags.cohort || flags.casesOf ? null : CASES),
    seed: flags.seed ?? seed,
  };
}

/** The decisions that the pilot looks at, in memory: the plan goes over them many times. */
async function candidates(workspace: Workspace, flags: StabilityFlags, settings: PlanSettings): Promise<Decision[]> {
  const { cohort, communities, filter: filters, limit } = flags;
  const { cases, pilot, seed } = settings;
  const some = cases === null ? null : pilot > 0 ? CANDIDATES_PER_CASE * cases : cases;
  const size = flags.sample ?? (limit || cohort || flags.casesOf ? null : some);
  const wanted = flags.casesOf === undefined ? null : new Set(await casesOf(workspace, flags.casesOf));
  const source = await selectDecisions(workspace, {
    cohort,
    communities,
    filters,
    limit,
    ...(size && { sample: { size, seed } }),
  });
  const decisions: Decision[] = [];
  for await (const batch of source()) {
    decisions.push(...(wanted ? batch.filter(({ id }) => wanted.has(id)) : batch));
  }
  return decisions;
}

async function casesOf(workspace: Workspace, run: string): Promise<string[]> {
  const ledger = fileStores(workspace).runs;
  const { actions, run_id } = await ledger.manifest(run);
  const source = await ledger.snapshot(run_id);
  return withDuckDB((db) => measuredDecisions(db, { source, run: run_id, actions }));
}

function given(selection: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
}
