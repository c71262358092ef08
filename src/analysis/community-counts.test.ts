import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import type { Audit } from "../core/records/audit.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { openAuditTable } from "./audit-table.js";
import { countCommunities } from "./tallies.js";

const folder = mkdtempSync(join(tmpdir(), "community-counts-"));

function communitiesOf(rows: readonly Partial<Audit>[]) {
  const path = join(folder, "audits.jsonl");
  writeFileSync(
    path,
    rows.map((row, i) => `${JSON.stringify(makeAudit({ decision_id: `d${i}`, ...row }))}\n`).join(""),
  );
  return withDuckDB(async (db) => countCommunities(await openAuditTable(db, { path, format: "jsonl", own: true })));
}

const cites = (scope: "platform" | "community", rule_id: string) => ({
  citation: { scope, rule_id, overlap: 1, grounded: true },
});

it("counts each community's levels, and names the rules of its verdicts that are open", async () => {
  const open_labels = { positive: 1, negative: 0 };
  const communities = await communitiesOf([
    { level: 1, inverse: false, ...cites("community", "R1") },
    { level: 2, inverse: true, ...cites("community", "R1") },
    { level: 2, inverse: true, ...cites("platform", "P1") },
    { level: 3, inverse: true, ...cites("platform", "P1") },
    { level: 3, inverse: false, ...cites("platform", "P2") },
    { level: 1, inverse: false, arm: "t=1" },
    { community: "silent", outcome: "error", level: null, inverse: null },
  ]);
  expect(communities).toEqual([
    {
      community: "alpha",
      levels: [1, 2, 2],
      inverse_yes: [0, 2, 1],
      ambiguous_rules: [
        { scope: "platform", owner: null, rule_id: "P1", n: 2, inverse_yes: 2, inverse_yes_pure: 1, open_labels },
        { scope: "community", owner: "alpha", rule_id: "R1", n: 2, inverse_yes: 1, inverse_yes_pure: 1, open_labels },
      ],
    },
    { community: "silent", levels: [0, 0, 0], inverse_yes: [0, 0, 0], ambiguous_rules: [] },
  ]);
});

it("names the rule of most verdicts open both ways also where more are merely wrong under others", async () => {
  const wrong = ["R1", "R2", "R3"].flatMap((rule) =>
    [1, 2, 3].map(() => ({ level: 3 as const, inverse: true, ...cites("community", rule) })),
  );
  const open = [1, 2].map(() => ({ level: 2 as const, inverse: true, ...cites("community", "R4") }));
  const [alpha] = await communitiesOf([...wrong, ...open]);
  expect(alpha!.ambiguous_rules.map(({ rule_id, inverse_yes_pure }) => [rule_id, inverse_yes_pure])).toEqual([
    ["R1", 0],
    ["R2", 0],
    ["R3", 0],
    ["R4", 2],
  ]);
});
