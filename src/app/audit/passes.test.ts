import { describe, expect, it } from "vitest";
import { dual, sample, spy } from "../../audit/arms.suite.js";
import type { Audit } from "../../core/records/audit.js";
import { fileContext, fileStores } from "../../store/files/stores.js";
import type { AuditRequest } from "./audit-request.js";
import { runAudit } from "./run-audit.js";
import { ANSWER, audits, request } from "./run-audit.suite.js";

describe("replicates, passes and observers", () => {
  const wave: AuditRequest["replicatesFor"] = ({ id }) => (id === "d0" ? 0 : Number(id.slice(1)));

  it("audits as often as is asked for each decision and arm", async () => {
    const workspace = sample(4);
    const { auditor } = spy();
    const result = await runAudit(fileContext(workspace), request(auditor, dual({ replicatesFor: wave })));
    expect(result.counts).toMatchObject({ planned: 12, verdicts: 12 });
    const rows = await audits(workspace, result.runId!);
    expect(
      rows.filter(({ arm }) => arm === "").map(({ decision_id, replicate }) => `${decision_id}:${replicate}`),
    ).toEqual(["d1:0", "d2:0", "d2:1", "d3:0", "d3:1", "d3:2"]);
  });

  it("goes on for as long as another pass is asked for, and seals what came of it", async () => {
    const workspace = sample(3);
    const { auditor, seen } = spy();
    const counts = new Map<string, number>();
    const asked: number[] = [];
    const result = await runAudit(
      fileContext(workspace),
      request(
        auditor,
        dual({
          // Two at first; then d1 alone until it has seven.
          replicatesFor: ({ id }, arm) => (id === "d1" ? Math.min(7, 2 + (counts.get(`${id} ${arm.name}`) ?? 0)) : 2),
          observe: ({ decision_id, arm }) => {
            const key = `${decision_id} ${arm}`;
            counts.set(key, (counts.get(key) ?? 0) + 1);
          },
          again: () => {
            asked.push(seen.length);
            return asked.length < 5;
          },
        }),
      ),
    );
    expect(asked).toEqual([12, 16, 20, 22, 22]);
    expect(result.counts).toMatchObject({ planned: 22, verdicts: 22 });
    expect(counts.get("d1 opposite")).toBe(7);
    expect(new Set(seen.map(({ seed }) => seed)).size).toBe(22);
    expect((await fileStores(workspace).runs.manifest(result.runId!)).counts.planned).toBe(22);
  });

  it("tells of what was recorded before, once, whether the run is continued, complete or carried over", async () => {
    const workspace = sample(30);
    let broken = true;
    const { auditor } = spy({
      ask: ({ wanted, case: one }) => {
        if (broken && one!.content.body.endsWith("7")) throw new Error("no answer");
        return { generations: wanted.map(() => ANSWER) };
      },
    });
    const observed = async (changes: Partial<AuditRequest>) => {
      const keys: string[] = [];
      const observe = ({ decision_id, arm, outcome }: Audit) => keys.push(`${decision_id} ${arm} ${outcome}`);
      await runAudit(fileContext(workspace), request(auditor, dual({ observe, ...changes })));
      return keys.sort();
    };
    const stop = new AbortController();
    const part = await observed({
      stop: stop.signal,
      progress: (done) => done.verdicts >= 20 && stop.abort(),
    });
    expect(part.length).toBeLessThan(60);
    const all = await observed({});
    expect(all).toHaveLength(60);
    expect(all.filter((key) => key.endsWith("error"))).toHaveLength(6);
    expect(await observed({})).toEqual(all);
    broken = false;
    const again = await observed({ retryErrors: true });
    expect(again).toHaveLength(60);
    expect(again.every((key) => key.endsWith("verdict"))).toBe(true);
  });

  it("audits other decisions than the workspace's, chosen among like those", async () => {
    const workspace = sample(2);
    const { auditor } = spy();
    const source = (hash: string) => ({
      hash,
      async *decisions() {
        yield ["x1", "x2", "x3"].map((id) => ({ id, community: "c", content: id, decision: "approve" }));
      },
    });
    const run = (changes: Partial<AuditRequest>) =>
      runAudit(fileContext(workspace), request(auditor, { experiment: "attack", ...changes }));
    const first = await run({ source: source("h1"), selection: { limit: 2 } });
    expect((await audits(workspace, first.runId!)).map(({ decision_id }) => decision_id)).toEqual(["x1", "x2"]);
    expect((await run({ source: source("h1"), selection: { limit: 2 } })).status).toBe("done");
    expect((await run({ source: source("h2"), selection: { limit: 2 } })).status).toBe("sealed");
    await expect(run({ source: source("h1"), selection: { communities: ["other"] } })).rejects.toThrow(
      /no decision is of other/,
    );
  });
});
