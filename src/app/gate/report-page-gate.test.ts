import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { addRun, fleetAudits, newWorkspace } from "../../../test/support/make-gate-workspace.js";
import { folder, pageOf } from "../../cli/report/page.suite.js";
import type { Audit } from "../../core/records/audit.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { communityLabels, pageGate } from "../../present/figures/gate-modes.js";
import { gateWords } from "../../present/gate/gate-words.js";
import { putInForce } from "../../store/files/gate-files.js";
import { fileContext, fileStores } from "../../store/files/stores.js";
import { openWorkspace } from "../../store/files/workspace.js";
import { runGate } from "./gate-run.js";
import { type GateChoices, gateSettings } from "./gate-settings.js";
import { inForceGate } from "./kill-switch.js";

describe("the gate of a page", () => {
  it("starts as `defensible gate` of the same workspace says", async () => {
    const root = newWorkspace(folder);
    writeFileSync(
      join(root, "defensible.yaml"),
      "version: 1\nactions: { positive: remove, negative: approve }\ngate: { mode: certified, di: 0.8, ai: 0.3, min_decisions: 20, delta: 0.1, by: [community, decision] }\n",
    );
    const fleet = { calm: { n: 400, bad: 4 }, rough: { n: 100, bad: 40 }, open: { n: 100, open: 60 }, few: { n: 9 } };
    const audits = fleetAudits(fleet).map((audit, i) => ({ ...audit, thread_id: `t${Math.floor(i / 5)}` }));
    await addRun(root, audits, { run_id: "001" });
    const page = await pageOf(root);
    const { by, cohorts, ...settings } = page.gate_input;
    const evaluated = evaluateGate(cohorts, settings);
    const workspace = openWorkspace(root);
    const { report } = await runGate(fileContext(workspace), await fileStores(workspace).runs.manifest("001"), {
      settings: gateSettings({}, workspace.config.gate),
      holdout: null,
      slices: [],
      words: gateWords(),
      watch: false,
      now: "2026-02-01T00:00:00Z",
    });
    expect([by, settings.look, settings.adjust]).toEqual([report.by, report.look, "holm"]);
    expect(cohorts.some((cohort) => (cohort.design_effect ?? 1) > 1)).toBe(true);
    expect(evaluated.fleet).toEqual(report.fleet);
    const states = (communities: readonly { community: string; state: string; passes: object }[]) =>
      communities.map(({ community, state, passes }) => ({ community, state, passes }));
    expect(states(evaluated.communities)).toEqual(states(report.communities));
    expect(evaluated.communities.some((one) => one.passes.certified)).toBe(true);
  });

  it("asks for the labels that the gate in force was given, so that certified mode with --judge-error is the same", async () => {
    const root = newWorkspace(folder);
    const audits = fleetAudits({ calm: { n: 400, bad: 2 }, unlabelled: { n: 400, bad: 2 }, few: { n: 400, bad: 2 } });
    await addRun(root, audits, { run_id: "001" });
    const labelled = (community: string, n: number) =>
      audits.filter((audit) => audit.community === community).slice(0, n);
    const labels = [...labelled("calm", 150), ...labelled("few", 20)].map(({ decision_id, inverse }, i) =>
      JSON.stringify({ decision_id, level: i === 0 ? 3 : 1, inverse, source: "human", drawn: "random" }),
    );
    writeFileSync(join(root, "labels.jsonl"), labels.map((line) => `${line}\n`).join(""));
    const workspace = openWorkspace(root);
    const look = async (flags: GateChoices) => {
      const { report } = await runGate(fileContext(workspace), await fileStores(workspace).runs.manifest("001"), {
        settings: gateSettings({ mode: "certified", ...flags }, workspace.config.gate),
        holdout: null,
        slices: [],
        words: gateWords(),
        watch: false,
        now: "2026-02-01T00:00:00Z",
      });
      const gate = inForceGate(report, new Map());
      putInForce(workspace, { gate, sampling_key: "0".repeat(64), in_force_since: "2026-02-01T00:00:00Z" });
      return { report, page: await pageOf(root) };
    };
    const certified = ({ communities }: { communities: readonly { certified: object; passes: object }[] }) =>
      communities.map(({ certified, passes }) => ({ certified, passes }));
    const { report, page } = await look({ judgeError: true });
    expect(page.gate_input.label_counts).toEqual([
      { key: "calm", labels: 150, indefensible: 1 },
      { key: "few", labels: 20, indefensible: 0 },
    ]);
    expect(certified(pageGate(page))).toEqual(certified(report));
    expect(pageGate(page).methods).toEqual(report.methods);
    expect(pageGate(page).communities.map((one) => one.passes.certified)).toEqual([true, false, false]);
    const divided = await look({ judgeError: true, by: ["community", "decision"] });
    expect(certified(pageGate(divided.page))).toEqual(certified(divided.report));
    expect(communityLabels(divided.page)).toEqual(page.gate_input.label_counts);
    const without = await look({ judgeError: false });
    expect(without.page.gate_input.label_counts).toBeUndefined();
    expect(certified(pageGate(without.page))).toEqual(certified(without.report));
    expect(pageGate(without.page).communities.every((one) => one.passes.certified)).toBe(true);
  });
});

describe("runs with little in them", () => {
  const small = async (audits: readonly Audit[], seal: boolean) => {
    const root = newWorkspace(folder);
    await addRun(root, audits, { run_id: "001" }, seal);
    return pageOf(root);
  };

  it("make a page: no audits, one, and none with a verdict; finished or still written", async () => {
    const odd = ["__proto__", "</script>", "😀"];
    for (const seal of [true, false]) {
      const empty = await small([], seal);
      expect([empty.decisions, empty.decisions_of, empty.timeline, empty.gate_input.cohorts]).toEqual([
        [],
        0,
        null,
        [],
      ]);
      const one = await small(
        [makeAudit({ level_probs: null, p_defensible: null, pds: null, citation_spans: null })],
        seal,
      );
      expect(one.decisions).toMatchObject([{ id: "d1", body: null, audit: { level: 1, spans: [], pds: null } }]);
      const none = { outcome: "unscored", level: null, inverse: null } as const;
      const unscored = await small(
        odd.map((decision_id) => makeAudit({ ...none, decision_id, community: decision_id })),
        seal,
      );
      expect(unscored.decisions.map((each) => each.id).sort()).toEqual([...odd].sort());
      expect(unscored.decisions.map((each) => each.reasons)).toEqual(odd.map(() => ["not_scored"]));
    }
  });
});
