import { type PairSide, type RunSettings, readPairedAudits } from "../../analysis/paired-audits.js";
import { InputError } from "../../core/errors.js";
import { auditSettings } from "../../core/names.js";
import type { Compare, CompareSide } from "../../core/results/compare.js";
import { compareRuns } from "../../measures/metrics/paired/compare-runs.js";
import { createRng } from "../../stats/random/create-rng.js";
import { type Duck, withDuckDB } from "../../store/files/duckdb.js";
import type { RunStore } from "../../store/ports.js";
import { type AuditsPlace, findAudits, type NamedAudits } from "../find-audits.js";

/** One of the two: where its audits are and what is known of the run. */
export interface CompareInput extends PairSide {
  /** Run id or name of the file. */
  name: string;
  run_id: string | null;
  /** From the manifest; null for a file, which is asked itself. */
  settings: (Partial<RunSettings> & Record<string, string | number | null>) | null;
}

export interface CompareInputs {
  seed: number;
  draws: number;
  sameActionOnly: boolean;
}

/** Compares two runs of a workspace, or audits files, on the decisions they share. `runs` null: both are files. */
export async function compareAudits(
  runs: RunStore | null,
  [a, b]: readonly [NamedAudits, NamedAudits],
  inputs: CompareInputs,
): Promise<Compare> {
  const [inputA, inputB] = [inputOf(await findAudits(runs, a)), inputOf(await findAudits(runs, b))];
  return withDuckDB((db) => buildCompare(db, inputA, inputB, inputs), { ordered: false });
}

function inputOf({ source, actions, label, manifest }: AuditsPlace): CompareInput {
  if (!manifest) return { name: label, run_id: null, settings: null, source, actions };
  const { run_id, samples = null, scrub = null, endpoint = null, hashes } = manifest;
  // What a run says of how it was made, and could differ in.
  const settings = { ...auditSettings(manifest), samples, scrub, endpoint };
  return {
    name: run_id,
    run_id,
    settings: { ...settings, rules: hashes.rules, precedents: hashes.precedents },
    source,
    actions,
  };
}

/** Compares two runs on the decisions they share; never two different sets of decisions. */
export async function buildCompare(
  db: Duck,
  a: CompareInput,
  b: CompareInput,
  { seed, draws, sameActionOnly }: CompareInputs,
): Promise<Compare> {
  const paired = await readPairedAudits(db, a, b, { sameActionOnly });
  if (paired.shared === 0) {
    throw new InputError(
      "nothing_shared",
      `compare: ${a.name} and ${b.name} share no decision; got ${paired.attempted[0]} and ${paired.attempted[1]} decisions, expected some with the same id in both`,
      "Audit the same decisions twice, for example by giving both runs the same cohort, or report on each run alone.",
    );
  }
  const comparison = compareRuns(paired.pairs, { rng: createRng(seed), draws });
  const compared = comparison.defensibility_index.difference.n;
  if (compared === 0) {
    throw new InputError(
      "nothing_compared",
      `compare: none of the ${paired.shared} shared decisions can be compared; ${paired.without_verdict} lack a verdict in one run${sameActionOnly ? `, ${paired.different_action} name different actions` : ""}`,
      "`defensible runs show ID` says how the audits of a run ended.",
    );
  }
  const settings = [a.settings ?? paired.settings[0], b.settings ?? paired.settings[1]] as const;
  return {
    format: 1,
    a: side(a, settings[0]),
    b: side(b, settings[1]),
    differs: differences(...settings),
    counts: {
      attempted_a: paired.attempted[0],
      attempted_b: paired.attempted[1],
      only_a: paired.only[0],
      only_b: paired.only[1],
      shared: paired.shared,
      without_verdict: paired.without_verdict,
      different_action: paired.different_action,
      different_community: paired.different_community,
      compared,
    },
    ...comparison,
    bootstrap: { seed, draws },
  };
}

type Settings = Record<string, string | number | null | undefined>;

function side({ name, run_id }: CompareInput, settings: Settings): CompareSide {
  return { name, run_id, ...settings };
}

/** Settings that differ. What one of the two does not say is not a difference. */
function differences(a: Settings, b: Settings): Compare["differs"] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names
    .map((setting) => ({ setting, a: a[setting] ?? null, b: b[setting] ?? null }))
    .filter((row) => row.a !== row.b && row.a !== null && row.b !== null);
}
