import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sample } from "../../audit/arms.suite.js";
import type { Auditor } from "../../auditors/auditor.js";
import { auditSchema } from "../../core/records/audit.js";
import { verdictOnly } from "../../measures/signals/extract-sampled.js";
import { fileContext } from "../../store/files/stores.js";
import { runAudit } from "./run-audit.js";
import { ANSWER, audits, fakeAuditor, request } from "./run-audit.suite.js";

describe("an auditor that measures", () => {
  const citation = { scope: "community", rule_id: "R1", overlap: 1, grounded: true } as const;
  const trace = JSON.parse(ANSWER.text) as Parameters<typeof verdictOnly>[1];
  const verdict = () => verdictOnly({ outcome: "verdict", error: null, level: 2, inverse: true }, trace);
  const measuring = (grounded: boolean) =>
    fakeAuditor({
      inProcess: true,
      answersPerCall: Number.POSITIVE_INFINITY,
      ask: () => {
        throw new Error("asked");
      },
      measure: ({ wanted }) => wanted.map(() => ({ ...verdict(), ...(grounded ? { citation } : {}) })),
    });

  it("is not asked, and its citation is taken as it is", async () => {
    const workspace = sample(2);
    const run = async (auditor: Auditor) => {
      const changes = { signal: "logprobs", replicates: 150, fresh: true } as const;
      return audits(workspace, (await runAudit(fileContext(workspace), request(auditor, changes))).runId!);
    };
    const rows = await run(measuring(true));
    expect(rows).toHaveLength(300);
    expect(rows.map(({ replicate }) => replicate)).toEqual([...Array(150).keys(), ...Array(150).keys()]);
    for (const row of rows) {
      expect(row).toMatchObject({ outcome: "verdict", level: 2, inverse: true, citation });
      expect(auditSchema.safeParse(row).success).toBe(true);
    }
    // Without a citation of its own the one in the trace is looked for, as always.
    expect((await run(measuring(false)))[0]!.citation).toMatchObject({ rule_id: "R1" });
  });

  it("is given the weights that the run has, wherever they came from", async () => {
    const workspace = sample(1);
    const weights = join(workspace.root, "other-weights.json");
    writeFileSync(weights, JSON.stringify({ alpha: 0.5, beta: 0.2, gamma: 0.3, component: "h_kappa" }));
    const given: unknown[] = [];
    const auditor = fakeAuditor({
      measure: ({ wanted }, own) => {
        given.push(own);
        return wanted.map(verdict);
      },
    });
    const changed = { ...workspace, paths: { ...workspace.paths, weights } };
    await runAudit(fileContext(changed), request(auditor, { signal: "logprobs" }));
    expect(given).toEqual([expect.objectContaining({ alpha: 0.5, beta: 0.2, gamma: 0.3, provenance: "unknown" })]);
  });

  it("fails like every other auditor: the outcome is an error", async () => {
    const auditor = fakeAuditor({
      measure: () => {
        throw new Error("no truth");
      },
    });
    const workspace = sample(1);
    const { runId } = await runAudit(fileContext(workspace), request(auditor, { signal: "logprobs" }));
    expect((await audits(workspace, runId!))[0]).toMatchObject({ outcome: "error", error: { message: "no truth" } });
  });
});
