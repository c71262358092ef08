import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { loadLabelTargets, TARGETS } from "../../analysis/labels/label-sample.js";
import {
  countFamilies,
  type FamilyCount,
  loadTrueVerdicts,
  type TruthSource,
} from "../../analysis/labels/true-verdicts.js";
import {
  countRepeats,
  type RepeatCount,
  type ReplicateColumns,
  readReplicates,
} from "../../analysis/replicate-columns.js";
import {
  armSizes,
  readBeside,
  readSignalColumns,
  SIGNAL_COLUMNS,
  type SignalColumns,
} from "../../analysis/signal-columns.js";
import { humanPairs } from "../../analysis/signal-counts.js";
import type { AuditsPlace } from "../../app/find-audits.js";
import { InputError } from "../../core/errors.js";
import type { Figure } from "../../core/figure.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { ExperimentKind, ExperimentResults } from "../../core/results/experiment.js";
import type { PairTally } from "../../measures/metrics/paired/compare-runs.js";
import { wideInterval } from "../../present/words/numbers.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { auditorNotes, keepResult, type ReferencePlaces, referencePlaces } from "../audits.js";
import { LEAST_REPLICATES } from "../signal/sampling.js";
import type { Analysis } from "../slice.js";
import { drawing, type Step } from "../study/run/step.js";
import { gapChannel, humanChannel, labelChannel, ruleChannel } from "./channels.js";
import { circularityDocument } from "./document.js";
import type { Channel, Circularity } from "./result.js";
import { type ConvergenceEvidence, convergenceChannel, truthChannel } from "./truth-channel.js";

const MARGIN = 0.05;

export const circularity: Analysis<Circularity, { margin: number }> = {
  audits: "there",
  options: {
    "--margin <share>": ["differences of rates smaller than this count as none", { share: [0.001, 0.5] }, MARGIN],
  },
  examples: ["defensible experiment circularity", "defensible experiment circularity --run RUN_ID --md=circularity.md"],
  more: "Kept results of `humans report`, `rules tiers`, `stability` and `validate` are read where they exist.",
  async run({ context, places }, { margin }) {
    if (places.length > 1) {
      throw new InputError("one_run", `circularity: is about one run; got ${places.length}`, "Name one of them.");
    }
    const result = await runCircularity({ place: places[0], context, margin });
    return keepResult(context, result);
  },
  document: circularityDocument,
};

export const circularityStep: Step = {
  name: "circularity",
  title: "circularity",
  needs: () => ["random"],
  async run(context) {
    const { runs } = context;
    const place = await runs.get("random");
    return runCircularity({ place, context: runs.context, margin: MARGIN, ...drawing(context) });
  },
};

export interface CircularityRequest {
  place: AuditsPlace;
  /** null: a file, which allows only the channels within it. */
  context: Context | null;
  /** Differences of rates smaller than this count as zero. */
  margin: number;
}

/** The channels, from a run and, for evidence that it lacks, from kept results of other experiments with the same auditor. */
export async function runCircularity(request: CircularityRequest): Promise<Circularity> {
  const { place, context, margin } = request;
  const runs = place.manifest ? [place.manifest.run_id] : [];
  const places = context && (await referencePlaces(context, place));
  const own = await withTable(place, (table) => readOwnEvidence(table, places));
  const humans = await keptEvidence(context, "humans", place);
  const stability = await keptEvidence(context, "stability", place, { sameTier: true });
  const tiers = await keptEvidence(context, "tiers", place);
  const ofTiers = tiers.found ? await withTable(tiers.found.run, countRepeats) : [];
  const repeats = ofTiers.length > 0 ? ofTiers : own.repeats;
  const channels = [
    gapChannel({ families: own.families, humans: own.humans, margin, runs }),
    humans.found
      ? humanChannel(humans.found.result)
      : labelChannel(own.labels && { ...own.labels, runs }, humans.because),
    ruleChannel(tiers.found?.result ?? null, repeats, margin, tiers.because),
    convergenceChannel(
      own.replicates
        ? { ...own.replicates, runs, kept: false, weights: place.manifest?.weights }
        : await keptReplicates(stability),
      stability.because,
    ),
    truthChannel({
      truth: own.truth,
      families: own.families,
      margin,
      runs,
      validate: context && (await context.experiments.read("validate")),
    }),
  ];
  const source = { name: place.label, run_id: runs[0] ?? null, auditor: place.manifest?.auditor ?? null };
  return circularityOf({ source, channels, margin });
}

function withTable<T>(
  place: Pick<AuditsPlace, "source" | "actions">,
  work: (table: AuditTable) => Promise<T>,
): Promise<T> {
  return withDuckDB(async (db) =>
    work(await openAuditTable(db, place.source, { actions: place.actions, also: SIGNAL_COLUMNS })),
  );
}

/** The replicates of a kept stability experiment. */
async function keptReplicates({ found }: KeptEvidence<unknown>): Promise<ConvergenceEvidence | null> {
  const replicates = found && (await withTable(found.run, readReplicated));
  return (
    replicates && { ...replicates, runs: [found.run.manifest.run_id], kept: true, weights: found.run.manifest.weights }
  );
}

interface CircularityInputs {
  source: Circularity["source"];
  channels: Channel[];
  margin: number;
}

export function circularityOf({ source, channels, margin }: CircularityInputs): Circularity {
  const runs = [...new Set(channels.flatMap((channel) => channel.source.runs))].sort();
  return {
    format: 1,
    experiment: "circularity",
    runs,
    source,
    margin,
    channels,
    figures: [channelFigure(channels)],
    warnings: auditorNotes([source.auditor]),
  };
}

function channelFigure(channels: readonly Channel[]): Figure {
  const count = (verdict: Channel["verdict"]) => channels.filter((channel) => channel.verdict === verdict).length;
  return {
    id: "circularity",
    title: `${count("supports")} of ${channels.length} channels speak for the indices, ${count("does_not_support")} against, ${count("cannot_tell")} cannot tell, ${count("not_available")} not tried`,
    mark: "point",
    x: { field: "value", label: "estimate, in the test's own unit", format: "decimal" },
    y: { field: "test", label: "test" },
    series: "channel",
    choose: ["unit"],
    title_of_all: true,
    references: [{ axis: "x", value: 0, label: "no difference" }],
    caption:
      "Differences of rates and rates are fractions; correlations, areas under curves (0.5 is chance) and ratios (1: no difference) in their own unit.",
    rows: channels.flatMap(({ channel, tests }) =>
      tests.map(({ name, unit, value, verdict }) => {
        const interval = wideInterval(value);
        return {
          channel,
          test: name,
          unit,
          value: value.estimate,
          lower: interval?.lower ?? null,
          upper: interval?.upper ?? null,
          verdict,
        };
      }),
    ),
  };
}

/** Evidence in the run itself, or in what its workspace knows of the decisions. */
interface OwnEvidence {
  truth: TruthSource | null;
  families: FamilyCount[];
  humans: PairTally[] | null;
  labels: { columns: SignalColumns; labels: Uint8Array } | null;
  replicates: { columns: ReplicateColumns; arm: string } | null;
  /** The same text audited twice. */
  repeats: RepeatCount[];
}

async function readOwnEvidence(table: AuditTable, places: ReferencePlaces | null): Promise<OwnEvidence> {
  const truth = places && (await loadTrueVerdicts(table, places));
  return {
    truth,
    families: await countFamilies(table, truth !== null),
    humans: await humanPairs(table),
    labels: places && (await readLabels(table, places)),
    replicates: await readReplicated(table),
    repeats: await countRepeats(table),
  };
}

async function readLabels(
  table: AuditTable,
  { labels: given, runId }: ReferencePlaces,
): Promise<OwnEvidence["labels"]> {
  if (!given) return null;
  const count = await loadLabelTargets(table, given, { source: "human", runId });
  if (count.n === 0) return null;
  const columns = await readSignalColumns(table, "");
  const labels = Uint8Array.from(await readBeside(table, columns, "", TARGETS, "b.level"), (one) => one || 0);
  return { columns, labels };
}

/** The arm with the most replicates, if any has enough. Among equals: the plain one, or the coldest. */
async function readReplicated(table: AuditTable): Promise<OwnEvidence["replicates"]> {
  const arms = (await armSizes(table)).filter(
    // Other arms change the question, not only the draw.
    ({ arm, most }) => most >= LEAST_REPLICATES && /^(t=[0-9.]+)?$/.test(arm),
  );
  const best = arms.reduce<(typeof arms)[number] | null>((a, b) => (a && a.most >= b.most ? a : b), null);
  if (!best) return null;
  const columns = await readReplicates(table, best.arm, LEAST_REPLICATES);
  return columns.decisions >= 3 ? { columns, arm: best.arm } : null;
}

/** A kept result and its run, or why it does not apply to the run in question; both null: there is no kept result. */
interface KeptEvidence<T> {
  found: { result: T; run: AuditsPlace & { manifest: Manifest } } | null;
  because: string | null;
}

/** A kept result of the auditor in question; another auditor's is no evidence about it. `sameTier`: the text must be the same too. */
export async function keptEvidence<Kind extends ExperimentKind>(
  context: Pick<Context, "runs" | "experiments"> | null,
  kind: Kind,
  { manifest }: Pick<AuditsPlace, "manifest">,
  { sameTier = false } = {},
): Promise<KeptEvidence<ExperimentResults[Kind]>> {
  const result = context && (await context.experiments.read(kind));
  if (!context || !result || !manifest) return { found: null, because: null };
  const runs = (await context.runs.list()).filter(({ run_id }) => result.runs.includes(run_id));
  // Newest first.
  runs.sort((a, b) => (a.run_id < b.run_id ? 1 : -1));
  const own = runs.find((run) => isOf(run, manifest, sameTier));
  if (own) {
    const { run_id, actions } = own;
    const run = { source: await context.runs.snapshot(run_id), actions, label: `run ${run_id}`, manifest: own };
    return { found: { result, run }, because: null };
  }
  return { found: null, because: reason(kind, runs[0], manifest, sameTier) };
}

function isOf(run: Manifest, asked: Manifest, sameTier: boolean): boolean {
  return (
    run.auditor === asked.auditor &&
    run.auditor_version === asked.auditor_version &&
    (!sameTier || run.tier === asked.tier)
  );
}

function reason(kind: ExperimentKind, run: Manifest | undefined, asked: Manifest, sameTier: boolean): string {
  const kept = `the kept result of experiment ${kind}`;
  if (!run) return `${kept} is of files, or of runs that are gone, so that it is not known whose audits it is of`;
  const name = ({ auditor, auditor_version: version, tier }: Manifest) =>
    [
      `auditor ${auditor}`,
      ...(run.auditor === asked.auditor && run.auditor_version !== asked.auditor_version ? [`version ${version}`] : []),
      ...(sameTier && run.tier !== asked.tier ? [`under tier ${tier}`] : []),
    ].join(" ");
  return `${kept} is of run ${run.run_id} by ${name(run)}, and this run is by ${name(asked)}`;
}
