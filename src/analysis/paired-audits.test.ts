import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import type { Audit } from "../core/records/audit.js";
import { auditedIndex } from "../measures/metrics/judge/counts.js";
import { pairIndex } from "../measures/metrics/paired/paired-change.js";
import { withDuckDB } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { type PairOptions, type PairSide, readPairedAudits } from "./paired-audits.js";

const folder = mkdtempSync(join(tmpdir(), "paired-audits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function side(rows: Partial<Audit>[], own = false): PairSide {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(makeAudit(row))}\n`).join(""));
  return { source: { path, format: "jsonl", own } };
}

function csv(content: string): PairSide {
  const source: AuditSource = { path: join(folder, `${files++}.csv`), format: "csv", own: false };
  writeFileSync(source.path, content);
  return { source };
}

const read = (a: PairSide, b: PairSide, options?: PairOptions) =>
  withDuckDB((db) => readPairedAudits(db, a, b, options));
const at = (level: 1 | 2 | 3, inverse: boolean) => auditedIndex(level, inverse);

describe("readPairedAudits", () => {
  it("joins by decision and counts each pair of verdicts in its community", async () => {
    const a = side([
      { decision_id: "1", level: 1, inverse: false },
      { decision_id: "2", level: 3, inverse: true },
      { decision_id: "3", level: 3, inverse: true },
      { decision_id: "4", level: 2, inverse: true, community: "beta" },
      { decision_id: "only-a" },
    ]);
    const b = side([
      { decision_id: "4", level: 2, inverse: false, community: "beta" },
      { decision_id: "3", level: 2, inverse: true },
      { decision_id: "2", level: 2, inverse: true },
      { decision_id: "1", level: 1, inverse: false },
      { decision_id: "only-b-1" },
      { decision_id: "only-b-2" },
    ]);
    const got = await read(a, b);
    expect(got).toMatchObject({ attempted: [5, 6], shared: 4, only: [1, 2], without_verdict: 0 });
    expect(got.pairs.map((pairs) => pairs.community)).toEqual(["alpha", "beta"]);
    const [alpha, beta] = got.pairs;
    expect(alpha!.cells[pairIndex(at(3, true), at(2, true))]).toBe(2);
    expect(alpha!.cells[pairIndex(at(1, false), at(1, false))]).toBe(1);
    expect(beta!.cells[pairIndex(at(2, true), at(2, false))]).toBe(1);
    expect(got.pairs.reduce((sum, pairs) => sum + pairs.cells.reduce((x, y) => x + y), 0)).toBe(4);
  });

  it("compares main rows only, and the newest of a run that is being written", async () => {
    const a = side(
      [
        { decision_id: "1", level: 3 },
        { decision_id: "1", level: 1 },
      ],
      true,
    );
    const b = side([
      { decision_id: "1", level: 1 },
      { decision_id: "1", level: 3, arm: "human" },
      { decision_id: "1", level: 3, replicate: 1 },
    ]);
    const got = await read(a, b);
    expect(got).toMatchObject({ attempted: [1, 1], shared: 1 });
    expect(got.pairs[0]!.cells[pairIndex(at(1, false), at(1, false))]).toBe(1);
  });

  it("counts shared decisions without a verdict, with other actions and in other communities", async () => {
    const a = side([
      { decision_id: "1", outcome: "error", level: null, inverse: null },
      { decision_id: "2", decision: "approve" },
      { decision_id: "3" },
      { decision_id: "4", outcome: "unscored", level: null, inverse: null, decision: "approve" },
    ]);
    const b = side([
      { decision_id: "1" },
      { decision_id: "2", decision: "remove" },
      { decision_id: "3", community: "gamma" },
      { decision_id: "4", decision: "approve" },
    ]);
    const got = await read(a, b);
    expect(got).toMatchObject({ shared: 4, without_verdict: 2, different_action: 1, different_community: 1 });
    expect(got.pairs).toHaveLength(1);
    expect(got.pairs[0]).toMatchObject({ community: "alpha" });
    expect(got.pairs[0]!.cells.reduce((x, y) => x + y)).toBe(2);
    const same = await read(a, b, { sameActionOnly: true });
    expect(same).toMatchObject({ different_action: 1 });
    expect(same.pairs[0]!.cells.reduce((x, y) => x + y)).toBe(1);
  });

  it("reads of a file how it was made, and says where it was made in several ways", async () => {
    const a = side([{ decision_id: "1" }, { decision_id: "2", auditor: "gpt", temperature: 1 }]);
    const b = csv("decision_id,community,decision,level,inverse,tier\n1,alpha,remove,2,no,sidebar\n");
    const { settings } = await read(a, b);
    expect(settings[0]).toMatchObject({ auditor: "2 different", temperature: "2 different", tier: "wiki" });
    expect(settings[1]).toMatchObject({ auditor: null, temperature: null, tier: "sidebar" });
  });

  it("reads each side with its own actions", async () => {
    const a = side([{ decision_id: "1", decision: "remove" }]);
    const b = csv("decision_id,community,decision,level,inverse\n1,alpha,block,1,no\n");
    const got = await read(a, { ...b, actions: { positive: "block", negative: "allow" } });
    expect(got).toMatchObject({ shared: 1, different_action: 0 });
  });

  it("finds nothing shared where nothing is", async () => {
    const got = await read(side([{ decision_id: "1" }]), side([{ decision_id: "2" }]));
    expect(got).toMatchObject({ shared: 0, only: [1, 1], pairs: [] });
  });
});
