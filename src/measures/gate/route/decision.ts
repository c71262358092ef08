import type { Evidence } from "../../../core/gate.js";
import { isRestricting } from "../../../core/records/actions.js";
import { FLAGS, type ReadHashes } from "../../../core/records/audit.js";
import type { Decision } from "../../../core/records/decision.js";
import type { Route, RouteReason } from "../../../core/records/route.js";
import { wellFormed } from "../../../text/printable.js";
import { scoreRow } from "../../calibration/score-columns.js";
import { isAudit, isDecision, isMostlyIndefensible, type RouteAudit } from "./input.js";
import { mayBeMarked, neverAutomateReason } from "./never-automate.js";
import { cohortKey } from "./reasons.js";
import { type RouteCohort, type RouteState, thresholdFor } from "./state.js";
import { hasLookAlikeKeys } from "./unsafe-keys.js";

/**
 * Where a decision goes: `automate` only if nothing speaks against it, otherwise `review`, with all reasons. Anything missing, unknown, malformed
 * or inconsistent goes to review.
 * @param decision the input, which may be anything
 * @param audit the audit of this decision; null or undefined: there is no audit
 */
export function routeDecision(state: RouteState, decision: unknown, audit: unknown): Route {
  if (!isDecision(decision, state.actions)) return badDecision(state, decision);
  const reasons: RouteReason[] = [];
  const restricts = isRestricting(state.actions, decision.decision);
  if (state.closed) reasons.push("closed");
  const own = isAudit(audit) && isOf(decision, audit) ? audit : null;
  const cohort = cohortOf(state, decision, own);
  gateReasons(state, cohort, own, reasons);
  auditReasons(state, audit, own, reasons);
  const read = own?.read ?? null;
  const changed = read !== null && !isWhatWasRead(read, state.reading(decision, own!.tier ?? null));
  if (changed || state.contested?.has(decision.id)) reasons.push("content_changed");
  const scored = state.withoutScore ? UNSCORED : scoreOf(state, decision, own, restricts, reasons);
  caseReasons(decision, own, reasons);
  if (hasLookAlikeKeys(decision, own)) reasons.push("look_alike_key");
  const ruled = neverAutomateReason(state.neverAutomate, decision, own, restricts);
  if (ruled !== null) reasons.push(ruled);
  // In all other cases a decision without an audit goes to review anyway.
  else if (own === null && state.withoutScore && mayBeMarked(state.neverAutomate, decision.community)) {
    reasons.push("unresolved_citation");
  }
  return answer(state, decision, own, cohort, scored, reasons);
}

interface Scored {
  score: number | null;
  threshold: number | null;
  /** Why there is no threshold, if the gate gives a reason. */
  thresholdReason: string | null;
  calibrationId: string | null;
  forced: boolean;
}

const UNSCORED: Scored = { score: null, threshold: null, thresholdReason: null, calibrationId: null, forced: false };

function answer(
  state: RouteState,
  decision: Decision,
  audit: RouteAudit | null,
  cohort: RouteCohort | null | undefined,
  scored: Scored,
  reasons: RouteReason[],
): Route {
  const could = reasons.length === 0;
  const sampled = could && state.fraction(decision.id) < state.reviewShare;
  const automate = could && !sampled;
  if (sampled) reasons.push("random_review");
  if (automate) {
    reasons.push("community_passes", state.withoutScore ? "without_score" : "score_reaches_threshold");
    if (scored.forced) reasons.push("forced_calibration");
    if (audit && !audit.read) reasons.push("unverified_content");
  }
  if (state.shadow) reasons.unshift("shadow");
  const route: Route = {
    decision_id: decision.id,
    route: automate && !state.shadow ? "automate" : "review",
    reasons,
    community: decision.community,
    decision: decision.decision,
    community_state: cohort?.state ?? null,
    mode: state.mode,
    score: scored.score,
    threshold: scored.threshold,
    calibration_id: scored.calibrationId,
    gate_id: state.gate?.gate_id ?? null,
    evidence: cohort?.evidence ?? null,
    versions: {
      software: state.software,
      auditor: audit?.auditor ?? null,
      auditor_version: audit?.auditor_version ?? null,
      prompt_version: audit?.prompt_version ?? null,
      template: audit?.template ?? null,
      signal: audit?.signal ?? null,
      tier: audit?.tier ?? null,
      ruleset_version: audit?.ruleset_version ?? null,
    },
    would_automate: could,
    review_share: state.reviewShare,
  };
  if (decision.thread_id?.trim()) route.thread_id = decision.thread_id;
  if (audit?.language) route.language = audit.language;
  if (decision.decided_at) route.decided_at = decision.decided_at;
  if (scored.thresholdReason !== null) route.threshold_reason = scored.thresholdReason;
  if (sampled) route.sampled = true;
  if (state.shadow) {
    route.shadow = true;
    route.would_route = automate ? "automate" : "review";
  }
  return route;
}

/** Reported with its id if it has one, so that the caller can find it. */
function badDecision(state: RouteState, decision: unknown): Route {
  const id = typeof decision === "object" && decision !== null ? (decision as { id?: unknown }).id : null;
  return {
    decision_id: typeof id === "string" ? wellFormed(id) : null,
    route: "review",
    reasons: state.shadow ? ["shadow", "bad_decision"] : ["bad_decision"],
    community: null,
    decision: null,
    community_state: null,
    mode: state.mode,
    score: null,
    threshold: null,
    calibration_id: null,
    gate_id: state.gate?.gate_id ?? null,
    evidence: null,
    versions: { software: state.software },
    would_automate: false,
    review_share: state.reviewShare,
    ...(state.shadow ? { shadow: true, would_route: "review" as const } : {}),
  };
}

function auditReasons(state: RouteState, given: unknown, audit: RouteAudit | null, reasons: RouteReason[]): void {
  const isAbsent = given === null || given === undefined;
  if (!isAbsent && audit === null) reasons.push(isAudit(given) ? "other_decision" : "bad_audit");
  else if (state.withoutScore) return;
  else if (audit === null) reasons.push("no_audit");
  else if (audit.outcome === "error") reasons.push("audit_error");
  else if (audit.outcome === "unscored" || !hasVerdict(audit)) reasons.push("unscored");
  else if (audit.level === 3) reasons.push("indefensible");
  else if (isMostlyIndefensible(audit)) reasons.push("probably_indefensible");
}

function isWhatWasRead(read: ReadHashes, now: ReadHashes | null): boolean {
  return now !== null && read.content === now.content && read.rules === now.rules && read.precedents === now.precedents;
}

/** The gate was measured on audits without a special arm and of the first replicate. Accepting other audits would allow choosing between answers. */
function isOf(decision: Decision, audit: RouteAudit): boolean {
  return (
    audit.decision_id === decision.id &&
    audit.decision === decision.decision &&
    audit.community === decision.community &&
    (audit.arm ?? "") === "" &&
    (audit.replicate ?? 0) === 0
  );
}

function hasVerdict({ level, inverse }: RouteAudit): boolean {
  return level !== null && level !== undefined && inverse !== null && inverse !== undefined;
}

/** The decision's cohort; null: the gate does not have it; undefined: unknown without an audit. */
function cohortOf({ gate }: RouteState, decision: Decision, audit: RouteAudit | null): RouteCohort | null | undefined {
  if (gate === null) return null;
  if (audit === null && (gate.by.includes("rule") || gate.by.includes("language"))) return undefined;
  const { community, decision: action } = decision;
  const citation = audit?.citation ? { scope: audit.citation.scope, rule_id: audit.citation.rule_id ?? null } : null;
  const key = cohortKey(gate.by, { community, decision: action, language: audit?.language ?? null, citation });
  return gate.cohorts.get(key) ?? null;
}

function gateReasons(
  { gate, mode }: RouteState,
  cohort: RouteCohort | null | undefined,
  audit: RouteAudit | null,
  reasons: RouteReason[],
): void {
  if (gate === null) {
    reasons.push("no_gate");
    return;
  }
  if (cohort === null) reasons.push("unknown_community");
  else if (cohort) {
    if (cohort.state === "insufficient") reasons.push("insufficient");
    else {
      const passes = cohort.evidence.passes[mode];
      if (!passes) reasons.push("does_not_pass");
      if (cohort.harm && !cohort.harm.passes[mode]) reasons.push("harm_above_limit");
      if (passes && mode === "certified" && !gate.certifies) reasons.push("not_certified");
    }
    if (cohort.suspended) reasons.push("suspended");
  }
  if (audit !== null && !restsOnSuchAudits(gate.evidence, audit)) reasons.push("foreign_gate");
  const versions = cohort?.rulesetVersions ?? null;
  if (audit !== null && versions !== null && !versions.has(audit.ruleset_version ?? "")) reasons.push("rules_changed");
}

/** Rates from another auditor, prompt or rule depth say nothing about these audits. A value unknown on both sides does not count as a difference. */
function restsOnSuchAudits(evidence: Evidence | null, audit: RouteAudit): boolean {
  return (
    evidence !== null &&
    evidence.auditor === (audit.auditor ?? null) &&
    evidence.auditor_version === (audit.auditor_version ?? null) &&
    evidence.prompt_version === (audit.prompt_version ?? null) &&
    evidence.template === (audit.template ?? null) &&
    evidence.tier === (audit.tier ?? null)
  );
}

/** The score, the threshold it must reach, and any reasons why they cannot be compared. */
function scoreOf(
  { gate, calibration, force }: RouteState,
  { community }: Decision,
  audit: RouteAudit | null,
  restricts: boolean,
  reasons: RouteReason[],
): Scored {
  const selective = gate?.selective ?? null;
  const raw = selective?.score === "p_defensible";
  const scored: Scored = { score: null, threshold: null, thresholdReason: null, calibrationId: null, forced: false };
  if (selective !== null) {
    const { threshold, reason } = thresholdFor(selective.thresholds[restricts ? "restricting" : "other"], community);
    scored.threshold = threshold;
    scored.thresholdReason = reason;
  }
  if (raw) {
    // The threshold applies to an uncalibrated score.
    if (force) scored.forced = true;
    else reasons.push("missing_calibration");
    scored.score = audit?.p_defensible ?? null;
  } else if (calibration === null) {
    if (gate !== null) reasons.push("missing_calibration");
  } else {
    scored.calibrationId = calibration.calibration_id;
    if (audit !== null) {
      const other = selective !== null && selective.calibration_id !== calibration.calibration_id;
      if (other || !calibration.fits(audit)) {
        if (force) scored.forced = true;
        else reasons.push("foreign_calibration");
      }
      scored.score = finite(calibration.score(scoreRow(audit, restricts)));
    }
  }
  if (audit !== null && scored.score === null && (raw || calibration !== null)) reasons.push("no_score");
  if (gate !== null && scored.threshold === null) reasons.push("no_threshold");
  if (scored.score !== null && scored.threshold !== null && scored.score < scored.threshold) {
    reasons.push("below_threshold");
  }
  return scored;
}

function finite(score: number | null): number | null {
  return score !== null && Number.isFinite(score) ? score : null;
}

const KNOWN_FLAGS: ReadonlySet<string> = new Set(FLAGS);

/** Reasons against automation in the decision itself or in a remark of its audit. */
function caseReasons({ appeal, content }: Decision, audit: RouteAudit | null, reasons: RouteReason[]): void {
  const flags = audit?.flags ?? [];
  const media = typeof content === "object" && (content.media?.length ?? 0) > 0;
  if (appeal !== null && appeal !== undefined) reasons.push("appeal");
  if (media || flags.includes("unseen_media")) reasons.push("unseen_media");
  if (flags.includes("injection_suspected")) reasons.push("injection_suspected");
  if (flags.includes("content_cut")) reasons.push("content_cut");
  if (flags.includes("retroactive_rule")) reasons.push("retroactive_rule");
  if (flags.some((flag) => !KNOWN_FLAGS.has(flag))) reasons.push("unknown_flag");
}
