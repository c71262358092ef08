import type { Truth } from "../../core/records/label.js";
import type { SimulatedAuditor } from "../../core/results/simulated-auditor.js";
import type { ScoreColumns } from "../../measures/calibration/score-columns.js";
import { cellIndex, emptyTally, type Tally, type TallyScope } from "../../measures/metrics/tally.js";
import { labelConfidence, probabilisticDefensibilitySignal, weightEntropy } from "../../measures/signals/components.js";
import type { Weights } from "../../measures/signals/weights.js";
import { compileAuditor, drawAudit, type SimulatedDraw } from "../../simulation/auditor/draw-audit.js";
import { readCase } from "../../simulation/auditor/read-case.js";
import { citationSignals } from "../../simulation/auditor/token-entropies.js";
import type { ExpectedRates } from "../../simulation/world/level-shares.js";
import { createRng } from "../../stats/random/create-rng.js";

/** The fields of a simulated decision that estimators need. */
export interface WorldCase {
  decisionId: string;
  positive: boolean;
  humanPositive: boolean | null;
  truth: Truth;
}

export interface WorldCommunity {
  name: string;
  /** Its long-run rates. */
  expected: ExpectedRates;
  /** Share of the platform among the rules that apply. */
  platformRules: number;
  cases: WorldCase[];
}

/** The auditor of a condition: its settings, and whether deciders are of its family. */
export interface Condition {
  name: string;
  auditor: SimulatedAuditor;
  sameFamily: boolean;
}

/** A world as an auditor sees it: counts for the rates, columns for the scores, with the truth as the columns' target. */
export interface AuditedWorld {
  tallies: Tally[];
  columns: ScoreColumns & { targetLevel: Uint8Array };
  /** Every case with a verdict, with its truth. */
  audits: { community: number; truth: Truth; level: 1 | 2 | 3; inverse: boolean }[];
}

const SHOWN = { tier: "wiki", scopes: "both", opposite: false, precedents: true } as const;

/** Audits every case of a world once, in memory, with the draws of `--auditor simulated`. */
export function auditWorld(
  communities: readonly WorldCommunity[],
  { auditor: settings, sameFamily }: Condition,
  options: { temperature: number; weights: Weights; seed: number },
): AuditedWorld {
  const auditor = compileAuditor(settings);
  const total = communities.reduce((sum, { cases }) => sum + cases.length, 0);
  const columns = emptyColumns(total, communities);
  const tallies = communities.map(({ name }) => emptyTally(name));
  const audits: AuditedWorld["audits"] = [];
  communities.forEach(({ cases, platformRules }, community) => {
    for (const one of cases) {
      const reading = readCase(
        { decisionId: one.decisionId, truth: one.truth, sameFamily, shown: SHOWN },
        auditor,
        options.temperature,
      );
      const draw = drawAudit(reading, auditor, createRng(`${options.seed}:${one.decisionId}::0`));
      if (draw.fault === "refusal" || draw.fault === "truncation") {
        tallies[community]!.unscored++;
        continue;
      }
      const level = (draw.level + 1) as 1 | 2 | 3;
      const { positive, humanPositive, truth } = one;
      const scope = citedScope(draw, truth, reading.rulePlace < platformRules);
      const cell = cellIndex({ positive, humanPositive, level, inverse: draw.inverse, scope });
      tallies[community]!.cells[cell]! += 1;
      audits.push({ community, truth, level, inverse: draw.inverse });
      addRow(columns, draw, { community, positive, level, truth, ...options });
    }
  });
  return { tallies, columns, audits };
}

/** The scope that the trace cites: that of the case's own rule if the trace cites it correctly, else that of any rule. */
function citedScope({ citation }: SimulatedDraw, { rule }: Truth, platform: boolean): TallyScope {
  if (citation === "invented") return "none";
  if (citation === "own" && rule) return rule.scope;
  return platform ? "platform" : "community";
}

interface Row {
  community: number;
  positive: boolean;
  level: number;
  truth: Truth;
  temperature: number;
  weights: Weights;
}

function addRow(columns: AuditedWorld["columns"], draw: SimulatedDraw, row: Row): void {
  const i = columns.n;
  const confidence = labelConfidence(draw.levelProbs);
  const yes = 1 / (1 + Math.exp(-draw.inverseLogOdds));
  const weightBits = draw.fault === "missing" ? null : weightEntropy(draw.weightProbs);
  const citationBits = citationSignals(draw.citationBits, CITATION_TOKENS).bits;
  const pds = probabilisticDefensibilitySignal(
    {
      lambda_nats: confidence.lambda_nats,
      h_weight_bits: weightBits,
      h_citation_bits: citationBits,
      inverse_yes_prob: yes,
    },
    row.weights,
  );
  columns.level[i] = row.level;
  columns.levelMap[i] = confidence.level;
  columns.inverse[i] = draw.inverse ? 1 : 0;
  columns.positive[i] = row.positive ? 1 : 0;
  [columns.p1[i], columns.p2[i], columns.p3[i]] = draw.levelProbs;
  columns.lambdaNats[i] = confidence.lambda_nats;
  columns.weightBits[i] = weightBits ?? Number.NaN;
  columns.citationBits[i] = citationBits;
  columns.inverseLogOdds[i] = draw.inverseLogOdds;
  columns.inverseYesProb[i] = yes;
  columns.pds[i] = pds ?? Number.NaN;
  columns.pDefensible[i] = Math.min(1, draw.levelProbs[0] + draw.levelProbs[1]);
  columns.temperature[i] = row.temperature;
  columns.community[i] = row.community;
  columns.targetLevel[i] = row.truth.level;
  columns.n = i + 1;
}

/** Tokens of a citation. Entropies are means, so their number hardly matters. */
const CITATION_TOKENS = 25;

function emptyColumns(size: number, communities: readonly Pick<WorldCommunity, "name">[]): AuditedWorld["columns"] {
  const numbers = () => new Float64Array(size);
  const bytes = () => new Uint8Array(size);
  return {
    n: 0,
    level: bytes(),
    levelMap: bytes(),
    inverse: bytes(),
    positive: bytes(),
    p1: numbers(),
    p2: numbers(),
    p3: numbers(),
    lambdaNats: numbers(),
    weightBits: numbers(),
    citationBits: numbers(),
    inverseLogOdds: numbers(),
    inverseYesProb: numbers(),
    pds: numbers(),
    pDefensible: numbers(),
    temperature: numbers(),
    community: new Int32Array(size),
    communities: communities.map(({ name }) => name),
    targetLevel: bytes(),
  };
}

type Columns = AuditedWorld["columns"];

/** The rows of several worlds as one table; communities of different worlds stay distinct. */
export function joinColumns(worlds: readonly Columns[]): Columns {
  const names = worlds.flatMap(({ communities }, number) => communities.map((name) => ({ name: `${number}/${name}` })));
  const size = worlds.reduce((sum, world) => sum + world.n, 0);
  const joined = emptyColumns(size, names);
  let communities = 0;
  for (const world of worlds) {
    for (const [name, column] of Object.entries(joined)) {
      if (ArrayBuffer.isView(column))
        (column as Rows).set((world[name as keyof Columns] as Rows).subarray(0, world.n), joined.n);
    }
    for (let i = 0; i < world.n; i++) joined.community[joined.n + i]! += communities;
    communities += world.communities.length;
    joined.n += world.n;
  }
  return joined;
}

type Rows = Float64Array | Uint8Array | Int32Array;
