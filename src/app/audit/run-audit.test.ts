import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileContext, fileStores } from "../../store/files/stores.js";
import { runAudit } from "./run-audit.js";
import { ANSWER, audits, fakeAuditor, request, workspaceWith } from "./run-audit.suite.js";

/** An auditor whose calls are counted by decision and that fails where it is told to. */
function counting(fails: (id: string, call: number) => boolean = () => false) {
  const calls = new Map<string, number>();
  const auditor = fakeAuditor({
    ask(ask) {
      const id = ask.case!.content.body;
      const call = (calls.get(id) ?? 0) + 1;
      calls.set(id, call);
      if (fails(id, call)) throw new Error(`no answer for ${id}`);
      return { generations: [ANSWER] };
    },
  });
  return { auditor, calls };
}

describe("a run", () => {
  it("audits each key once, however often the command is stopped and repeated", async () => {
    const workspace = workspaceWith(40);
    const { auditor, calls } = counting();
    for (const limit of [8, 20, 36]) {
      const stop = new AbortController();
      const result = await runAudit(
        fileContext(workspace),
        request(auditor, {
          replicates: 2,
          stop: stop.signal,
          progress: ({ verdicts }) => {
            if (verdicts >= 2 * limit) stop.abort();
          },
        }),
      );
      expect(result.status).toBe("stopped");
    }
    const last = await runAudit(fileContext(workspace), request(auditor, { replicates: 2 }));
    expect(last).toMatchObject({ status: "sealed", continued: true, counts: { planned: 80, verdicts: 80 } });
    expect([...calls.values()]).toEqual(Array(40).fill(2));
    expect(await runAudit(fileContext(workspace), request(auditor, { replicates: 2 }))).toMatchObject({
      status: "done",
    });
    expect([...calls.values()]).toEqual(Array(40).fill(2));
  });

  it("is another run when a decision, a rule or a setting is another", async () => {
    const workspace = workspaceWith(3);
    const { auditor } = counting();
    const first = await runAudit(fileContext(workspace), request(auditor));
    const ids = new Set([first.runId]);
    for (const changes of [
      { temperature: 0.5 },
      { seed: 2 },
      { tier: "title" as const },
      { selection: { limit: 2 } },
      { fresh: true },
    ]) {
      ids.add((await runAudit(fileContext(workspace), request(auditor, changes))).runId);
    }
    writeFileSync(
      join(workspace.paths.rules, "p.yaml"),
      "scope: platform\nversion: '2'\neffective_from: 2026-01-01\nrules:\n  - {id: P1, title: Be kind}\n",
    );
    ids.add((await runAudit(fileContext(workspace), request(auditor))).runId);
    expect(ids.size).toBe(7);
  });

  it("keeps errors, and --retry-errors on a sealed run makes a complete new one that redoes only them", async () => {
    const workspace = workspaceWith(30);
    const { auditor, calls } = counting((id, call) => id.endsWith("7") && call === 1);
    const first = await runAudit(fileContext(workspace), request(auditor));
    expect(first).toMatchObject({ status: "sealed", counts: { verdicts: 27, errors: 3 } });
    expect(await runAudit(fileContext(workspace), request(auditor))).toMatchObject({
      status: "done",
      runId: first.runId,
    });
    const second = await runAudit(fileContext(workspace), request(auditor, { retryErrors: true }));
    expect(second).toMatchObject({ status: "sealed", counts: { verdicts: 30, errors: 0 } });
    expect(second.runId).not.toBe(first.runId);
    const manifest = await fileStores(workspace).runs.manifest(second.runId!);
    expect(manifest.parent_run_id).toBe(first.runId);
    expect([...calls.values()].reduce((a, b) => a + b, 0)).toBe(33);
    const rows = await audits(workspace, second.runId!);
    expect(rows).toHaveLength(30);
    expect(new Set(rows.map((row) => row.run_id))).toEqual(new Set([second.runId]));
  });

  it("carries over the rest when it was killed while it carried over", async () => {
    const workspace = workspaceWith(30);
    const { auditor, calls } = counting((id, call) => id.endsWith("7") && call === 1);
    const first = await runAudit(fileContext(workspace), request(auditor));
    const ledger = fileStores(workspace).runs;
    const manifest = await ledger.manifest(first.runId!);
    const child = { ...manifest, run_id: "29991231T000000Z-0001", parent_run_id: first.runId, status: "open" as const };
    const writer = await ledger.create({ ...child, created_at: "2999-12-31T00:00:00Z", sealed_at: null });
    await writer.append((await audits(workspace, first.runId!)).slice(0, 2));
    await writer.close();
    const second = await runAudit(fileContext(workspace), request(auditor, { retryErrors: true }));
    expect(second).toMatchObject({ status: "sealed", runId: child.run_id, counts: { verdicts: 30, errors: 0 } });
    expect([...calls.values()].reduce((a, b) => a + b, 0)).toBe(33);
  });

  it("audits the human's decision too where it differs, under its own arm", async () => {
    const workspace = workspaceWith(2);
    const { auditor } = counting();
    const { runId } = await runAudit(fileContext(workspace), request(auditor, { humans: true }));
    const rows = await audits(workspace, runId!);
    expect(rows.map((row) => [row.decision_id, row.arm, row.decision])).toEqual([
      ["d0", "", "remove"],
      ["d0", "human", "approve"],
      ["d1", "", "remove"],
      ["d1", "human", "approve"],
    ]);
  });

  it("refuses weights that are no weights, and uses those of the workspace", async () => {
    const workspace = workspaceWith(1);
    const { auditor } = counting();
    writeFileSync(workspace.paths.weights, '{"alpha": 2, "beta": 0, "gamma": 0, "component": "h_w"}');
    await expect(runAudit(fileContext(workspace), request(auditor))).rejects.toThrow(/do not sum to 1/);
    writeFileSync(workspace.paths.weights, '{"alpha": 0.6289, "beta": 0.0114, "gamma": 0.3598, "component": "h_w"}');
    const { runId } = await runAudit(fileContext(workspace), request(auditor));
    const { weights } = await fileStores(workspace).runs.manifest(runId!);
    expect(weights).toMatchObject({ calibrated: false, provenance: "unknown" });
    expect(weights.alpha + weights.beta + weights.gamma).toBeCloseTo(1, 12);
  });
});
