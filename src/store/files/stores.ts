import { existsSync } from "node:fs";
import { newRunId } from "../../audit/arms.js";
import { markOf, sweepTemporary } from "../../io/files.js";
import { readLines } from "../../io/read-lines.js";
import type { Context, Stores } from "../context.js";
import type { ErasureStore, GateStore, ImportStore, RouteLog as RouteLogPort, RouteStore, RunStore } from "../ports.js";
import { refuseReadOnly, writeProfile } from "./config-file.js";
import { readExperiment, readExperiments, writeExperiment } from "./experiment-store.js";
import {
  closeGates,
  gatePaths,
  openGates,
  putInForce,
  readClosure,
  readGateHistory,
  readGateInForce,
  readStanding,
  readWatch,
  recordGateEvents,
  withGateLock,
  writeStanding,
  writeWatch,
} from "./gate-files.js";
import {
  calibrationPath,
  deleteCohort,
  findCohort,
  listCalibrations,
  listCohorts,
  readCalibration,
  readCohort,
  readRatingKey,
  readWeights,
  sheetIds,
  surveyCalibrations,
  writeCalibration,
  writeCohort,
  writeRatingKey,
  writeWeights,
} from "./kept-results.js";
import { chainFiles, RouteLog } from "./log-files.js";
import {
  addRecords,
  RecordLog,
  RejectFile,
  removeRecords,
  renameActions,
  whileImporting,
  writeRuleSet,
} from "./record-store.js";
import { hashDecisions, isDecisionsFile, readDecisions, readLabels, readOutcomes, readPrecedents } from "./records.js";
import { openResponseCache } from "./response-cache.js";
import { readRuleSets, rulesMark } from "./rule-files.js";
import { FileLedger } from "./run-store.js";
import { readHasher, redactionKey, type Workspace } from "./workspace.js";

/** The stores of a workspace, as files in its folder. */
export function fileStores(workspace: Workspace): Stores {
  const { paths } = workspace;
  const runs = new FileLedger(paths.runs);
  return {
    runs,
    records: {
      decisions: () => readDecisions(workspace),
      precedents: () => readPrecedents(workspace),
      rules: () => readRuleSets(workspace),
      addDecisions: (decisions) => addRecords(workspace, "decisions", decisions),
      addPrecedents: (precedents) => addRecords(workspace, "precedents", precedents),
      hash: () => hashDecisions(workspace),
      snapshot: async () => ({ jsonl: paths.decisions, parquet: paths.decisionsParquet }),
      truth: async () => (existsSync(paths.truth) ? { path: paths.truth, format: "jsonl" } : null),
      isOwnFile: (path) => isDecisionsFile(workspace, path),
      rulesMark: () => rulesMark(workspace),
    },
    labels: {
      labels: () => readLabels(workspace),
      snapshot: async () => (existsSync(paths.labels) ? { path: paths.labels, format: "jsonl" } : null),
      add: (labels) => addRecords(workspace, "labels", labels),
      remove: (labels) => removeRecords(workspace, "labels", labels),
    },
    cohorts: {
      list: async () => listCohorts(workspace),
      find: async (name) => findCohort(workspace, name),
      read: async (name) => readCohort(workspace, name),
      keep: async (cohort) => writeCohort(workspace, cohort),
      delete: async (name) => deleteCohort(workspace, name),
    },
    calibrations: {
      list: async () => listCalibrations(workspace),
      survey: async () => surveyCalibrations(workspace),
      read: async (idOrName) => readCalibration(workspace, idOrName),
      keep: async (calibration) => writeCalibration(workspace, calibration),
      placeOf: (calibration) => calibrationPath(workspace, calibration),
      weights: async () => readWeights(workspace),
      keepWeights: async (weights) => writeWeights(workspace, weights),
    },
    gate: fileGate(workspace),
    routes: routesOf(workspace),
    experiments: {
      read: (kind) => readExperiment(workspace, kind),
      all: () => readExperiments(workspace),
      keep: async (result) => writeExperiment(workspace, result),
    },
    imports: importsOf(workspace),
    sheets: {
      list: async () => sheetIds(workspace),
      key: async (sheetId) => readRatingKey(workspace, sheetId),
      keep: async (key) => writeRatingKey(workspace, key),
    },
    chain: chainFiles(workspace),
    erasure: erasureOf(workspace, runs),
    openHasher: async () => readHasher(workspace),
    findHasher: async () => (existsSync(paths.contentKey) ? readHasher(workspace) : null),
    redactionKey: async () => redactionKey(workspace),
    async sweep() {
      for (const folder of [workspace.root, paths.runs, paths.cache]) sweepTemporary(folder);
    },
    openCache: (tell) => openResponseCache(paths.cache, tell),
  };
}

/** The log of routings in a given file. */
export function routeLogAt(path: string): RouteLogPort {
  return new RouteLog(path);
}

/** A context with its folder, for use cases that still read or write files directly. */
export interface FileContext extends Context {
  workspace: Workspace;
}

export function fileContext(workspace: Workspace, now: () => Date = () => new Date()): FileContext {
  return { ...fileStores(workspace), workspace, config: workspace.config, now, newId: newRunId };
}

/** Loaded on demand, because few commands erase. */
function erasureOf(workspace: Workspace, runs: RunStore): ErasureStore {
  const store = async () => (await import("./erasure/erase-files.js")).fileErasure(workspace, runs);
  return {
    buried: () => chainFiles(workspace).buried(),
    known: async (ids) => (await store()).known(ids),
    find: async (ids) => (await store()).find(ids),
    bury: async (ids, eraser) => (await store()).bury(ids, eraser),
    erase: async (ids, eraser) => (await store()).erase(ids, eraser),
  };
}

function importsOf(workspace: Workspace): ImportStore {
  return {
    withImportLock: (work) => whileImporting(workspace, work),
    async renamed(actions, dryRun) {
      const renamed = renameActions(workspace, actions, dryRun);
      const { records, imports } = fileStores(renamed);
      return { records, imports, config: renamed.config };
    },
    open: (kind, dryRun) => RecordLog.open(workspace, kind, dryRun),
    addRules: async (set, text) => writeRuleSet(workspace, set, text),
    checkProfiles: async () => refuseReadOnly(workspace.paths.config),
    keepProfile: async (name, profile) => writeProfile(workspace.paths.config, name, profile),
    openRejects: (file, stamp) => new RejectFile(workspace, file, stamp),
  };
}

/** The gate only needs the folder, so that an error in the settings cannot prevent closing it. */
export function fileGate(workspace: Pick<Workspace, "paths">): GateStore {
  const { current, state, closed } = gatePaths(workspace);
  const store: GateStore = {
    withGateLock: (work) => withGateLock(workspace, () => work(store)),
    active: async () => readGateInForce(workspace),
    activate: async (gate) => putInForce(workspace, gate),
    standing: async () => readStanding(workspace),
    keepStanding: async (standing) => writeStanding(workspace, standing),
    marks: () => ({ gate: `${markOf(current)},${markOf(state)}`, closure: markOf(closed) }),
    closure: async () => readClosure(workspace),
    close: (closure, actor) => closeGates(workspace, closure, actor),
    open: (at, who) => openGates(workspace, at, who),
    watch: async () => readWatch(workspace),
    keepWatch: async (watch) => writeWatch(workspace, watch),
    history: () => readGateHistory(workspace),
    record: (events) => recordGateEvents(workspace, events),
  };
  return store;
}

function routesOf(workspace: Workspace): RouteStore {
  const path = gatePaths(workspace).routes;
  return {
    async *lines() {
      if (!existsSync(path)) return;
      for await (const lines of readLines(path)) yield lines.map(({ text }) => text);
    },
    openLog: () => new RouteLog(path),
    outcomes: () => readOutcomes(workspace),
    openAppeals: async () => new Set(),
    addOutcomes: (outcomes) => addRecords(workspace, "outcomes", outcomes),
  };
}
