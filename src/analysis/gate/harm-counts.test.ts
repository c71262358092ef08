import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/harm.js";
import { makeAudit } from "../../../test/support/make-audit.js";
import type { GateHarm } from "../../core/gate.js";
import { severalActions } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import { certifiedGate } from "../../measures/gate/certified-gate.js";
import { limits } from "../../measures/gate/fleet.suite.js";
import { greatestHarm, harmShares } from "../../measures/gate/harm.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { fromRows, openAuditTable } from "../audit-table.js";
import { countGateCohorts } from "./counts.js";

const ACTIONS = severalActions(["allow", "label", "limit", "remove", "ban"], "limit");

const RULES: GateHarm["rules"] = [
  { scope: "platform", community: null, rule_id: "P1", harm: reference.rules.P1 },
  { scope: "community", community: "alpha", rule_id: "R1", harm: reference.rules.R1 },
];

const HARM: GateHarm = { limit: 1, max: reference.max, actions: reference.actions, rules: RULES };

function count(rows: readonly Partial<Audit>[], harm: GateHarm = HARM) {
  const audits = rows.map((row, i) => makeAudit({ decision_id: `d${i}`, human_label: null, ...row }));
  return withDuckDB(async (db) => {
    const table = await openAuditTable(db, fromRows(audits), { actions: ACTIONS, also: ["thread_id", "decided_at"] });
    const threads = rows.some(({ thread_id }) => thread_id) ? { now: 0, finished: true } : null;
    return countGateCohorts(table, { by: ["community"], threads, harm });
  });
}

const citing = (rule_id: string | null): Pick<Audit, "citation"> => ({
  citation: {
    scope: rule_id === null ? "none" : rule_id.startsWith("P") ? "platform" : "community",
    rule_id,
    overlap: 1,
    grounded: true,
  },
});

describe("harm of a cohort's verdicts", () => {
  it.each(reference.cases)(
    "gives the e-value and the mean that were computed outside ($limit, cap $cap)",
    async (one) => {
      const rows = one.decisions.map(({ decision, rule, level, thread }) => ({
        decision,
        level: level as 1 | 2 | 3,
        ...(thread === null ? {} : { thread_id: thread }),
        ...citing(rule),
      }));
      const [cohort] = await count(rows);
      expect((reference.max * harmShares(cohort!)!) / cohort!.n).toBeCloseTo(one.mean, 12);
      const harm_limit = { limit: one.limit, max: reference.max };
      const [verdict] = certifiedGate([cohort!], limits({ harm_limit }), { threadCap: one.cap });
      expect(verdict!.harm!.ln_e).toBeCloseTo(one.log, 9);
      expect(verdict!.ln_e).toBeLessThanOrEqual(verdict!.harm!.ln_e);
    },
  );

  it("is 0 below level 3, whatever is decided and cited", async () => {
    const [cohort] = await count([{ decision: "ban", level: 2, ...citing("P1") }]);
    expect(cohort!.harm).toEqual([]);
  });

  it("of another community's rule, or of none, is the action's alone", async () => {
    const cohorts = await count([
      { decision: "ban", level: 3, community: "beta", ...citing("R1") },
      { decision: "limit", level: 3, community: "beta", citation: null },
    ]);
    expect(cohorts[0]!.harm).toEqual([
      { value: 2 / reference.max, count: 1 },
      { value: 10 / reference.max, count: 1 },
    ]);
  });

  it("quotes names that would break out of a query", async () => {
    const rules = [{ scope: "platform" as const, community: null, rule_id: "P'; DROP TABLE x --", harm: 4 }];
    const row = { decision: "allow", level: 3 as const, ...citing("P'; DROP TABLE x --") };
    const [cohort] = await count([row], { limit: 1, max: 4, actions: {}, rules });
    expect(cohort!.harm).toEqual([{ value: 1, count: 1 }]);
  });

  it("has a greatest value that is known without a verdict", () => {
    expect(greatestHarm(Object.keys(reference.actions), reference.actions, RULES)).toBe(reference.max);
    expect(greatestHarm(["a", "b"], {}, [])).toBe(1);
    expect(greatestHarm(["a"], { a: 2 }, [{ ...RULES[0]!, harm: 0.5 }])).toBe(2);
    expect(() => greatestHarm(["a"], { a: 0 }, [])).toThrow(RangeError);
  });
});
