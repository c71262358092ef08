import { openAuditTable } from "../../../analysis/audit-table.js";
import { readAttackCandidates } from "../../../analysis/decision-scores.js";
import { Frames } from "../../../audit/frames.js";
import { RuleBook } from "../../../audit/rules-in-force.js";
import { detectLanguage } from "../../../core/language.js";
import { contentText, type Decision, type Precedent } from "../../../core/records/decision.js";
import type { Manifest } from "../../../core/records/manifest.js";
import { createRng, type Rng } from "../../../stats/random/create-rng.js";
import type { Context } from "../../../store/context.js";
import { type Duck, withDuckDB } from "../../../store/files/duckdb.js";
import type { AuditSource, RecordStore } from "../../../store/ports.js";
import { refusal } from "../../audits.js";
import type { AttackCase, AttackKind } from "../result.js";
import { type Base, isForbidden, type Made, type Maker, ruleKey } from "./hallucinate.js";
import { type KindMakers, MAKERS } from "./makers.js";
import {
  type Candidate,
  type Chosen,
  chooseCandidates,
  definePool,
  inputShare,
  type Pool,
  scaleWanted,
  type Wanted,
} from "./plan.js";

export interface AttackBuild {
  cases: AttackCase[];
  run_id: string;
  seed: number;
  pool: Pool["counts"];
  /** Factor applied to all numbers to fit the pool. */
  factor: number;
  /** Further factor for attacks that need forbidden content. */
  forbidden_factor: number;
  asked: Wanted;
  scaled: Wanted;
  made: Wanted;
}

/** Builds an attack set from a run that audited decisions unchanged. */
export async function attacksOf(
  { runs, records }: Pick<Context, "runs" | "records">,
  manifest: Manifest,
  options: { wanted: Wanted; seed: number },
): Promise<AttackBuild> {
  const source = await runs.snapshot(manifest.run_id);
  const made = await withDuckDB((db) => buildAttacks(db, records, { manifest, source }, options));
  if (made.cases.length > 0) return made;
  const { verdicts, clean, settled } = made.pool;
  throw refusal({ code: "nothing_to_attack", verdicts, clean, settled });
}

/** Builds an attack set from the verdicts of a run. */
export async function buildAttacks(
  db: Duck,
  records: RecordStore,
  run: { manifest: Manifest; source: AuditSource },
  options: { wanted: Wanted; seed: number },
): Promise<AttackBuild> {
  const { manifest } = run;
  const table = await openAuditTable(db, run.source, { actions: manifest.actions });
  const truth = (await records.truth())?.path ?? null;
  const rows = await readAttackCandidates(table, await records.snapshot(), truth);
  const pool = definePool(rows, manifest.actions);
  const { wanted, factor, forbidden_factor } = scaleWanted(options.wanted, pool.counts);
  const rules = new RuleBook((await records.rules()).map(({ set }) => set));
  const rng = createRng(options.seed).fork("attack build");
  const isPlatform = (one: Candidate) => scopeOf(one, rules) === "platform";
  const chosen = chooseCandidates(pool, wanted, isPlatform, rng);
  const ids = new Set([...chosen.clean, ...chosen.settled].map((one) => one.decision_id));
  const decisions = new Map<string, Decision>();
  for await (const batch of records.decisions()) {
    for (const decision of batch) if (ids.has(decision.id)) decisions.set(decision.id, decision);
  }
  const precedents: Precedent[] = [];
  for await (const batch of records.precedents()) for (const one of batch) precedents.push(one);
  const frames = new Frames(precedents, manifest.tier, manifest.actions);
  const bases = new Map<Candidate, Base | null>();
  const baseOf = (candidate: Candidate) => {
    let base = bases.get(candidate);
    if (base === undefined) {
      const decision = decisions.get(candidate.decision_id);
      base = decision ? makeBase(candidate, decision, rules, frames) : null;
      bases.set(candidate, base);
    }
    return base;
  };
  const { cases, made } = makeCases(chosen, wanted, baseOf, { rng, run: manifest.run_id });
  return {
    cases,
    run_id: manifest.run_id,
    seed: options.seed,
    pool: pool.counts,
    factor,
    forbidden_factor,
    asked: options.wanted,
    scaled: wanted,
    made,
  };
}

function makeBase(candidate: Candidate, decision: Decision, rules: RuleBook, frames: Frames): Base {
  const { frame, precedentLanguages } = frames.of(decision.community, rules.inForce(decision));
  const content = typeof decision.content === "string" ? null : decision.content.language;
  const named = rulesNamed(candidate);
  // Reference annotations give only the id, so a community's rule takes precedence over the platform's of the same id.
  const find = ({ scope, rule_id }: Named) =>
    frame.rules.find((rule) => rule.id === rule_id && (scope === null || rule.scope === scope));
  const found = named.flatMap((one) => find(one) ?? []);
  return {
    decision,
    frame,
    rule: found[0] ?? null,
    bearing: new Set(found.map(ruleKey)),
    precedentLanguages,
    language: content ?? detectLanguage(contentText(decision.content)),
  };
}

interface Named {
  scope: string | null;
  rule_id: string;
}

/** The rules a decision depends on: by truth, else by reference annotations, else by the verdict's citation. */
function rulesNamed(candidate: Candidate): Named[] {
  const { known_rule, known_scope, gold_rules, rule_id, scope } = candidate;
  if (known_rule) return [{ scope: known_scope, rule_id: known_rule }];
  const gold = listIn(gold_rules);
  if (gold.length > 0) return gold.map((id) => ({ scope: null, rule_id: String(id) }));
  if (!rule_id) return [];
  return [{ scope: scope === "platform" || scope === "community" ? scope : null, rule_id }];
}

/** A JSON list; anything else gives an empty one. */
function listIn(text: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function scopeOf(candidate: Candidate, rules: RuleBook): string | null {
  const [first] = rulesNamed(candidate);
  if (!first) return null;
  if (first.scope) return first.scope;
  const { community, platform } = rules.inForce(candidate);
  if (community?.rules.some((rule) => rule.id === first.rule_id)) return "community";
  return platform?.rules.some((rule) => rule.id === first.rule_id) ? "platform" : null;
}

interface MadeCases {
  cases: AttackCase[];
  /** Number of cases of each kind. */
  made: Wanted;
}

/**
 * Makes the cases. `baseOf` gives the material of a candidate; null if its decision cannot be found. Every decision is used once; attacks
 * on the trace change the audits of clean cases.
 */
export function makeCases(
  chosen: Chosen,
  wanted: Wanted,
  baseOf: (candidate: Candidate) => Base | null,
  options: { rng: Rng; run: string },
): MadeCases {
  const used = new Set<Candidate>();
  const attacks: AttackCase[] = [];
  const kinds = Object.entries(MAKERS) as [AttackKind, KindMakers][];
  for (const [kind, { input }] of kinds) {
    const rng = options.rng.fork(kind);
    const made = take(chosen.settled, input, inputShare(kind, wanted[kind]), used, baseOf, rng);
    for (const one of made) attacks.push(caseOf(kind, one, options.run));
  }
  const clean: { candidate: Candidate; base: Base }[] = [];
  for (const candidate of chosen.clean) {
    if (clean.length >= wanted.clean) break;
    const base = used.has(candidate) ? null : baseOf(candidate);
    if (base) clean.push({ candidate, base });
  }
  const cleanCases = clean.map(({ candidate, base }) => caseOf("clean", { candidate, base, made: null }, options.run));
  const onTrace = new Set<Candidate>();
  for (const [kind, { trace }] of kinds) {
    const rng = options.rng.fork(`${kind} trace`);
    const pool = clean.map(({ candidate }) => candidate);
    const made = take(pool, trace, wanted[kind] - inputShare(kind, wanted[kind]), onTrace, baseOf, rng);
    for (const one of made) {
      attacks.push({ ...caseOf(kind, one, options.run), base_case: caseId("clean", "input", one.base.decision.id) });
    }
  }
  const cases = [...cleanCases, ...attacks];
  const made = Object.fromEntries(Object.keys(wanted).map((kind) => [kind, 0])) as Wanted;
  for (const one of cases) made[one.kind]++;
  return { cases, made };
}

interface Taken {
  candidate: Candidate;
  base: Base;
  made: Made | null;
}

/** The makers take turns; each goes through the candidates once and skips those that do not suit it. */
function take(
  candidates: readonly Candidate[],
  makers: readonly Maker[],
  count: number,
  used: Set<Candidate>,
  baseOf: (candidate: Candidate) => Base | null,
  rng: Rng,
): (Taken & { made: Made })[] {
  const taken: (Taken & { made: Made })[] = [];
  const cursors = makers.map(() => 0);
  const next = (turn: number): boolean => {
    while (cursors[turn]! < candidates.length) {
      const candidate = candidates[cursors[turn]!++]!;
      const base = used.has(candidate) ? null : baseOf(candidate);
      const made = base ? makers[turn]!(base, rng) : null;
      if (!base || !made) continue;
      used.add(candidate);
      taken.push({ candidate, base, made });
      return true;
    }
    return false;
  };
  let idle = 0;
  for (let turn = 0; taken.length < count && idle < makers.length; turn = (turn + 1) % makers.length) {
    idle = next(turn) ? 0 : idle + 1;
  }
  return taken;
}

function caseId(kind: AttackKind, target: string, decisionId: string): string {
  return `${kind}${target === "trace" ? "-trace" : ""}:${decisionId}`;
}

function caseOf(kind: AttackKind, { candidate, base, made }: Taken, run: string): AttackCase {
  const { decision, rule } = base;
  const content = made?.content ?? decision.content;
  const target = made?.target ?? "input";
  const determined = isForbidden(base) ? base.frame.actions.positive : base.frame.actions.negative;
  return {
    id: caseId(kind, target, decision.id),
    kind,
    target,
    decision_id: decision.id,
    community: decision.community,
    content,
    decision: made?.decision ?? decision.decision,
    ground_truth: candidate.settled ? determined : null,
    rule: rule ? { scope: rule.scope, rule_id: rule.id } : null,
    rule_kind: rule?.kind ?? null,
    language: made?.language ?? base.language ?? detectLanguage(contentText(content)),
    attack: made?.attack ?? null,
    archetype: made?.archetype ?? candidate.chosen,
    base_run: run,
    base_case: null,
    decided_at: decision.decided_at ?? null,
    ruleset_version: decision.ruleset_version ?? null,
  };
}
