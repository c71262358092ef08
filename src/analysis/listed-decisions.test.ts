import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import type { Audit } from "../core/records/audit.js";
import { lookReasons } from "../measures/metrics/agreement.js";
import { LOOK_REASONS } from "../measures/report-page.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { openAuditTable } from "./audit-table.js";
import { LISTED, type ListedDecision, listDecisions } from "./listed-decisions.js";

const folder = mkdtempSync(join(tmpdir(), "listed-"));
let files = 0;

type Listed = ListedDecision & { reason: number };

/** The decisions listed of these audits, with the place of each one's main reason. */
function list(audits: readonly Audit[], most: number): Promise<Listed[]> {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, audits.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return withDuckDB(
    async (db) => {
      const listed = await listDecisions(await openAuditTable(db, { path, format: "jsonl", own: true }), most);
      const rows = await db.rows<{ decision_id: string; reason: number }>(`SELECT decision_id, reason FROM ${LISTED}`);
      const reasons = new Map(rows.map((row) => [row.decision_id, row.reason]));
      return listed.map((one) => ({ ...one, reason: reasons.get(one.decision_id)! }));
    },
    { ordered: false },
  );
}

/** Audits of every combination of what reasons depend on. */
function everyKind(): Audit[] {
  const audits: Audit[] = [];
  for (const outcome of ["verdict", "unscored"] as const)
    for (const level of [1, 2, 3] as const)
      for (const human_label of ["remove", "approve", null])
        for (const inverse of [true, false])
          for (const level_map of [1, 3, null] as const)
            for (const p_defensible of [0.1, 0.25, 0.75, null])
              for (const grounded of [true, false, null])
                for (const flags of [[], ["cached", "injection_suspected"]] as Audit["flags"][]) {
                  const verdict = outcome === "verdict";
                  audits.push(
                    makeAudit({
                      decision_id: `d${audits.length}`,
                      outcome,
                      level: verdict ? level : null,
                      inverse: verdict ? inverse : null,
                      human_label,
                      level_map,
                      p_defensible,
                      flags,
                      citation: grounded === null ? null : { scope: "none", rule_id: null, overlap: 0, grounded },
                    }),
                  );
                }
  return audits;
}

describe("the list of decisions", () => {
  it("knows the same main reason as lookReasons, for every kind of audit", async () => {
    const audits = everyKind();
    const listed = await list(audits, audits.length);
    expect(listed).toHaveLength(audits.length);
    const byId = new Map(audits.map((audit) => [audit.decision_id, audit]));
    const others = listed.filter((one) => {
      const [main] = lookReasons({ ...one, flags: byId.get(one.decision_id)!.flags });
      return LOOK_REASONS[one.reason] !== main;
    });
    expect(others).toEqual([]);
    expect(new Set(listed.map((one) => one.reason)).size).toBe(LOOK_REASONS.length);
  });

  it("takes of every community its most pressing first, however large another is", async () => {
    const wrong = { level: 3, p_defensible: 0.01 } as const;
    const audits = [
      ...Array.from({ length: 50 }, (_, i) => makeAudit({ decision_id: `big${i}`, community: "big", ...wrong })),
      makeAudit({ decision_id: "small-settled", community: "small" }),
      makeAudit({ decision_id: "small-open", community: "small", inverse: true }),
      makeAudit({ decision_id: "tiny", community: "tiny" }),
    ];
    const chosen = async (most: number) => (await list(audits, most)).map((one) => one.decision_id).sort();
    expect(await chosen(3)).toEqual(["big0", "small-open", "tiny"]);
    expect(await chosen(6)).toEqual(["big0", "big1", "big10", "small-open", "small-settled", "tiny"]);
    expect(await chosen(1_000)).toHaveLength(53);
  });

  it("puts the most pressing first: by reason, then by what tells most under it", async () => {
    const one = (decision_id: string, changes: Partial<Audit>) => makeAudit({ decision_id, ...changes });
    const audits = [
      one("settled", {}),
      one("defensible, sure", { human_label: "approve", p_defensible: 0.99 }),
      one("defensible, less sure", { human_label: "approve", p_defensible: 0.9 }),
      one("wrong", { level: 3, p_defensible: 0.2 }),
      one("plainly wrong", { level: 3, p_defensible: 0.01 }),
      one("open", { inverse: true, inverse_yes_prob: 0.6 }),
      one("wide open", { inverse: true, inverse_yes_prob: 0.9 }),
      one("no signal", { inverse: true, inverse_yes_prob: null, p_defensible: null }),
    ];
    expect((await list(audits, 10)).map((row) => row.decision_id)).toEqual([
      "plainly wrong",
      "wrong",
      "defensible, sure",
      "defensible, less sure",
      "wide open",
      "open",
      "no signal",
      "settled",
    ]);
  });

  it("is the same in whatever order the audits stand, and leaves arms and replicates out", async () => {
    const audits = everyKind().map((audit, i) => ({ ...audit, community: `c${i % 7}` }));
    const others = [makeAudit({ decision_id: "d1", arm: "human" }), makeAudit({ decision_id: "d2", replicate: 1 })];
    expect(await list([...others, ...audits].reverse(), 40)).toEqual(await list(audits, 40));
  });

  it("takes ids with odd characters as they are", async () => {
    const ids = ["__proto__", "</script>", "😀", "it's", 'a"b'];
    const listed = await list(
      ids.map((decision_id) => makeAudit({ decision_id, community: decision_id })),
      10,
    );
    expect(listed.map((one) => one.decision_id).sort()).toEqual([...ids].sort());
  });
});
