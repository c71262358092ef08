import { HUMAN_ARM } from "../../analysis/signal-counts.js";
import {
  type Arm,
  actionArm,
  checkAbilities,
  type Flips,
  hashList,
  OPPOSITE_ARM,
  PLAIN_ARM,
  promptVersionFor,
  type RunSettings,
  STATED_REASON_ARM,
} from "../../audit/arms.js";
import type { DecisionSource } from "../../audit/rules-in-force.js";
import type { Auditor, Capabilities } from "../../auditors/auditor.js";
import { InputError } from "../../core/errors.js";
import { type Actions, actionNames, isRestricting } from "../../core/records/actions.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { Manifest, RunCounts } from "../../core/records/manifest.js";
import { HashSample } from "../../store/cohorts.js";
import type { Context } from "../../store/context.js";
import type { RecordStore, RuleFile } from "../../store/ports.js";
import { checkVersions, findUnusedRules, unusedRulesText } from "../import/check-rule-sets.js";
import { type Notice, Refusal } from "../notices.js";
import { type AuditRequest, nothingToAudit, selectDecisions } from "./audit-request.js";
import { estimateRun, type RunEstimate } from "./estimate.js";
import { newManifest } from "./new-manifest.js";
import { type Plan, planRun, type TaskSettings } from "./plan.js";
import { type Conditions, prepareConditions, settingsOf, weightsFor } from "./run-tools.js";

/** Refuses a run if no rule applies to any decision, overall or in one of the compared conditions. */
export function checkAnyRules(plan: Plan, arms: readonly Arm[]): void {
  if (plan.underRules === 0) {
    throw new InputError(
      "no_rules",
      `rules: none is in force for ${plan.decisions === 1 ? "the decision" : `any of the ${plan.decisions} decisions`} selected, so nothing can be derived`,
      "Import the rules with `defensible import rules.yaml`; a community's rule set names its community as the decisions do.",
    );
  }
  const bare = arms.find(({ name }) => plan.questions.get(name)?.size === 0);
  if (!bare) return;
  const shown = bare.scope ? `${bare.scope} rule is in force for` : `rule is shown under "${bare.name}" of`;
  throw new InputError(
    "no_rules",
    `rules: no ${shown} any of the decisions selected, so there is nothing to compare`,
    `Import the missing rules with \`defensible import rules.yaml\`, or select decisions that have some.`,
  );
}

/** Refuses rules that apply to no decision, and two versions of a rule set that start on the same date (or both without one). */
export async function checkRuleSets(
  records: RecordStore,
  files: readonly RuleFile[],
  known: Iterable<string>,
  allowUnused: boolean,
): Promise<void> {
  checkVersions(files);
  if (allowUnused) return;
  const unused = await findUnusedRules(
    records,
    files.map(({ set }) => set),
    known,
  );
  if (unused.length === 0) return;
  throw new InputError(
    "unused_rules",
    `rules: ${unusedRulesText(unused)}`,
    "Write `community:` as the decisions do, import the decisions that are missing, or allow unused rules.",
  );
}

/** What to report before anything is paid for: communities that have only the platform's rules, and decisions without any rule. */
function rulesNotices({ decisions, underRules, withoutRules, withoutAnyRules }: Plan): Notice[] {
  const bare = new Set(withoutAnyRules);
  const platformOnly = withoutRules.filter((community) => !bare.has(community));
  const notices: Notice[] = [];
  if (platformOnly.length > 0) notices.push({ code: "platform_rules_only", communities: platformOnly });
  const none = decisions - underRules;
  if (none > 0) notices.push({ code: "no_rules", decisions: none, of: decisions, communities: withoutAnyRules });
  return notices;
}

/** A prepared run: everything known before a call is made or a file is written. */
export interface Prepared {
  context: Context;
  request: AuditRequest;
  settings: Omit<RunSettings, "runId">;
  source: DecisionSource;
  conditions: Conditions;
  /** Groups of arms in the order in which they run: the requested ones, then alternatives, stated reasons and the flip control, if any. */
  parts: readonly (readonly Arm[])[];
  wanted: TaskSettings;
  plan: Plan;
  /** The manifest to use if a new run is started. */
  draft: Manifest;
}

/** Reads the workspace and checks the request. Writes nothing and calls no model. */
export async function prepare(context: Context, request: AuditRequest): Promise<Prepared> {
  const { auditor, scrub, arms: asked = [PLAIN_ARM] } = request;
  checkArms(asked, request);
  const { actions } = context.config;
  const flip = request.experiment ? 0 : (request.flip ?? 0);
  const others = alternativeArms(actions, request);
  const stated = request.statedReasons && !request.experiment ? [STATED_REASON_ARM] : [];
  const own = [...asked, ...others, ...stated];
  const arms = flip > 0 ? [...own, OPPOSITE_ARM] : own;
  checkArmAbilities(arms, request, null);
  const { records } = context;
  const ruleFiles = await records.rules();
  const ruleSets = ruleFiles.map(({ set }) => set);
  const precedents: Precedent[] = [];
  for await (const batch of records.precedents()) precedents.push(...batch);
  const settled = { settings: request, ruleSets, precedents, actions, auditor, scrub };
  const conditions = await prepareConditions({ arms, ...settled });
  const source = onlyKnown(await selectDecisions(context, request.selection, request.source?.decisions), auditor);
  const flips = await drawFlips(source, flip, {
    ...request,
    hasRules: (decision) => conditions.of(PLAIN_ARM.name).hasRules(decision),
  });
  const states = (decision: Decision) =>
    isRestricting(actions, decision.decision) &&
    (auditor.knows?.(decision.id, STATED_REASON_ARM.name) ?? true) &&
    conditions.of(STATED_REASON_ARM.name).hasRules(decision);
  const wanted: TaskSettings = { ...request, arms: flips ? arms : own, actions, states, ...(flips ? { flips } : {}) };
  const plan = await planRun(records, {
    ...{ source, rules: conditions.rules, wanted, auditor: auditor.name, hash: request.source?.hash ?? null },
    hasRules: (decision, arm) => conditions.of(arm).hasRules(decision),
    prefixOf: (arm) => conditions.of(arm).prefix,
  });
  if (plan.decisions === 0) throw nothingToAudit(request);
  const { allowUnusedRules = false } = request;
  await checkRuleSets(records, ruleFiles, plan.communities.sizes.keys(), allowUnusedRules);
  checkAnyRules(plan, asked);
  for (const notice of rulesNotices(plan)) request.notice(notice);
  if (stated.length > 0 && plan.stated === 0) request.notice({ code: "no_stated_reasons" });
  const promptVersion = await promptVersionFor(auditor, request.template, actions);
  const { weights, notice } = await weightsFor(context.calibrations, {
    auditor: auditor.name,
    auditor_version: auditor.version,
    prompt_version: promptVersion,
    template: request.template,
    signal: request.signal,
    missing: request.missing ?? null,
  });
  if (notice && request.signal !== "none") request.notice(notice, "technical");
  const draft = newManifest({
    context,
    request,
    weights,
    plan,
    promptVersion,
    arms: conditions.all.map((condition) => condition.record()),
    rulesHash: hashList(ruleSets),
    precedentsHash: hashList(precedents),
  });
  const settings = { ...request, promptVersion, weights };
  // Decisions come first: a run stopped by its budget then lacks part of the control, but no decision.
  const parts = [asked, others, stated, flips ? [OPPOSITE_ARM] : []].filter((part) => part.length > 0);
  return { context, request, settings, source, conditions, parts, wanted, plan, draft };
}

/** Cost of the remaining calls; null: the auditor reads no prompts. `done`: what the run already holds. */
export function estimateLeft(
  { conditions, plan, request, settings }: Prepared,
  done: readonly (Omit<RunCounts, "planned"> | null | undefined)[],
): RunEstimate | null {
  const counter = conditions.all[0]?.prompts?.counter;
  if (!counter || request.auditor.inProcess) return null;
  const promptOf = (decision: Decision, arm: string) => {
    const condition = conditions.of(arm);
    return condition.hasRules(decision) ? condition.promptOf(decision) : null;
  };
  const templateOf = (arm: string) => conditions.of(arm).settings.template;
  let audited = 0;
  for (const counts of done) {
    if (counts) audited += counts.verdicts + counts.unscored + (request.retryErrors ? 0 : counts.errors);
  }
  const left = Math.max(0, 1 - audited / (plan.audits + plan.flips));
  const { auditor, batch } = request;
  return estimateRun({ promptOf, templateOf, counter, plan, auditor, settings, batch, left });
}

/** Refuses what the auditor cannot do under one of the arms. `capabilities` null: checks only what is known without a call. */
export function checkArmAbilities(
  arms: readonly Arm[],
  request: AuditRequest,
  capabilities: Capabilities | null,
): void {
  for (const arm of arms) checkAbilities({ ...request, ...settingsOf(arm) }, capabilities);
}

/** One arm per action; each decision is audited under those of its nearest alternatives. */
function alternativeArms(actions: Actions, { alternatives = 0, experiment }: AuditRequest): Arm[] {
  if (alternatives === 0 || experiment) return [];
  if (actions.all) return actionNames(actions).map((action) => actionArm(action, alternatives));
  throw new Refusal({ code: "two_actions" });
}

/** Limits an auditor that answers from a file to the decisions in that file. */
function onlyKnown(source: DecisionSource, auditor: Auditor): DecisionSource {
  if (!auditor.knows) return source;
  return async function* () {
    for await (const batch of source()) {
      const known = batch.filter(({ id }) => auditor.knows!(id));
      if (known.length > 0) yield known;
    }
  };
}

/**
 * Decisions whose opposite is audited, too, drawn by the seed; null: no decision. An auditor that answers from a file flips the decisions for
 * which the file has an answer. A decision without rules is not asked about, and neither is its opposite.
 */
async function drawFlips(
  source: DecisionSource,
  size: number,
  { seed, auditor, hasRules }: { seed: number; auditor: Auditor; hasRules: (decision: Decision) => boolean },
): Promise<Flips | null> {
  if (size <= 0) return null;
  const knows = auditor.knows ? (id: string) => auditor.knows!(id, OPPOSITE_ARM.name) : () => true;
  const sample = size === Number.POSITIVE_INFINITY ? null : new HashSample(seed, size);
  let any = false;
  for await (const batch of source()) {
    for (const decision of batch) {
      if (!knows(decision.id) || !hasRules(decision)) continue;
      any = true;
      sample?.add(decision.id);
    }
    if (any && !sample) break;
  }
  if (!any) return null;
  const drawn = sample && new Set(sample.ids());
  return drawn ? (id) => drawn.has(id) : knows;
}

type Wishes = Pick<AuditRequest, "experiment" | "humans" | "batch" | "again" | "replicatesFor">;

/** Refuses arms that could not be told apart later, and settings that conflict with them. */
function checkArms(arms: readonly Arm[], request: Wishes): void {
  const names = new Set<string>();
  for (const { name } of arms) {
    if (name === HUMAN_ARM || name.includes("\u0000") || names.has(name)) {
      throw new InputError("bad_arm", `arm: got "${name}", expected a name of its own, other than "${HUMAN_ARM}"`);
    }
    names.add(name);
  }
  const plain = arms.length === 1 && arms[0] === PLAIN_ARM;
  if (!plain && request.experiment === undefined) {
    throw new InputError("no_experiment", "arms: an experiment that they belong to must be named");
  }
  if (request.humans && !names.has(PLAIN_ARM.name)) {
    throw new InputError(
      "no_plain_arm",
      "humans: the human's decision is audited in addition to the run as it is, which is no arm here",
    );
  }
  if (request.batch && (request.again || request.replicatesFor)) {
    throw new InputError(
      "no_batch",
      "batch: how often this experiment asks depends on the answers, and those of a batch come too late",
      "Audit without a batch.",
    );
  }
}
