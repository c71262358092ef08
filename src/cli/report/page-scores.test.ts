import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { addDecisions, addRun, newWorkspace } from "../../../test/support/make-gate-workspace.js";
import type { Decision } from "../../core/records/decision.js";
import type { Level } from "../../core/records/level.js";
import { folder, pageOf } from "./page.suite.js";

const ids = Array.from({ length: 40 }, (_, i) => `d${i}`);

/** 40 verdicts of level 1, S = 0.91 each; gold says level 3 of the first ten, and speaks of `gold` of them. */
async function workspaceWith(gold: number): Promise<string> {
  const root = newWorkspace(folder);
  const level = (i: number): Level => (i < 10 ? 3 : 1);
  addDecisions(
    root,
    ids.map(
      (id, i): Decision => ({
        id,
        community: "a",
        content: "text",
        decision: "remove",
        ...(i < gold ? { gold: { level: level(i), inverse: false, rule_ids: ["R1"] } } : {}),
      }),
    ),
  );
  await addRun(
    root,
    ids.map((decision_id) => makeAudit({ decision_id, community: "a", level: 1, pds: 0.91 })),
    { run_id: "001" },
  );
  return root;
}

describe("what the page knows of S", () => {
  it("is by reference annotations too where these speak of enough verdicts", async () => {
    const { calibration_details: details } = await pageOf(await workspaceWith(40));
    expect(details).toMatchObject({
      pds_by_level: [{ level: 1, bin: 36, n: 40 }],
      pds_medians: [{ level: 1, median: 0.91 }],
      pds_by_label: {
        kind: "gold",
        bins: [
          { level: 1, bin: 36, n: 30 },
          { level: 3, bin: 36, n: 10 },
        ],
      },
    });
  });

  it("takes people's labels before gold", async () => {
    const root = await workspaceWith(40);
    const labels = ids.map((decision_id) => `${JSON.stringify({ decision_id, level: 2, source: "human" })}\n`);
    writeFileSync(join(root, "labels.jsonl"), labels.join(""));
    expect((await pageOf(root)).calibration_details!.pds_by_label).toEqual({
      kind: "human",
      bins: [{ level: 2, bin: 36, n: 40 }],
    });
  });

  it("leaves labels of fewer than 30 verdicts out", async () => {
    expect((await pageOf(await workspaceWith(29))).calibration_details!.pds_by_label).toBeNull();
  });
});
