import { hashText } from "../audit/identity.js";
import { selectDecisions } from "../audit/selection.js";
import type { Decision } from "../domain/decision.js";
import type { Manifest } from "../domain/manifest.js";
import { InputError } from "../errors.js";
import { buildStability, type StabilityInputs } from "../experiments/stability/build-stability.js";
import { type PlanSettings, StabilityPlan } from "../experiments/stability/stability-plan.js";
import { withDuckDB } from "../ledger/duckdb.js";
import { FileLedger } from "../ledger/file-ledger.js";
import { measuredDecisions } from "../ledger/replicates.js";
import { plural, whole } from "../reports/numbers.js";
import { printable } from "../reports/printable.js";
import { stabilityDocument } from "../reports/stability/stability-document.js";
import { writeExperiment } from "../workspace/experiment-store.js";
import { type AuditsPlace, findAudits } from "../workspace/load-scores.js";
import type { Workspace } from "../workspace/workspace.js";
import { auditFormat } from "./audit-format.js";
import type { StabilityFlags } from "./commands/stability.js";
import { auditForExperiment } from "./experiment-run.js";
import { writeFigureData } from "./figure-data.js";
import { workspaceOf } from "./options.js";
import { printJson, say } from "./output.js";
import { printPage } from "./page.js";

const CAP = 300;
const CASES = 100;
const PILOT = 10;
const ALPHA = 0.05;
/** Candidates of the pilot for each case to be found. */
const CANDIDATES_PER_CASE = 5;

/** `defensible stability`: audits, unless audits are named, and analyses them. */
export async function stability(flags: StabilityFlags): Promise<void> {
  if (flags.temperature !== undefined) {
    throw new InputError("temperature_is_varied", "--temperature: the experiment sets it", "Use --temperatures.");
  }
  if (flags.fixed && flags.sequential) {
    throw new InputError("fixed_and_sequential", "--fixed and --sequential: got both", "Leave out one of the two.");
  }
  const found = flags.run || flags.audits ? await namedAudits(flags) : await newAudits(flags);
  if (!found) return;
  const { workspace, places, inputs } = found;
  const sources = places.map(({ source, actions, label, manifest }) => ({
    source,
    actions,
    name: label,
    run: manifest?.run_id ?? null,
    auditor: manifest?.auditor ?? null,
  }));
  const result = await withDuckDB((db) => buildStability(db, { ...inputs, sources }));
  if (workspace) say(`Kept as ${printable(writeExperiment(workspace, result))}`);
  writeFigureData(result.figures, flags);
  printPage(() => stabilityDocument(result, { rows: flags.rows }), flags, printJson(result, flags));
}

interface Found {
  /** Null: nowhere to keep the result. */
  workspace: Workspace | null;
  places: AuditsPlace[];
  inputs: Omit<StabilityInputs, "sources">;
}

/** Flags that only mean something where audits are made. */
const AUDITING = [
  "auditor",
  "template",
  "tier",
  "cohort",
  "sample",
  "limit",
  "communities",
  "filter",
  "dryRun",
  "new",
] as const;

async function namedAudits(flags: StabilityFlags): Promise<Found> {
  for (const name of AUDITING) {
    if (flags[name] === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new InputError(
      "no_audits_made",
      `${flag}: does not go with ${flags.run ? "--run" : "--audits"}, which analyses audits that are there`,
      "Leave out one of the two.",
    );
  }
  if (flags.run && flags.audits) {
    throw new InputError("run_and_audits", "--run and --audits: got both, expected one", "Leave out one of the two.");
  }
  if (flags.audits) {
    const files = flags.audits.map((path) => ({ path, format: auditFormat(path) }));
    const places = await Promise.all(files.map((file) => findAudits(null, { file, actions: flags.actions })));
    return { workspace: null, places, inputs: inputsOf(flags, null, flags.seed ?? 1) };
  }
  const workspace = await workspaceOf(flags);
  const ledger = new FileLedger(workspace.paths.runs);
  const places: AuditsPlace[] = [];
  for (const id of new Set(flags.run)) places.push(placeOf(ledger, await ledger.manifest(id)));
  return {
    workspace,
    places,
    inputs: inputsOf(flags, places[0]!.manifest, flags.seed ?? workspace.config.seed),
  };
}

function placeOf(ledger: FileLedger, manifest: Manifest): AuditsPlace {
  const { run_id, actions } = manifest;
  return { source: ledger.source(run_id), actions, label: `run ${run_id}`, manifest };
}

/** How audits that are there are read: as the run was designed, unless the flags say otherwise. */
function inputsOf(flags: StabilityFlags, manifest: Manifest | null, seed: number): Found["inputs"] {
  const own = manifest?.experiment?.kind === "stability" ? manifest.experiment.design : undefined;
  const design = (own ?? {}) as Partial<Omit<PlanSettings, "temperatures">>;
  return {
    mode: flags.fixed ? "fixed" : flags.sequential ? "sequential" : (design.mode ?? "fixed"),
    stop: flags.stop ?? design.stop ?? "boundary",
    evidence: flags.raoBlackwell ? "probabilities" : (design.evidence ?? "labels"),
    alpha: flags.alpha ?? design.alpha ?? ALPHA,
    cap: flags.replicates ?? design.replicates ?? CAP,
    budget: design.budget ?? null,
    rule: flags.flippers ?? design.rule ?? "level",
    ...(flags.pilot ? { pilot: flags.pilot } : {}),
    asked: design.cases ?? null,
    seed,
    draws: flags.draws,
  };
}

async function newAudits(flags: StabilityFlags): Promise<Found | null> {
  if (flags.actions) {
    throw new InputError("needs_audits", "--actions: goes with --audits", "A workspace knows its own actions.");
  }
  const workspace = await workspaceOf(flags);
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
  sayPlan(plan, settings, decisions.length);
  const { temperatures: _, ...design } = settings;
  const { cohort, communities, filter, sample, limit, casesOf: of, ...rest } = flags;
  const manifest = await auditForExperiment(
    workspace,
    { ...rest, ...(template && { template }) },
    {
      kind: "stability",
      arms: plan.arms,
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
  if (!manifest) return null;
  if (plan.chosen?.size === 0) {
    throw new InputError(
      "no_cases",
      "stability: the pilot gave no verdict, so that no case could be chosen",
      "`defensible runs show` says how its audits ended.",
    );
  }
  const ledger = new FileLedger(workspace.paths.runs);
  return {
    workspace,
    places: [placeOf(ledger, manifest)],
    inputs: inputsOf({ ...flags, pilot: 0 }, manifest, settings.seed),
  };
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
  const ledger = new FileLedger(workspace.paths.runs);
  const { actions, run_id } = await ledger.manifest(run);
  return withDuckDB((db) => measuredDecisions(db, { source: ledger.source(run_id), run: run_id, actions }));
}

function sayPlan(plan: StabilityPlan, settings: PlanSettings, count: number): void {
  const { pilot, mode, replicates, temperatures } = settings;
  const first = pilot > 0 ? `${plural(pilot, "pilot audit")} of ${plural(count, "candidate")}, then ` : "";
  const each = mode === "fixed" ? `${whole(replicates)}` : `up to ${whole(replicates)}`;
  say(
    `${first}${each} audits of each case at ${plural(temperatures.length, "temperature")}: at most ${whole(plan.most)} audits.`,
  );
}

function given(selection: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
}
