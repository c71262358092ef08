import { useDeferredValue, useMemo } from "react";
import { evaluateGate } from "../../src/measures/gate/evaluate-gate.js";
import { type CoverageRiskFrontier, coverageRiskFrontier, frontierGrid } from "../../src/measures/gate/frontier.js";
import type { GateEvaluation } from "../../src/measures/gate/gate-evaluation.js";
import { fitShrinkage, type ShrinkageFit } from "../../src/measures/gate/limits.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { gateOptions } from "../../src/present/figures/gate-modes.js";
import { rulesByCommunity } from "../../src/present/words/rule-texts.js";
import { type GateSettings, useGateSettings } from "./gate-settings.ts";
import { keepFew } from "./keep-few.ts";
import { usePage } from "./page-context.ts";

/** Frontiers cached at once: enough to go back to, but not every position of a slider. */
const MOST_FRONTIERS = 4;

interface Kept {
  fits: Partial<Record<GateSettings["variable"], ShrinkageFit>>;
  frontiers: Map<string, CoverageRiskFrontier>;
  /** The newest evaluation: two views of one page request the same. */
  last: { key: string; evaluation: GateEvaluation } | null;
}

const kept = new WeakMap<ReportPage, Kept>();

function keptFor(page: ReportPage): Kept {
  let found = kept.get(page);
  if (!found) {
    found = { fits: {}, frontiers: new Map(), last: null };
    kept.set(page, found);
  }
  return found;
}

/**
 * What `defensible gate` prints with these settings, by the same code. Without the frontier (`gateFrontier`), which takes longer and does not depend
 * on the limits. The fit of shrunk mode does not depend on them either and is made once.
 */
function gateEvaluation(page: ReportPage, settings: GateSettings): GateEvaluation {
  const own = keptFor(page);
  const key = JSON.stringify(settings);
  if (own.last?.key !== key) {
    const { cohorts, limits: shown } = page.gate_input;
    const { mode, ...changed } = settings;
    // The reader changes the rates; the harm limit is the gate's.
    const limits = { ...changed, harm_limit: shown.harm_limit };
    own.fits[settings.variable] ??= fitShrinkage(cohorts, settings.variable);
    const fit = own.fits[settings.variable];
    own.last = {
      key,
      evaluation: evaluateGate(cohorts, {
        ...gateOptions(page),
        limits,
        mode,
        fit,
        frontier: false,
        rulesByCohort: rulesByCommunity(page, settings.variable),
      }),
    };
  }
  return own.last.evaluation;
}

/** Coverage against risk over a grid of limits; depends on the minimum, on which ambiguity is limited, and on limits beyond the usual grid. */
function gateFrontier(page: ReportPage, settings: GateSettings): CoverageRiskFrontier {
  const { frontiers } = keptFor(page);
  const grid = frontierGrid(settings);
  const key = `${settings.min_decisions} ${settings.variable} ${grid.di.length} ${grid.ai.length}`;
  return keepFew(frontiers, key, MOST_FRONTIERS, () =>
    coverageRiskFrontier(page.gate_input.cohorts, { ...settings, harm_limit: page.gate_input.limits.harm_limit }, grid),
  );
}

export interface GateInUse {
  evaluation: GateEvaluation;
  /** The settings of `evaluation`. */
  settings: GateSettings;
  /** Newer settings are being computed: the numbers follow the slider with a delay. */
  stale: boolean;
}

/** The gate under the settings in the address. To keep a slider smooth, the result may lag one step behind. */
export function useGateEvaluation(): GateInUse {
  const page = usePage();
  const { settings: asked } = useGateSettings();
  const settings = useDeferredValue(asked);
  const evaluation = useMemo(() => gateEvaluation(page, settings), [page, settings]);
  return { evaluation, settings, stale: settings !== asked };
}

export function useGateFrontier(settings: GateSettings): CoverageRiskFrontier {
  const page = usePage();
  return useMemo(() => gateFrontier(page, settings), [page, settings]);
}
