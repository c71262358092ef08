import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { addDecisions, addRun, newWorkspace } from "../../../test/support/make-gate-workspace.js";
import { hashText } from "../../audit/arms.js";
import type { Audit } from "../../core/records/audit.js";
import type { Precedent } from "../../core/records/decision.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { ReportPage } from "../../measures/report-page.js";
import { folder, MARK, pageOf, writtenWorkspace } from "./page.suite.js";

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const shelf: Precedent[] = [
  { id: "p1", community: "boats", content: "An engine for sale", decision: "remove", rule_id: "R1" },
  { id: "p2", community: "boats", content: "A mast of spruce, cheap", decision: "approve", rationale: "No shop." },
  { id: "x", community: "planes", content: "A mast of spruce", decision: "approve" },
];
const hashOf = (precedents: readonly Precedent[]) => hashText(JSON.stringify(precedents));

/** The page of a run on decisions a and b of one community, with these precedents in the workspace. */
async function pageWith(
  audits: readonly Partial<Audit>[],
  { precedents = shelf, ...changes }: Partial<Manifest> & { precedents?: readonly Precedent[] } = {},
): Promise<ReportPage> {
  const root = newWorkspace(folder);
  const decisions = { a: "Who buys a mast of spruce?", b: "Engine, nearly new" };
  addDecisions(
    root,
    Object.entries(decisions).map(([id, content]) => ({ id, community: "boats", content, decision: "remove" })),
  );
  mkdirSync(join(root, "rules"), { recursive: true });
  const rules = { scope: "community", community: "boats", version: "1", rules: [{ id: "R1", title: "Sails only" }] };
  writeFileSync(join(root, "rules", "boats.json"), JSON.stringify(rules));
  writeFileSync(join(root, "precedents.jsonl"), lines(precedents));
  const hashes = { decisions: "d", rules: "r", precedents: hashOf(shelf) };
  const rows = audits.map((one) => makeAudit({ community: "boats", ...one }));
  await addRun(root, rows, { run_id: "001", hashes, ...changes });
  return pageOf(root, { decisions: 100 }, { run: "001" });
}

const of = (page: ReportPage, id: string) => page.decisions.find((one) => one.id === id)!.precedents;
const idsOf = (page: ReportPage, id: string) => of(page, id).places.map((place) => page.precedents[place]!.id);
const trace = makeAudit({}).trace!;
const prompt = { precedents_left_out: 0, content_cut: 0, scrubbed: null };

describe("precedents in a page", () => {
  it("are all of the community where the auditor saw the whole case, each once, the most like the content first", async () => {
    const page = await pageWith([{ decision_id: "a" }, { decision_id: "b" }]);
    expect([page.changed_since_run?.includes("precedents"), page.precedents.length]).toEqual([false, 2]);
    expect([idsOf(page, "a"), idsOf(page, "b")]).toEqual([
      ["p2", "p1"],
      ["p1", "p2"],
    ]);
    expect(of(page, "a")).toMatchObject({ shown: 2, left_out: 0, gone: 0, cited: [] });
    expect(page.precedents.find((one) => one.id === "p2")).toEqual({
      id: "p2",
      community: "boats",
      decision: "approve",
      rule_id: null,
      decided_at: null,
      text: { text: "A mast of spruce, cheap", length: 23 },
      rationale: { text: "No shop.", length: 8 },
    });
  });

  it("are those that the audit names where it was shown some, and says how many are gone", async () => {
    const used = { ...prompt, precedents_used: ["p1", "old"], precedents_left_out: 7 };
    const page = await pageWith([{ decision_id: "a", prompt: used }]);
    expect(idsOf(page, "a")).toEqual(["p1"]);
    expect(of(page, "a")).toMatchObject({ shown: 2, left_out: 7, gone: 1 });
    expect(page.precedents.map((one) => one.id)).toEqual(["p1"]);
  });

  it("are the cited ones alone where nobody knows which were shown: others are in the workspace, or an arm had its own", async () => {
    const citing = { citation: { scope: "precedent", rule_id: "p2", overlap: 1, grounded: true } } as const;
    const audits = [{ decision_id: "a", ...citing }];
    const changed = await pageWith(audits, { precedents: shelf.slice(1) });
    expect(changed.changed_since_run).toContain("precedents");
    expect([of(changed, "a").shown, idsOf(changed, "a")]).toEqual([null, []]);
    expect(changed.precedents.map((one) => one.id)).toEqual(["p2"]);
    const without = { kind: "diff", arms: [{ name: "", precedents: false }, { name: "with" }] } as const;
    const armed = await pageWith(audits, { experiment: without as unknown as NonNullable<Manifest["experiment"]> });
    expect(of(armed, "a").shown).toBeNull();
  });

  it("say which citation each stands in: found by grounding, or named beside a rule; and which the workspace lacks", async () => {
    const page = await pageWith([
      {
        decision_id: "a",
        trace: { ...trace, policy_citation: "R1, see precedent p2", inverse_citation: "precedent p1: an engine" },
        inverse_citation: { scope: "precedent", rule_id: "p1", overlap: 1, grounded: true },
      },
      { decision_id: "a", arm: "human", citation: { scope: "precedent", rule_id: "p2", overlap: 1, grounded: true } },
      { decision_id: "b", citation: { scope: "precedent", rule_id: "p9", overlap: 1, grounded: true } },
    ]);
    const cited = (id: string) =>
      of(page, id).cited.map((one) => [one.id, one.place === null ? null : page.precedents[one.place]!.id, one.by]);
    expect(cited("a")).toEqual([
      ["p2", "p2", ["audit", "human_audit"]],
      ["p1", "p1", ["inverse"]],
    ]);
    expect(cited("b")).toEqual([["p9", null, ["audit"]]]);
  });

  it("take an id that a rule has too for the rule's, unless the citation says precedent", async () => {
    const numbered = [{ ...shelf[0]!, id: "R1" }, shelf[1]!];
    const cite = (policy_citation: string) => ({ trace: { ...trace, policy_citation } });
    const hashes = { decisions: "d", rules: "r", precedents: hashOf(numbered) };
    const page = await pageWith(
      [
        { decision_id: "a", ...cite("R1: sails only") },
        { decision_id: "b", ...cite("precedent R1") },
      ],
      { precedents: numbered, hashes },
    );
    expect(of(page, "a").cited).toEqual([]);
    expect(of(page, "b").cited.map(({ id }) => id)).toEqual(["R1"]);
  });

  it("are lengths and hashes where the page is redacted, under the name by which they are cited", async () => {
    const root = await writtenWorkspace();
    const plain = await pageOf(root);
    expect(plain.precedents.map((one) => one.id).sort()).toEqual([`${MARK} p2`, "p1"]);
    const page = await pageOf(root, { decisions: 100, redact: true });
    expect(JSON.stringify([page.precedents, page.decisions])).not.toContain(MARK);
    const { cited, places } = of(page, "plain");
    const [second] = cited;
    expect([places.length, cited.length, second!.by]).toEqual([2, 1, ["inverse"]]);
    expect(page.precedents[second!.place!]).toEqual({
      id: second!.id,
      community: "boats",
      decision: "approve",
      rule_id: null,
      decided_at: null,
      text: { text: null, length: 9, hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
      rationale: null,
    });
    expect(second!.id).toMatch(/^rule [0-9a-f]{8}$/);
    expect(page.precedents.find((one) => one.id === "p1")).toMatchObject({ decision: "remove", rule_id: "R1" });
  });

  it("are left out with the decisions", async () => {
    const page = await pageOf(await writtenWorkspace(), { decisions: null });
    expect(page.precedents).toEqual([]);
  });
});
