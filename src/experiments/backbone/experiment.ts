import { openAuditTable } from "../../analysis/audit-table.js";
import { readDecisionIds, readScoreColumns, SCORE_COLUMNS } from "../../analysis/score-table.js";
import type { AuditsPlace } from "../../app/find-audits.js";
import { InputError } from "../../core/errors.js";
import { ordinaryRuns } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { auditorNotes, keepResult, placeOf } from "../audits.js";
import type { Analysis } from "../slice.js";
import type { Step } from "../study/run/step.js";
import { backboneDocument, backboneFigures, type CrossedDecision, crossBackbones } from "./document.js";
import type { Backbone } from "./result.js";

const MIN_DECISIONS = 30;

export const backbone: Analysis<Backbone, { minDecisions: number }> = {
  audits: "there",
  options: {
    "--min-decisions <n>": ["decisions that a decider needs to be in the table", { whole: [2] }, MIN_DECISIONS],
  },
  examples: [
    "defensible experiment backbone",
    "defensible experiment backbone --run RUN_A --run RUN_B --md=backbone.md",
  ],
  more: "Without --run, the newest run of each auditor is taken. Deciders are told apart by `decider.id` of the decisions.",
  async run({ context, places }, { minDecisions }) {
    if (!context) {
      throw new InputError(
        "needs_workspace",
        "backbone: needs a workspace; got --audits",
        "Deciders are in the decisions of a workspace: import the decisions, audit them, and name runs.",
      );
    }
    return keepResult(context, await runBackbone({ context, places, minDecisions }));
  },
  document: backboneDocument,
};

/** In a study it uses existing runs: a study has only one auditor. */
export const backboneStep: Step = {
  name: "backbone",
  title: "deciders by auditors",
  needs: () => ["random"],
  run: async ({ runs }) =>
    runBackbone({ context: runs.context, places: [await runs.get("random")], minDecisions: MIN_DECISIONS }),
  numbers: [
    {
      id: "backbone.own",
      place: "Deciders by auditors",
      what: "DI, own family less others",
      unit: "points",
      digits: 3,
      step: "backbone",
      at: "/own/defensibility_index",
    },
  ],
};

interface BackboneRequest {
  context: Context;
  /** Runs, one for each auditor. If there is only one, the newest runs of the other auditors are added. */
  places: readonly AuditsPlace[];
  /** Deciders with fewer decisions are left out. */
  minDecisions: number;
}

/** Deciders by auditors: do auditors favour decisions of their own model family? */
async function runBackbone({ context, places: named, minDecisions }: BackboneRequest): Promise<Backbone> {
  const places = named.length > 1 ? named : await otherAuditors(context, named[0]!);
  const auditors = places.map(({ manifest }) => manifest!.auditor);
  if (new Set(auditors).size < auditors.length || auditors.length < 2) {
    throw new InputError(
      "one_auditor",
      `backbone: needs runs of two or more different auditors; got ${auditors.join(", ")}`,
      "Audit the same decisions with another auditor: `defensible audit --auditor NAME`.",
    );
  }
  const crossed = await crossedDecisions(context, places);
  const sizes = new Map<string, number>();
  for (const { decider } of crossed.decisions) sizes.set(decider, (sizes.get(decider) ?? 0) + 1);
  const deciders = [...sizes]
    .filter(([, size]) => size >= minDecisions)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([name]) => name);
  if (deciders.length < 2) {
    throw new InputError(
      "one_decider",
      `backbone: needs two or more deciders with ${minDecisions} decisions each that all auditors gave a verdict on; got ${deciders.length}`,
      "Import decisions with `decider.id`, let another model propose some (`defensible decide`), or lower --min-decisions.",
    );
  }
  const kept = crossed.decisions.filter(({ decider }) => deciders.includes(decider));
  const crossing = crossBackbones(kept, deciders, auditors);
  return {
    format: 1,
    experiment: "backbone",
    runs: places.map(({ manifest }) => manifest!.run_id).sort(),
    auditors: places.map(({ manifest }) => ({ auditor: manifest!.auditor, run_id: manifest!.run_id })),
    counts: {
      decisions: kept.length,
      communities: new Set(kept.map(({ community }) => community)).size,
      incomplete: crossed.incomplete,
      without_decider: crossed.withoutDecider,
      small: crossed.decisions.length - kept.length,
    },
    ...crossing,
    figures: backboneFigures(crossing),
    warnings: [...auditorNotes(auditors), ...settingNotes(places), ...designNotes(crossing.deciders)],
  };
}

/** The run, and the newest run of every other auditor. */
async function otherAuditors({ runs }: Context, first: AuditsPlace): Promise<AuditsPlace[]> {
  const places = new Map([[first.manifest!.auditor, first]]);
  for (const manifest of await ordinaryRuns(runs)) {
    if (!places.has(manifest.auditor)) places.set(manifest.auditor, await placeOf(runs, manifest));
  }
  return [...places.values()];
}

interface Crossed {
  decisions: CrossedDecision[];
  incomplete: number;
  withoutDecider: number;
}

/** Decisions with a known decider and a verdict in every run. */
async function crossedDecisions(context: Context, places: readonly AuditsPlace[]): Promise<Crossed> {
  interface Row {
    community: string;
    defensible: boolean[];
    ambiguous: boolean[];
  }
  const rows = new Map<string, Row>();
  for (const [a, place] of places.entries()) {
    await withDuckDB(async (db) => {
      const table = await openAuditTable(db, place.source, { actions: place.actions, also: SCORE_COLUMNS });
      const [columns, ids] = [await readScoreColumns(table), await readDecisionIds(table)];
      for (const [i, id] of ids.entries()) {
        const row = rows.get(id) ?? {
          community: columns.communities[columns.community[i]!]!,
          defensible: [],
          ambiguous: [],
        };
        rows.set(id, row);
        row.defensible[a] = columns.level[i] !== 3;
        row.ambiguous[a] = columns.inverse[i] === 1;
      }
    });
  }
  const found: Crossed = { decisions: [], incomplete: 0, withoutDecider: 0 };
  const isWhole = ({ defensible }: Row) => places.every((_, a) => defensible[a] !== undefined);
  for await (const batch of context.records.decisions()) {
    for (const { id, decider } of batch) {
      const row = rows.get(id);
      if (!row) continue;
      const name = decider?.id ?? decider?.kind;
      if (!isWhole(row)) found.incomplete += 1;
      else if (!name) found.withoutDecider += 1;
      else found.decisions.push({ decider: name, ...row });
    }
  }
  return found;
}

function settingNotes(places: readonly AuditsPlace[]): string[] {
  const differs = (["tier", "template", "temperature", "signal"] as const).filter(
    (name) => new Set(places.map(({ manifest }) => manifest![name])).size > 1,
  );
  const rules = new Set(places.map(({ manifest }) => manifest!.hashes.rules)).size > 1 ? ["rules"] : [];
  const all = [...differs, ...rules];
  return all.length === 0
    ? []
    : [`the runs differ in ${all.join(", ")} too, so that what they differ by is not the auditor alone`];
}

function designNotes(deciders: Backbone["deciders"]): string[] {
  return deciders.some(({ communities }) => communities === 1)
    ? ["a decider has decisions in one community only: deciders and communities cannot be told apart there"]
    : [];
}
