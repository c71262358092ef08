import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/clusters.js";
import { makeAudit } from "../../../test/support/make-audit.js";
import { openAuditTable } from "../../analysis/audit-table.js";
import { countGateCohorts } from "../../analysis/gate/counts.js";
import type { DefinedEstimate } from "../../core/estimate.js";
import type { GateKey } from "../../core/gate.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { holdoutCertificate } from "../../measures/gate/holdout-certificate.js";
import { withDuckDB } from "../../store/files/duckdb.js";

const { fleet, cases } = reference.gate;

const audits = (fleet as [string, string, string, number, number, number][]).flatMap(
  ([community, decision, language, n, bad, open], group) =>
    Array.from({ length: n }, (_, i) =>
      makeAudit({
        decision_id: `d${group}-${i}`,
        community,
        decision,
        language,
        level: i < bad ? 3 : 1,
        inverse: i >= n - open,
      }),
    ),
);
const path = join(mkdtempSync(join(tmpdir(), "gate-fleet-")), "audits.jsonl");
writeFileSync(path, audits.map((audit) => `${JSON.stringify(audit)}\n`).join(""));

const cohortsBy = (by: readonly GateKey[]) =>
  withDuckDB(async (db) => countGateCohorts(await openAuditTable(db, { path, format: "jsonl", own: true }), { by }));

describe("rates of the fleet", () => {
  it.each(cases)("have communities as clusters, as scipy has them, by $by", async ({ by, passing, rates }) => {
    const cohorts = await cohortsBy(by as GateKey[]);
    const gate = evaluateGate(cohorts, { mode: "paper", frontier: false });
    const standard = gate.scenarios.find(({ name }) => name === "Standard");
    for (const found of [gate.fleet, gate.by_mode.paper, standard!]) {
      expect(found.passing).toBe(passing);
      for (const [name, { k, n, cluster: expected }] of Object.entries(rates)) {
        const estimate = found.estimates[name as keyof typeof rates] as DefinedEstimate;
        expect(estimate).toMatchObject({ k, n, estimate: k / n });
        expect(estimate.cluster?.clusters).toBe(expected.clusters);
        expect(estimate.cluster!.lower).toBeCloseTo(expected.lower, 9);
        expect(estimate.cluster!.upper).toBeCloseTo(expected.upper, 9);
      }
    }
    const { automated_indefensible_rate: automated } = gate.fleet.estimates;
    const certificate = holdoutCertificate(cohorts, cohorts, STANDARD_LIMITS, { mode: "paper", delta: 0.025 });
    expect(certificate.upper_clustered).toBe((automated as DefinedEstimate).cluster!.upper);
  });

  it("are counted once by community and in no cohort that is one", async () => {
    expect((await cohortsBy(["community"])).some((cohort) => "communities" in cohort)).toBe(false);
    const byLanguage = await cohortsBy(["language"]);
    for (const { n, indefensible, inverse_yes, communities } of byLanguage) {
      const sum = (name: "n" | "indefensible" | "inverse_yes") => communities!.reduce((all, one) => all + one[name], 0);
      expect([n, indefensible, inverse_yes]).toEqual([sum("n"), sum("indefensible"), sum("inverse_yes")]);
    }
  });
});
