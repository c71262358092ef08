import type { ResponseCache } from "../../audit/calls/caller.js";
import { newRunId } from "../../audit/identity.js";
import { decodeGeneration, encodeGeneration } from "../../auditors/recorded/generation-codec.js";
import type { StoredCalibration } from "../../core/calibration.js";
import { type Config, configSchema } from "../../core/config.js";
import type { Actions } from "../../core/records/actions.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { Label } from "../../core/records/label.js";
import type { Cohort } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { ReviewOutcome } from "../../core/records/truth.js";
import type { ExperimentKind } from "../../core/results/experiment.js";
import { trimGeneration } from "../../measures/signals/trim-generation.js";
import { chosenCalibration, identified, newestFirst } from "../calibrations.js";
import { checkCohortName, unknownCohort } from "../cohorts.js";
import type { Context } from "../context.js";
import type { Added, CalibrationStore, CohortStore, ExperimentStore, RouteStore } from "../ports.js";
import { canonicalRecord } from "../records/normalise.js";
import { ruleSetName } from "../records/parse-rule-set.js";
import { RECORD_KINDS, type RecordKind } from "../records/record-kinds.js";
import { memoryGate } from "./gate.js";
import { MemoryRunStore } from "./run-store.js";

const BATCH = 256;

/** Records of one kind in memory, as lines of JSON by their identity. */
class MemoryRecords<T extends object> {
  private readonly lines = new Map<string, string>();

  constructor(
    private readonly kind: RecordKind,
    private readonly actions: Actions,
  ) {}

  async *read(): AsyncGenerator<T[]> {
    const lines = [...this.lines.values()];
    for (let from = 0; from < lines.length; from += BATCH) {
      yield lines.slice(from, from + BATCH).map((line) => JSON.parse(line) as T);
    }
  }

  async add(records: readonly T[]): Promise<Added> {
    const counts: Added = { accepted: 0, duplicate: 0, conflict: 0 };
    for (const record of records) {
      const [name, line] = this.canonical(record);
      const there = this.lines.get(name);
      counts[there === undefined ? "accepted" : there === line ? "duplicate" : "conflict"] += 1;
      if (there === undefined) this.lines.set(name, line);
    }
    return counts;
  }

  /** Those that are there with exactly this content. */
  async remove(records: readonly T[]): Promise<number> {
    const gone = records
      .map((record) => this.canonical(record))
      .filter(([name, line]) => this.lines.get(name) === line);
    for (const [name] of gone) this.lines.delete(name);
    return gone.length;
  }

  /** Identity and line. */
  private canonical(record: T): [string, string] {
    const { fields, identity } = RECORD_KINDS[this.kind];
    const canonical = canonicalRecord(fields, record, this.actions);
    return [identity(canonical), JSON.stringify(canonical)];
  }
}

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

/** Answers in memory, in the form in which files have them. */
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
