import type { KeyObject } from "node:crypto";
import type { RulesInForce } from "../../audit/rules-in-force.js";
import { ACTION_ARM, FLIP_ARM, STATED_ARM } from "../../core/names.js";
import { isRestricting, oppositeAction } from "../../core/records/actions.js";
import { type Audit, emptyTrace, type PartialTrace } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import { contentParts, contentText, type Decision } from "../../core/records/decision.js";
import { type RouteRecord, routeRecordSchema } from "../../core/records/route.js";
import { parsedJson } from "../../core/text-checks.js";
import { hashOf } from "../../evidence/canonical.js";
import type { Certificate, CertificateBasis } from "../../evidence/certificate.js";
import { buildCertificate } from "../../evidence/verify-certificate.js";
import { VERSION } from "../../io/machine.js";
import { statedRules } from "../../measures/grounding/stated-reason.js";
import type { Context } from "../../store/context.js";
import { unscrub } from "../../text/scrub/scrub.js";
import { showDecision } from "../find-audits.js";
import { Refusal } from "../notices.js";
import { Framing } from "./framing.js";

/** Why no certificate can be made: what the audit read is missing or has changed. */
export type CertifyRefusal =
  | { code: "decision_gone" | "erased" | "no_verdict" | "content_changed" | "decision_changed"; id: string }
  | { code: "rules_changed"; id: string; audited: string; found: string };

/** The certificate of one decision, from its audit in a run (default: the newest). */
export async function certify(
  context: Context,
  id: string,
  { run, key = null }: { run?: string; key?: KeyObject | null },
): Promise<Certificate> {
  const { decision, audits } = await showDecision(context, id, run);
  const own = audits.filter(({ arm }) => arm === "");
  const audit = own.find(({ outcome }) => outcome === "verdict");
  if (!decision) throw new Refusal<CertifyRefusal>({ code: "decision_gone", id });
  if (decision.erased) throw new Refusal<CertifyRefusal>({ code: "erased", id });
  if (!audit) throw new Refusal<CertifyRefusal>({ code: "no_verdict", id });
  if (audit.decision !== decision.decision) throw new Refusal<CertifyRefusal>({ code: "decision_changed", id });
  const { rules, frame, changed } = (await Framing.open(context, decision.community)).of(decision, audit);
  if (changed === "content_changed") throw new Refusal<CertifyRefusal>({ code: changed, id });
  if (changed === "rules_changed") {
    const audited = audit.ruleset_version ?? rules.version;
    throw new Refusal<CertifyRefusal>({ code: changed, id, audited, found: rules.version });
  }
  const others = audits.flatMap((one) => otherAction(context.config, decision, one));
  const basis = {
    ...(await basisOf(context, decision, audit, rules, frame)),
    draws: own.map(draw),
    ...(others.length > 0 && { other_actions: others }),
    ...givenReason(decision, frame, audits),
  };
  return buildCertificate(basis, key);
}

/** The audit's entry if it asks about another action; empty if it does not, or has no verdict. */
function otherAction(
  { actions }: Context["config"],
  { decision }: Decision,
  audit: Audit,
): NonNullable<CertificateBasis["other_actions"]> {
  const { arm, outcome, replicate, level = null, p_defensible = null } = audit;
  const isFlip = arm === FLIP_ARM;
  if (outcome !== "verdict" || !(isFlip || arm.startsWith(ACTION_ARM))) return [];
  const action = isFlip ? oppositeAction(actions, decision) : arm.slice(ACTION_ARM.length);
  const { logic_chain, policy_citation } = readTrace(audit);
  return [{ action, replicate, level, p_defensible, logic_chain, policy_citation, record: hashOf(audit) }];
}

/** The reason given by the decider, if the run audited it. */
function givenReason(
  { cited_rule = null, rationale = null }: Decision,
  frame: CaseFrame,
  audits: readonly Audit[],
): Pick<CertificateBasis, "stated_reason"> {
  const alone = audits.find(({ arm, replicate }) => arm === STATED_ARM && replicate === 0);
  if (!alone) return {};
  const { logic_chain, policy_citation } = readTrace(alone);
  return {
    stated_reason: {
      ...{ cited_rule, rationale, rules: statedRules({ cited_rule, rationale }, frame) ?? [] },
      ...{ level: alone.level ?? null, p_defensible: alone.p_defensible ?? null, logic_chain, policy_citation },
      record: hashOf(alone),
    },
  };
}

const draw = (audit: Audit): CertificateBasis["draws"][number] => ({
  replicate: audit.replicate,
  level: audit.level ?? null,
  inverse: audit.inverse ?? null,
  p_defensible: audit.p_defensible ?? null,
});

async function basisOf(
  context: Context,
  decision: Decision,
  audit: Audit,
  inForce: RulesInForce,
  frame: CaseFrame,
): Promise<Omit<CertificateBasis, "draws">> {
  const { actions } = context.config;
  const { language, kind } = contentParts(decision.content);
  const route = await lastRoute(context, decision.id);
  const active = await context.gate.active();
  const gate = active?.gate ?? null;
  const trace = readTrace(audit);
  const words = Object.values(trace).join("\n");
  const { weights } = await context.runs.manifest(audit.run_id);
  return {
    format: "defensible/certificate/1",
    made_at: context.now().toISOString(),
    software: `defensible ${VERSION}`,
    decision: {
      id: decision.id,
      community: decision.community,
      action: decision.decision,
      opposite: actions.all ? null : oppositeAction(actions, decision.decision),
      restricts: isRestricting(actions, decision.decision),
      decided_at: decision.decided_at ?? null,
      decider: decision.decider?.kind ?? null,
    },
    content: { text: contentText(decision.content), language: language ?? audit.language ?? null, kind },
    rules: {
      version: inForce.version,
      tier: audit.tier,
      rules: frame.rules.map(({ scope, id, title, text }) => {
        const set = inForce[scope];
        const url = set?.rules.find((rule) => rule.id === id)?.url ?? null;
        return { scope, id, version: set?.version ?? inForce.version, title, text, url };
      }),
      precedents: frame.precedents
        .filter(({ id }) => words.includes(id) || id === audit.citation?.rule_id)
        .map(({ id, text, decision: action, ruleId, rationale }) => ({
          ...{ id, text, decision: action, rule_id: ruleId, rationale },
        })),
    },
    audit: {
      run_id: audit.run_id,
      arm: audit.arm,
      replicate: audit.replicate,
      created_at: audit.created_at,
      auditor: audit.auditor,
      auditor_version: audit.auditor_version ?? null,
      prompt_version: audit.prompt_version ?? null,
      template: audit.template,
      temperature: audit.temperature,
      signal: audit.signal,
      flags: audit.flags,
      trace,
      verdict: {
        level: audit.level ?? null,
        inverse: audit.inverse ?? null,
        level_probs: audit.level_probs ?? null,
        inverse_yes_prob: audit.inverse_yes_prob ?? null,
        h_weight_bits: audit.h_weight_bits ?? null,
        h_citation_bits: audit.h_citation_bits ?? null,
        samples: audit.samples ?? null,
      },
      weights: weights && {
        ...{ alpha: weights.alpha, beta: weights.beta, gamma: weights.gamma, component: weights.component },
      },
      record: hashOf(audit),
    },
    calibration: await calibrationOf(context, route?.calibration_id ?? gate?.selective?.calibration_id ?? null),
    route: route && {
      at: route.at,
      route: route.route,
      reasons: route.reasons,
      mode: route.mode,
      gate_id: route.gate_id,
      calibration_id: route.calibration_id,
      score: route.score,
      threshold: route.threshold,
    },
    gate: gate && {
      gate_id: gate.gate_id ?? null,
      content_hash: active?.content_hash ?? null,
      mode: gate.mode,
      state: gate.communities.find(({ community }) => community === decision.community)?.state ?? null,
    },
    review: { appeal: decision.appeal?.outcome ?? null, outcomes: await outcomesOf(context, decision.id) },
  };
}

/** The trace, with the personal data that were hidden from the model restored. */
function readTrace({ trace, prompt }: Audit): PartialTrace & CertificateBasis["audit"]["trace"] {
  const hidden = prompt?.scrubbed ?? {};
  const read = { ...emptyTrace(), ...trace } as PartialTrace;
  const plain = (text: string | null | undefined) => (text ? unscrub(text, hidden) : (text ?? null));
  return {
    logic_chain: plain(read.logic_chain),
    policy_citation: plain(read.policy_citation),
    precedent_weight: read.precedent_weight ?? null,
    inverse_check: read.inverse_check ?? null,
    inverse_citation: plain(read.inverse_citation),
    defensibility_level: read.defensibility_level ?? null,
    level3_reason: read.level3_reason ?? null,
  };
}

async function lastRoute({ routes }: Pick<Context, "routes">, id: string): Promise<RouteRecord | null> {
  let last: RouteRecord | null = null;
  const needle = JSON.stringify(id);
  for await (const lines of routes.lines()) {
    for (const line of lines) {
      if (!line.includes(needle)) continue;
      const { success, data } = routeRecordSchema.safeParse(parsedJson(line));
      if (success && data.decision_id === id) last = data;
    }
  }
  return last;
}

async function calibrationOf({ calibrations }: Context, id: string | null): Promise<CertificateBasis["calibration"]> {
  if (id === null) return null;
  const found = (await calibrations.list()).find(({ calibration_id }) => calibration_id === id);
  if (!found?.model) return null;
  return { calibration_id: id, content_hash: found.content_hash ?? null, model: found.model };
}

async function outcomesOf({ routes }: Context, id: string): Promise<CertificateBasis["review"]["outcomes"]> {
  const found: CertificateBasis["review"]["outcomes"] = [];
  for await (const batch of routes.outcomes()) {
    for (const { decision_id, at, outcome, source, level, saw_audit } of batch) {
      if (decision_id !== id) continue;
      found.push({ at, outcome, source: source ?? null, level: level ?? null, saw_audit: saw_audit ?? null });
    }
  }
  return found;
}
