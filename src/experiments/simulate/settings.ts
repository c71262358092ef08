import { InputError } from "../../core/errors.js";
import { type Simulation, simulationSchema, type WorldSettings } from "../../core/results/simulation.js";
import { auditorPreset } from "../../simulation/auditor/paper-auditor.js";
import { BOOKS } from "../../simulation/books/books.js";
import { type Preset, presetWorld } from "../../simulation/world/presets.js";

/** What a user may ask of a world; the rest is the preset's. */
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

/** The settings of a world: the preset's, changed as asked, checked. */
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

/** One cohort can be resized; several are what their preset is about. */
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
  // Worlds are what is set here; the auditor's settings are named as such.
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

/** A list's item by its number or by its name. */
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
