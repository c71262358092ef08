import { newRunId } from "../../audit/arms.js";
import type { ResponseCache } from "../../audit/calls/caller.js";
import { decodeGeneration, encodeGeneration } from "../../auditors/recorded/generation-codec.js";
import type { StoredCalibration } from "../../core/calibration.js";
import { type Config, configSchema } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import type { Cohort } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { RatingKey } from "../../experiments/humans/result.js";
import { trimGeneration } from "../../measures/signals/extract-signals.js";
import { chosenCalibration, identified, newestFirst } from "../calibrations.js";
import { checkCohortName, unknownCohort } from "../cohorts.js";
import type { Context } from "../context.js";
import { hasherOf, newKey } from "../files/workspace.js";
import type { CalibrationStore, CohortStore, ExperimentStore, GateStore, RouteStore, SheetStore } from "../ports.js";
import { closedEvent, type GateEvent, openedEvent, type StoredWatch } from "../records/gate-event.js";
import {
  type Closure,
  type GateInForce,
  type GateStanding,
  sealed,
  standingAfter,
  withStanding,
} from "../records/suspensions.js";
import { memoryEvidence } from "./evidence.js";
import { MemoryData } from "./records.js";
import { MemoryRunStore, SnapshotFolder, turns } from "./run-store.js";

export interface MemoryOptions {
  config?: Config;
  rules?: readonly RuleSet[];
  now?: () => Date;
}

/** A context without a workspace; its data are lost when the process ends, or with `close`. */
export function memoryContext(options: MemoryOptions = {}): Context & { close(): void } {
  const { rules = [], now = () => new Date() } = options;
  const config = { ...(options.config ?? configSchema.parse({ version: 1 })) };
  const folder = new SnapshotFolder();
  const data = new MemoryData(config, rules, () => folder.path());
  const answers = new Map<string, string>();
  const results = new Map<string, string>();
  const [runs, gate, routes] = [new MemoryRunStore(folder), memoryGate(), routesOf(data)];
  let key: Buffer | null = null;
  let redaction: Buffer | null = null;
  return {
    runs,
    records: data.recordStore(),
    labels: data.labelStore(),
    imports: data.importStore(),
    cohorts: cohorts(),
    calibrations: calibrations(),
    gate,
    routes,
    experiments: experiments(results),
    sheets: sheets(),
    ...memoryEvidence({ data, runs, gate, routes, answers, experiments: results }),
    async openHasher() {
      key ??= newKey();
      return hasherOf(key);
    },
    findHasher: async () => key && hasherOf(key),
    async redactionKey() {
      redaction ??= newKey();
      return redaction;
    },
    sweep: async () => {},
    openCache: () => memoryCache(answers),
    config,
    now,
    newId: newRunId,
    close: () => folder.remove(),
  };
}

function cohorts(): CohortStore {
  const kept = new Map<string, Cohort>();
  const names = () => [...kept.keys()].sort();
  return {
    list: async () => names().map((name) => structuredClone(kept.get(name)!)),
    async find(name) {
      checkCohortName(name);
      return structuredClone(kept.get(name) ?? null);
    },
    async read(name) {
      checkCohortName(name);
      const cohort = kept.get(name);
      if (!cohort) throw unknownCohort(name, names());
      return structuredClone(cohort);
    },
    async keep(cohort) {
      checkCohortName(cohort.name);
      kept.set(cohort.name, structuredClone(cohort));
    },
    async delete(name) {
      checkCohortName(name);
      if (!kept.delete(name)) throw unknownCohort(name, names());
    },
  };
}

function calibrations(): CalibrationStore {
  const kept = new Map<string, StoredCalibration>();
  let weights: string | null = null;
  const all = () => structuredClone([...kept.values()]).sort(newestFirst);
  return {
    list: async () => all(),
    survey: async () => ({ calibrations: all(), damaged: [] }),
    read: async (idOrName) => structuredClone(kept.get(chosenCalibration([...kept.keys()].sort(), all, idOrName))!),
    async keep(calibration) {
      const stored = identified(calibration, (id) => kept.has(id));
      kept.set(stored.calibration_id, structuredClone(stored));
      return stored;
    },
    placeOf: ({ calibration_id }) => `memory: calibration ${calibration_id}`,
    weights: async () => (weights === null ? null : { text: weights, place: "memory: weights" }),
    async keepWeights(next) {
      weights = JSON.stringify(next);
      return "memory: weights";
    },
  };
}

function routesOf({ outcomes }: MemoryData): RouteStore {
  const kept: string[] = [];
  return {
    async *lines() {
      if (kept.length > 0) yield [...kept];
    },
    openLog: () => ({
      path: "memory: routes",
      append: (lines) => void kept.push(...lines.split("\n").filter(Boolean)),
      close: async () => {},
    }),
    outcomes: () => outcomes.read(),
    openAppeals: async () => new Set(),
    addOutcomes: (all) => outcomes.add(all),
  };
}

function experiments(kept: Map<string, string>): ExperimentStore {
  return {
    read: async (kind) => JSON.parse(kept.get(kind) ?? "null"),
    all: async () => Object.fromEntries([...kept].map(([kind, result]) => [kind, JSON.parse(result)])),
    async keep(result) {
      kept.set(result.experiment, JSON.stringify(result));
      return `memory: ${result.experiment}`;
    },
  };
}

function sheets(): SheetStore {
  const kept = new Map<string, RatingKey>();
  return {
    list: async () => [...kept.keys()].sort(),
    async key(sheetId) {
      const key = kept.get(sheetId);
      if (!key) throw new InputError("no_key", `key: no sheet ${sheetId}`, "Draw one first.");
      return structuredClone(key);
    },
    async keep(key) {
      kept.set(key.sheet_id, structuredClone(key));
      return `memory: ${key.sheet_id}`;
    },
  };
}

/** Answers in memory, in the same form as in files. */
function memoryCache(answers = new Map<string, string>()): ResponseCache {
  return {
    async get(key) {
      const text = answers.get(key);
      return text === undefined ? null : decodeGeneration(text);
    },
    async put(key, generation) {
      if (generation.finish === "stop") answers.set(key, encodeGeneration(trimGeneration(generation)));
    },
    async close() {},
  };
}

function memoryGate(): GateStore {
  let active: GateInForce | null = null;
  let standing: GateStanding | null = null;
  let closure: Closure | null = null;
  let watch: StoredWatch | null = null;
  const history: GateEvent[] = [];
  const changes = { gate: 0, closure: 0 };
  const record = async (events: readonly GateEvent[]) => void history.push(...structuredClone(events));
  const turn = turns();
  const store: GateStore = {
    withGateLock: (work) => turn(() => work(store)),
    active: async () => structuredClone(active && withStanding(active, standing)),
    async activate({ content_hash: _, signature: __, ...gate }) {
      changes.gate++;
      standing = structuredClone(standingAfter(gate));
      active = structuredClone(sealed(gate));
    },
    standing: async () => structuredClone(standing),
    keepStanding: async (next) => {
      changes.gate++;
      standing = structuredClone(next);
    },
    marks: () => ({ gate: String(changes.gate), closure: String(changes.closure) }),
    closure: async () => closure && { ...closure },
    async close(next, actor) {
      changes.closure++;
      closure = { ...next };
      await record([closedEvent(next, actor)]);
      return null;
    },
    async open(at, who) {
      await record([openedEvent(at, who)]);
      changes.closure++;
      closure = null;
    },
    watch: async () => structuredClone(watch),
    keepWatch: async (next) => {
      watch = structuredClone(next);
    },
    async *history() {
      for (const event of history) yield structuredClone(event);
    },
    record,
  };
  return store;
}
