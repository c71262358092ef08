import { detectLanguage } from "../../../core/language.js";
import { contentText } from "../../../core/records/decision.js";
import type { Rng } from "../../../stats/random/create-rng.js";
import type { AttackCase, AttackKind } from "../result.js";
import { type Base, isForbidden, type Made, type Maker } from "./base.js";
import { type KindMakers, MAKERS } from "./makers.js";
import { type Candidate, type Chosen, inputShare, type Wanted } from "./plan.js";

export interface MadeCases {
  cases: AttackCase[];
  /** How many of each kind there are. */
  made: Wanted;
}

/**
 * Makes the cases. `baseOf` gives the material of a candidate, null where its decision is not to be found. Every decision is used once; attacks on
 * the trace change the audits of clean cases.
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

/** The manners take turns; each goes through the candidates once, and passes over those that do not suit it. */
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
