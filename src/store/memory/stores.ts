import { newRunId } from "../../audit/identity.js";
import type { StoredCalibration } from "../../core/calibration.js";
import { type Config, configSchema } from "../../core/config.js";
import type { Cohort } from "../../core/records/cohort.js";
import type { Decision } from "../../core/records/decision.js";
import type { Label } from "../../core/records/label.js";
import type { ReviewOutcome } from "../../core/records/outcome.js";
import type { Precedent } from "../../core/records/precedent.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { ExperimentKind } from "../../core/results/experiment.js";
import { chosenCalibration, identified, newestFirst } from "../calibrations.js";
import { checkCohortName, unknownCohort } from "../cohorts.js";
import type { Context } from "../context.js";
import type { CalibrationStore, CohortStore, ExperimentStore, RouteStore } from "../ports.js";
import { ruleSetName } from "../records/parse-rule-set.js";
import { memoryGate } from "./gate.js";
import { MemoryRecords } from "./records.js";
import { memoryCache } from "./response-cache.js";
import { MemoryRunStore } from "./run-store.js";

export interface MemoryOptions {
  config?: Config;
  rules?: readonly RuleSet[];
  now?: () => Date;
}

/** A context without a workspace: what it keeps is gone with the process, or with `close`. */
export function memoryContext(options: MemoryOptions = {}): Context & { close(): void } {
  const { config = configSchema.parse({ version: 1 }), rules = [], now = () => new Date() } = options;
  const runs = new MemoryRunStore();
  const answers = new Map<string, string>();
  const decisions = new MemoryRecords<Decision>("decisions", config.actions);
  const precedents = new MemoryRecords<Precedent>("precedents", config.actions);
  const labels = new MemoryRecords<Label>("labels", config.actions);
  const outcomes = new MemoryRecords<ReviewOutcome>("outcomes", config.actions);
  return {
    runs,
    records: {
      decisions: () => decisions.read(),
      precedents: () => precedents.read(),
      rules: async () => rules.map((set) => ({ file: ruleSetName(set), set: structuredClone(set) })),
      addDecisions: (all) => decisions.add(all),
      addPrecedents: (all) => precedents.add(all),
    },
    labels: {
      labels: () => labels.read(),
      add: (all) => labels.add(all),
      remove: (all) => labels.remove(all),
    },
    cohorts: cohorts(),
    calibrations: calibrations(),
    gate: memoryGate(),
    routes: routes(outcomes),
    experiments: experiments(),
    openCache: () => memoryCache(answers),
    config,
    now,
    newId: newRunId,
    close: () => runs.close(),
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
  };
}

function routes(outcomes: MemoryRecords<ReviewOutcome>): RouteStore {
  const kept: string[] = [];
  return {
    async *lines() {
      if (kept.length > 0) yield [...kept];
    },
    openLog: () => ({
      append: (lines) => void kept.push(...lines.split("\n").filter(Boolean)),
      close: async () => {},
    }),
    outcomes: () => outcomes.read(),
    addOutcomes: (all) => outcomes.add(all),
  };
}

function experiments(): ExperimentStore {
  const kept = new Map<ExperimentKind, string>();
  return {
    read: async (kind) => JSON.parse(kept.get(kind) ?? "null"),
    all: async () => Object.fromEntries([...kept].map(([kind, result]) => [kind, JSON.parse(result)])),
    async keep(result) {
      kept.set(result.experiment, JSON.stringify(result));
      return `memory: ${result.experiment}`;
    },
  };
}
