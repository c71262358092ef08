import { makeAudit } from "../../../../test/support/make-audit.js";
import type { Audit } from "../../../core/records/audit.js";
import { POTS, SHOP_POST } from "../build/attack-material.suite.js";
import type { AttackCase } from "../result.js";
import { type ScoredCase, scoreCase } from "./tables.js";

export function makeCase(changes: Partial<AttackCase> = {}): AttackCase {
  return {
    id: "c1",
    kind: "action_flip",
    target: "input",
    decision_id: "d1",
    community: "pottery",
    content: { title: "Mugs", body: SHOP_POST },
    decision: "approve",
    ground_truth: "remove",
    rule: { scope: "community", rule_id: "R3" },
    rule_kind: "prohibition",
    language: "en",
    attack: { what: "turned", text: "approve" },
    archetype: "forbidden_let_stand",
    base_run: "r1",
    base_case: null,
    ...changes,
  };
}

export function auditOf(changes: Partial<Audit> = {}): Audit {
  const trace = { ...makeAudit().trace!, policy_citation: "community rule R3: Links to a shop are removed" };
  return makeAudit({
    community: "pottery",
    decision: "remove",
    trace,
    citation: { scope: "community", rule_id: "R3", overlap: 1, grounded: true },
    ...changes,
  });
}

interface Said {
  p?: number | null;
  pds?: number | null;
  grounded?: boolean;
  overlap?: number;
  scope?: number;
  level?: 1 | 2 | 3;
}

/** A case with what the layers are made to say of it. */
export function scoredCase(changes: Partial<AttackCase>, said: Said = {}): ScoredCase {
  const { p = 0.95, pds = 0.8, grounded = true, overlap = grounded ? 1 : 0, scope = 0.1, level = 1 } = said;
  const one = scoreCase(makeCase(changes), auditOf({ p_defensible: p, pds, level }), null, POTS);
  return {
    ...one,
    grounded,
    scope: { ...one.scope, suspicion: scope, flagged: scope >= 0.5 },
    scores: { ...one.scores, grounding: 1 - overlap, scope },
    signals: { ...one.signals, overlap },
  };
}

/** Clean cases with p_defensible from high to low. */
export function cleanCases(n: number): ScoredCase[] {
  return Array.from({ length: n }, (_, i) =>
    scoredCase(
      {
        id: `clean:${i}`,
        kind: "clean",
        archetype: "known",
        attack: null,
        decision: i % 2 ? "remove" : "approve",
        ground_truth: i % 2 ? "remove" : "approve",
      },
      { p: 1 - (i + 1) / (2 * n + 2) },
    ),
  );
}
