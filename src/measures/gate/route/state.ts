import { InputError } from "../../../core/errors.js";
import type {
  CommunityHarm,
  Evidence,
  Gate,
  GateKey,
  GateMode,
  GateState,
  Selective,
  Thresholds,
} from "../../../core/gate.js";
import type { Actions } from "../../../core/records/actions.js";
import type { ReadHashes } from "../../../core/records/audit.js";
import type { Decision } from "../../../core/records/decision.js";
import type { RouteEvidence } from "../../../core/records/route.js";
import type { ScoreRow } from "../../calibration/score-columns.js";
import { WITHHELD } from "../selective/choose-thresholds.js";
import type { RouteAudit } from "./input.js";
import type { NeverAutomate } from "./never-automate.js";

/** Everything that decides where decisions go. It never changes by itself: it depends on no clock and no files. */
export interface RouteState {
  /** null: there is no active gate. */
  gate: RouteGate | null;
  mode: GateMode;
  /** Automate by community alone, as the paper does: neither a score nor a verdict is required. */
  withoutScore: boolean;
  /** The kill switch. */
  closed: boolean;
  actions: Actions;
  /** null: there is no calibration, or it gives no probability. */
  calibration: RouteCalibration | null;
  /** Accept a score that is not calibrated for such audits. */
  force: boolean;
  /** Route without effect. */
  shadow: boolean;
  /** Ids that occur with different contents, so it is unclear which is meant. */
  contested?: ReadonlySet<string> | undefined;
  /** Share of the automatable decisions that are reviewed anyway. */
  reviewShare: number;
  /** A fixed, unpredictable number in [0, 1) for each decision; see `reviewFraction`. */
  fraction: (decisionId: string) => number;
  neverAutomate: NeverAutomate;
  /** Hashes of what an audit of the decision would read now; null if unknown. */
  reading: (decision: Decision, tier: string | null) => ReadHashes | null;
  /** Version of this program. */
  software: string;
}

export interface RouteCalibration {
  calibration_id: string;
  /** P(defensible), or null where the signals it needs are missing. */
  score: (row: ScoreRow) => number | null;
  /** Whether it was fitted on such audits. */
  fits: (audit: RouteAudit) => boolean;
}

export interface RouteCohort {
  state: GateState;
  suspended: boolean;
  /** Versions of the rules under which the cohort was audited; null: the gate does not record them. */
  rulesetVersions: ReadonlySet<string> | null;
  evidence: RouteEvidence;
  /** Absent: the gate does not limit harm. */
  harm?: CommunityHarm | undefined;
}

/** A gate, indexed for lookup. */
export interface RouteGate {
  gate_id: string | null;
  by: readonly GateKey[];
  evidence: Evidence | null;
  cohorts: ReadonlyMap<string, RouteCohort>;
  /** Made with the proven gate from a fixed start: only then does a pass in that mode certify a community. */
  certifies: boolean;
  selective: {
    score: "p_calibrated" | "p_defensible";
    calibration_id: string | null;
    /** By action, since a threshold for both may hold for one only because the other is easy. Equal if the gate does not separate actions. */
    thresholds: { restricting: RouteThresholds; other: RouteThresholds };
  } | null;
}

export interface RouteThresholds {
  threshold: number | null;
  /** Why there is no threshold. */
  reason: string | null;
  byCommunity: ReadonlyMap<string, number | null>;
  /** Communities without a certified threshold. */
  withheld: ReadonlySet<string>;
}

export function prepareGate(gate: Gate): RouteGate {
  const cohorts = new Map<string, RouteCohort>();
  for (const {
    community: cohort,
    n,
    indefensible,
    inverse_yes,
    passes,
    state,
    suspended,
    ...rest
  } of gate.communities) {
    if (cohorts.has(cohort)) {
      throw new InputError(
        "bad_gate_file",
        `gate: it has "${cohort}" twice`,
        "Make the gate anew with `defensible gate apply`.",
      );
    }
    const evidence = { cohort, n, indefensible, inverse_yes, passes, ...(suspended ? { suspended } : {}) };
    const rulesetVersions = rest.ruleset_versions ? new Set(rest.ruleset_versions) : null;
    cohorts.set(cohort, { state, suspended: suspended !== null, rulesetVersions, evidence, harm: rest.harm });
  }
  const { selective } = gate;
  return {
    gate_id: gate.gate_id ?? null,
    by: gate.by ?? ["community"],
    evidence: gate.evidence ?? null,
    cohorts,
    certifies: gate.mode === "certified" && !gate.span?.window_days,
    selective: selective
      ? {
          score: selective.score,
          calibration_id: selective.calibration_id,
          thresholds: thresholdsOf(selective),
        }
      : null,
  };
}

function thresholdsOf(selective: Selective): { restricting: RouteThresholds; other: RouteThresholds } {
  const { restricting: one, other: two } = selective.by_decision ?? { restricting: selective, other: selective };
  if (![selective, one, two].every(isWellFormed)) {
    const none = { threshold: null, reason: MALFORMED, byCommunity: new Map(), withheld: new Set<string>() };
    return { restricting: none, other: none };
  }
  const prepare = ({ threshold, reason, by_community, withheld }: Thresholds): RouteThresholds => ({
    threshold,
    reason,
    byCommunity: new Map(Object.entries(by_community)),
    withheld: new Set(withheld),
  });
  return { restricting: prepare(one), other: prepare(two) };
}

const MALFORMED = "the gate's thresholds are malformed";

/** A threshold must be a probability, or null with a reason. If an entry is neither, the whole object is rejected. */
function isWellFormed({ threshold, reason, by_community }: Thresholds): boolean {
  const isShare = (value: unknown) => typeof value === "number" && value >= 0 && value <= 1;
  const own = Object.values(by_community);
  return (
    (threshold === null ? reason !== null : isShare(threshold)) && own.every((one) => one === null || isShare(one))
  );
}

/** The gate stores no reason for a single community's threshold. */
const NO_OWN_THRESHOLD = "no threshold keeps the risk on the community's own decisions";

/** The threshold of a community: its own, which may be null, or the shared one for communities without their own. */
export function thresholdFor(
  { threshold, reason, byCommunity, withheld }: RouteThresholds,
  community: string,
): Pick<RouteThresholds, "threshold" | "reason"> {
  if (withheld.has(community)) return { threshold: null, reason: WITHHELD };
  const own = byCommunity.get(community);
  if (own === undefined) return { threshold, reason: threshold === null ? reason : null };
  return { threshold: own, reason: own === null ? NO_OWN_THRESHOLD : null };
}
