import { InputError } from "../../core/errors.js";
import type { Figure } from "../../core/figure.js";
import { TIERS } from "../../core/records/rule-set.js";
import type { PlantedRates } from "../../core/results/simulation.js";
import { type Simulation, simulationSchema, type WorldSettings } from "../../core/results/simulation.js";
import { type Document, table } from "../../present/document/document.js";
import { percent, whole } from "../../present/words/numbers.js";
import { auditorPreset } from "../../simulation/auditor/paper-auditor.js";
import { BOOKS } from "../../simulation/books/books.js";
import { type Preset, presetWorld } from "../../simulation/world/presets.js";
import {
  isWorkspaceFolder,
  prepareFolder,
  readSimulation,
  type WrittenWorld,
  writeWorld,
} from "../../store/files/simulated-world.js";
import { printable } from "../../text/printable.js";
import { refusal } from "../audits.js";

/** What a user may choose about a world; the preset determines the rest. */
export interface WorldWishes {
  preset: Preset;
  seed: number;
  book?: string;
  communities?: number;
  decisions?: number;
  deciderError?: number;
  implicitNorms?: number;
  decider?: string;
  /** `key=value`, keys dotted: `cohorts.fleet.violating=0.3`. */
  set?: readonly string[];
}

type Json = Record<string, unknown>;

/** The validated settings of a world: the preset's, with the user's changes. */
export function simulationOf(wishes: WorldWishes): Simulation {
  const world = structuredClone(presetWorld(wishes.preset));
  if (wishes.book !== undefined) world.book = wishes.book;
  if (wishes.decider !== undefined) world.decider.id = wishes.decider;
  resize(world, wishes);
  for (const cohort of world.cohorts) {
    if (wishes.implicitNorms !== undefined) cohort.implicit_norms = wishes.implicitNorms;
    if (wishes.deciderError !== undefined) for (const state of cohort.states) state.error = wishes.deciderError;
  }
  const auditor = auditorPreset(wishes.preset === "paper" ? "paper" : "default");
  const simulation = { format: 1, simulated: true, preset: wishes.preset, seed: wishes.seed, world, auditor } as const;
  for (const assignment of wishes.set ?? []) change(simulation as unknown as Json, assignment);
  return checked(simulation);
}

/** Only a single cohort can be resized: several are the point of their preset. */
function resize(world: WorldSettings, { communities, decisions, preset }: WorldWishes): void {
  if (communities === undefined && decisions === undefined) return;
  const [cohort, ...others] = world.cohorts;
  if (others.length > 0) {
    throw new InputError(
      "several_cohorts",
      `--communities, --decisions: the preset ${preset} has ${world.cohorts.length} cohorts of given sizes`,
      `Set a cohort's: --set cohorts.${cohort!.name}.decisions=1000`,
    );
  }
  cohort!.communities = communities ?? Math.min(cohort!.communities, decisions!);
  cohort!.decisions = decisions ?? Math.max(cohort!.decisions, communities! * 25);
  cohort!.large = null;
}

function change(simulation: Json, assignment: string): void {
  const equals = assignment.indexOf("=");
  if (equals < 1) throw wrong(`got "${assignment}", expected key=value`);
  const keys = assignment.slice(0, equals).trim().split(".");
  // Keys refer to the world, unless they begin with `auditor`.
  const path = keys[0] === "auditor" || keys[0] === "world" ? keys : ["world", ...keys];
  let place: unknown = simulation;
  for (const key of path.slice(0, -1)) place = step(place, key, assignment);
  const last = path.at(-1)!;
  if (typeof place !== "object" || place === null || !has(place, last)) throw unknown(assignment, place);
  const item = Array.isArray(place) ? indexIn(place, last) : last;
  (place as Record<string | number, unknown>)[item] = parsed(assignment.slice(equals + 1).trim());
}

function step(place: unknown, key: string, assignment: string): unknown {
  if (typeof place !== "object" || place === null || !has(place, key)) throw unknown(assignment, place);
  return Array.isArray(place) ? place[indexIn(place, key)] : (place as Json)[key];
}

function has(place: object, key: string): boolean {
  return Array.isArray(place) ? indexIn(place, key) >= 0 : Object.hasOwn(place, key);
}

/** Index of a list's item, by number or by name. */
function indexIn(list: readonly unknown[], key: string): number {
  if (/^\d+$/.test(key)) return Number(key) < list.length ? Number(key) : -1;
  return list.findIndex((item) => (item as { name?: unknown } | null)?.name === key);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function checked(simulation: unknown): Simulation {
  const result = simulationSchema.safeParse(simulation);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    throw wrong(`${issue.path.join(".")}: ${issue.message}`);
  }
  const { book } = result.data.world;
  if (!Object.hasOwn(BOOKS, book)) {
    throw new InputError(
      "unknown_book",
      `book: unknown book "${book}"`,
      `There are: ${Object.keys(BOOKS).join(", ")}.`,
    );
  }
  return result.data;
}

function unknown(assignment: string, place: unknown): InputError {
  const keys = typeof place === "object" && place !== null ? Object.keys(place).slice(0, 30).join(", ") : "nothing";
  return wrong(`no such setting: "${assignment.slice(0, assignment.indexOf("="))}"; there is ${keys}`);
}

function wrong(message: string): InputError {
  return new InputError(
    "bad_setting",
    `simulate: ${message}`,
    "docs/simulation.md has every setting; simulation.json of a world shows their values.",
  );
}

export interface MadeWorld extends WrittenWorld {
  format: 1;
  simulated: true;
  workspace: string;
  preset: string;
  seed: number;
  book: string;
  figures: Figure[];
}

export function plannedDecisions({ world }: Simulation): number {
  return world.cohorts.reduce((sum, { decisions }) => sum + decisions, 0);
}

/** Makes a world in a new folder, or replaces a simulation. `progress` receives the number of decisions written. */
export function makeWorld(
  root: string,
  simulation: Simulation,
  { force, progress }: { force: boolean; progress?: (done: number) => void },
): MadeWorld {
  prepareFolder(root, force);
  const texts = {
    config: simulationConfig(simulation.seed),
    readme: (world: WrittenWorld) => simulationReadme(simulation, world),
  };
  const written = writeWorld(root, simulation, texts, progress);
  const figures = [plantedFigure(written.cohorts, written.all)];
  const { preset, seed, world } = simulation;
  return { format: 1, simulated: true, workspace: root, preset, seed, book: world.book, ...written, figures };
}

/**
 * Makes a world unless the folder already contains the one with these settings. A world with other settings is replaced only by force.
 * `tell` is called first, with whether a world is made.
 */
export function ensureWorld(
  root: string,
  simulation: Simulation,
  { force, tell }: { force: boolean; tell: (made: boolean) => void },
): void {
  const there = readSimulation(root);
  const same = there !== null && JSON.stringify(there) === JSON.stringify(simulation);
  const usable = same && isWorkspaceFolder(root);
  if (there !== null && !same && !force) {
    throw refusal({ code: "other_world", root, preset: there.preset, seed: there.seed });
  }
  tell(!usable);
  if (usable) return;
  // A world whose writing was interrupted has the same settings, and is written again.
  makeWorld(root, simulation, { force: there !== null });
}

/** `defensible.yaml` of a simulated workspace. */
function simulationConfig(seed: number): string {
  return `# A simulated workspace, made by \`defensible simulate\`: no real community, member or decision. Flags override these settings.
version: 1
actions:
  positive: remove
  negative: approve

# The simulated auditor reads the truth and distorts it by the stated errors of simulation.json. Any other auditor can be named: it sees none of it.
auditor: "simulated:columns"
tier: wiki
template: paper
temperature: 0.2
seed: ${seed}
`;
}

/** The README of a simulated workspace: what it is, what it contains, and that none of it is real. */
function simulationReadme({ preset, seed, world }: Simulation, written: WrittenWorld): string {
  const rows = Object.entries(written.cohorts).map(
    ([name, rates]) =>
      `| ${name} | ${rates.communities} | ${rates.decisions} | ${rate(rates.defensibility_index)} | ${rate(rates.ambiguity_index)} | ${rate(rates.void)} |`,
  );
  const drawn = Object.entries(written.drawn).map(([name, size]) => `\`${name}\` (${size})`);
  return `# A simulated platform

Everything in this folder was made up by \`defensible simulate --preset ${preset} --seed ${seed}\` from the phrase book \`${world.book}\`: communities, rules, posts, precedents,
decisions and human labels. No person, platform or decision in it is real, and no figure computed from it says anything about a real one.

It is an ordinary workspace (\`defensible audit\`, \`report\`, \`gate\`, …) with two files more: \`simulation.json\`, the settings that it was made with, and
\`truth/truth.jsonl\`, what is true of each decision by construction. Auditors are not given the truth, save the simulated one, which distorts it by stated errors.

True rates, counted over all decisions of a cohort:

| cohort | communities | decisions | DI | AI | void |
|---|--:|--:|--:|--:|--:|
${rows.join("\n")}
${drawn.length > 0 ? `\nDrawn from these: ${drawn.join(", ")}.\n` : ""}
Each cohort has its name for \`--cohort\`. \`docs/simulation.md\` of the package explains the model.
`;
}

/** True indices of each cohort, as more of the rules is read. */
function plantedFigure(cohorts: Readonly<Record<string, PlantedRates>>, all: PlantedRates): Figure {
  const rows = Object.entries(cohorts).flatMap(([cohort, { tiers }]) =>
    TIERS.map((tier) => ({
      tier,
      cohort,
      ambiguity_index: tiers[tier].ambiguity_index,
      defensibility_index: tiers[tier].defensibility_index,
    })),
  );
  const { title, wiki } = all.tiers;
  return {
    id: "planted-by-tier",
    title: `In truth the opposite is derivable in ${rate(title.ambiguity_index)} of the decisions by titles alone, in ${rate(wiki.ambiguity_index)} by the whole text`,
    mark: "line",
    x: { field: "tier", label: "Text of the rules" },
    y: { field: "ambiguity_index", label: "True Ambiguity Index", unit: "share" },
    series: "cohort",
    rows,
  };
}

export function simulateDocument(result: MadeWorld, dir: string): Document {
  const { all } = result;
  const rows = Object.entries(result.cohorts).map(([name, rates]) => cohortRow(name, rates));
  const causes = Object.entries(result.cohorts).map(([name, { causes: shares }]) => [
    name,
    ...[shares.model_error, shares.implicit_norm, shares.policy_ambiguity, shares.human_error].map(rate),
  ]);
  const drawn = Object.entries(result.drawn).map(([name, size]) => `${name} (${whole(size)})`);
  return {
    title: "A simulated world",
    subtitle: `${printable(result.workspace)}: preset ${result.preset}, seed ${result.seed}, phrase book ${result.book}`,
    blocks: [
      {
        kind: "text",
        text: `${whole(result.decisions)} decisions in ${whole(result.communities)} communities with ${whole(result.rules)} rules and ${whole(result.precedents)} precedents. By construction ${rate(all.defensibility_index)} of the decisions are derivable from the rules, and of ${rate(all.ambiguity_index)} the opposite is.`,
      },
      { kind: "heading", text: "What is true" },
      table(
        ["cohort", ">communities", ">decisions", ">DI", ">ambiguity", ">platform's", ">community's", ">void"],
        rows,
      ),
      {
        kind: "text",
        text: "These are counts, not estimates: nothing was audited yet. Ambiguity: the opposite is derivable; platform's and community's: whose rule the case turns on (the rest turns on none). Void: neither outcome is derivable.",
      },
      { kind: "heading", text: "Why decision and human label differ (shares of all decisions)" },
      table(["cohort", ">model error", ">unwritten norm", ">open rule", ">human slip"], causes),
      ...(drawn.length > 0 ? [{ kind: "text", text: `Drawn cohorts: ${drawn.join(", ")}.` } as const] : []),
      {
        kind: "text",
        text: `Everything in it is made up. Next: cd ${printable(dir)} && defensible audit && defensible report`,
      },
    ],
  };
}

function cohortRow(name: string, rates: PlantedRates): string[] {
  const { ambiguity } = rates;
  return [
    name,
    whole(rates.communities),
    whole(rates.decisions),
    rate(rates.defensibility_index),
    rate(rates.ambiguity_index),
    rate(ambiguity.platform),
    rate(ambiguity.community),
    rate(rates.void),
  ];
}

function rate(value: number | null): string {
  return value === null ? "undefined" : percent(value);
}
