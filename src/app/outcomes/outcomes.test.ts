import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { GateCommunity } from "../../core/gate.js";
import { realisedRiskSchema } from "../../core/results/realised-risk.js";
import { goodCommunity, goodGate } from "../../measures/gate/route.suite.js";
import { gateWords } from "../../present/gate/gate-words.js";
import { realisedSentence } from "../../present/words/route-words.js";
import { gatePaths, recordGateEvents } from "../../store/files/gate-files.js";
import { all, jsonLines, tempFile, tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { readLabels } from "../../store/files/records.js";
import { fileContext } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { foreignFile } from "../../store/formats/foreign-rows.js";
import { importOutcomes, watchReviews } from "./import-outcomes.js";
import { realisedRisk } from "./realised-risk.js";

const NOW = new Date("2026-11-16T00:00:00Z");
const settings = { delta: 0.05, threadCap: 5, limit: 0.05 };

const route = (id: string, more: object = {}) => ({
  at: "2026-10-01T00:00:00.000Z",
  decision_id: id,
  route: "automate",
  reasons: [],
  community: "plants",
  decision: "remove",
  would_automate: true,
  review_share: 0.1,
  ...more,
});
const drawn = (id: string, more: object = {}) => route(id, { route: "review", sampled: true, ...more });

function routed(lines: readonly object[]): Workspace {
  const workspace = tempWorkspace();
  const path = gatePaths(workspace).routes;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, jsonLines(lines));
  return workspace;
}

const take = (workspace: Workspace, rows: readonly object[] | string, name = "o.jsonl", more: object = {}) =>
  importOutcomes(
    fileContext(workspace, () => NOW),
    [foreignFile(tempFile(name, typeof rows === "string" ? rows : jsonLines(rows)))],
    more,
  );
const realised = (workspace: Workspace) =>
  realisedRisk(
    fileContext(workspace, () => NOW),
    settings,
  );

const at = "2026-10-02T00:00:00Z";

describe("importOutcomes", () => {
  it("takes JSONL and CSV with BOM and CRLF, ignores duplicates and rejects other content and bad rows", async () => {
    const workspace = routed([drawn("a"), drawn("b"), drawn("c")]);
    const csv = `\ufeffdecision_id,outcome,level,saw_audit,reviewer,at\r\na,Uphold,1,No,ann,${at}\r\nb,overturn,3,,ann,${at}\r\n`;
    const first = await take(workspace, csv, "o.csv");
    expect([first.accepted, first.duplicates, first.rejected]).toEqual([2, 0, 0]);
    const second = await take(workspace, [
      { decision_id: "a", outcome: "uphold", level: 1, saw_audit: false, reviewer: "ann", at },
      { decision_id: "a", outcome: "overturn", level: 3, saw_audit: false, reviewer: "ann", at },
      { decision_id: "a", outcome: "overturn", level: 3, reviewer: "bob", at },
      { decision_id: "c", outcome: "maybe", at },
      { decision_id: "c", outcome: "uphold", at: "yesterday" },
      { outcome: "uphold", at },
    ]);
    expect([second.accepted, second.duplicates, second.rejected]).toEqual([1, 1, 4]);
    expect(second.rejects.map(({ field, reason }) => [field, reason])).toEqual([
      ["decision_id, reviewer, source and at", "different content under an id that is already there"],
      ["outcome", 'got "maybe", expected uphold, overturn'],
      ["at", 'got "yesterday", expected a time such as 2026-11-15T04:00:00Z'],
      ["decision_id", "is missing"],
    ]);
  });

  it("counts outcomes of unknown decisions and of decisions that were not drawn, and writes nothing in a dry run", async () => {
    const workspace = routed([drawn("a"), route("b"), route("c", { would_automate: false, route: "review" })]);
    const rows = ["a", "b", "c", "x"].map((decision_id) => ({ decision_id, outcome: "uphold", level: 1, at }));
    expect(await take(workspace, rows, "o.jsonl", { dryRun: true })).toMatchObject({ accepted: 4, outcomes: null });
    expect(await realised(workspace)).toMatchObject({ drawn: 1, outcomes: { in_all: 0 } });
    expect((await take(workspace, rows)).outcomes).toEqual({
      in_all: 4,
      unknown: 1,
      not_drawn: 2,
      random_reviews: 1,
      appeals: 0,
    });
  });

  it("makes labels that know how they were drawn, and makes good what a kill left undone", async () => {
    const workspace = routed([drawn("a"), route("b"), drawn("c")]);
    const row = { outcome: "overturn", level: 3, reviewer: "ann", at };
    appendFileSync(workspace.paths.outcomes, `${JSON.stringify({ decision_id: "a", ...row })}\n{"decision_id":"b","ou`);
    const result = await take(workspace, [
      { decision_id: "b", ...row },
      { decision_id: "x", ...row, source: "appeal" },
      { decision_id: "x", ...row },
      { decision_id: "c", ...row, saw_audit: true },
      { decision_id: "c", outcome: "uphold", reviewer: "bob", at },
    ]);
    expect(result.labels).toEqual({ added: 3, superseded: 0, conflicting: 0 });
    const label = { level: 3, rater: "ann", source: "human", rated_at: at };
    expect(await all(readLabels(workspace))).toEqual([
      { decision_id: "a", ...label, drawn: "review", inclusion: 0.1, stratum: "share 0.1", frame: "automated" },
      { decision_id: "b", ...label, drawn: "queue" },
      { decision_id: "x", ...label, drawn: "appeal" },
    ]);
    const before = readFileSync(workspace.paths.labels, "utf8");
    expect((await take(workspace, [{ decision_id: "b", ...row }])).labels).toEqual({
      added: 0,
      superseded: 0,
      conflicting: 0,
    });
    expect(readFileSync(workspace.paths.labels, "utf8")).toBe(before);
  });

  it("makes the latest outcome of a reviewer the label, and keeps labels that came otherwise", async () => {
    const workspace = routed([drawn("a"), drawn("b"), route("c")]);
    const own = { decision_id: "c", level: 1, rater: "ann", source: "human", rated_at: "2026-09-01", drawn: "queue" };
    appendFileSync(workspace.paths.labels, jsonLines([own]));
    const row = (decision_id: string, level: number | undefined, time: string) => ({
      ...{ decision_id, level, outcome: level === 3 ? "overturn" : "uphold", reviewer: "ann", at: time },
    });
    const later = "2026-10-03T00:00:00Z";
    await take(workspace, [row("a", 1, at), row("b", 1, at)]);
    const second = await take(workspace, [row("a", 3, later), row("b", undefined, later), row("c", 3, at)]);
    expect(second.labels).toEqual({ added: 1, superseded: 2, conflicting: 1 });
    const labels = await all(readLabels(workspace));
    expect(labels.map((label) => [label.decision_id, label.level, label.rated_at])).toEqual([
      ["c", 1, "2026-09-01"],
      ["a", 3, later],
    ]);
    // An outcome of an earlier time that comes later changes nothing.
    const third = await take(workspace, [row("a", 2, "2026-10-01T12:00:00Z")]);
    expect(third.labels).toEqual({ added: 0, superseded: 0, conflicting: 1 });
    expect(await all(readLabels(workspace))).toEqual(labels);
  });
});

describe("watchReviews", () => {
  const gateOf = (changes: Partial<GateCommunity> = {}) => goodGate({ communities: [goodCommunity(changes)] });
  const watch = (workspace: Workspace, gate = gateOf()) =>
    watchReviews(
      fileContext(workspace, () => NOW),
      gate,
      gateWords(),
    );
  const reviewed = async (bad: number, good: number) => {
    const ids = Array.from({ length: bad + good }, (_, i) => `d${i}`);
    const workspace = routed(ids.map((id) => drawn(id)));
    const rows = ids.map((decision_id, i) => ({ decision_id, outcome: "uphold", level: i < bad ? 3 : 1, at }));
    await take(workspace, rows);
    return workspace;
  };

  it("suspends a community in which reviewers find more than the gate allows, with a reason of its own", async () => {
    const workspace = await reviewed(8, 0);
    const { events, watch: found } = (await watch(workspace))!;
    expect(events).toMatchObject([
      { type: "suspended", community: "plants", at: "2026-10-01T00:00:00.000Z", by: "reviews" },
    ]);
    expect(events[0]!.text).toMatch(
      /^Alarm by reviews: reviewers found indefensible decisions in \d of \d reviewed threads, more than the limit of 5\.0% allows/,
    );
    expect(found).toMatchObject({ threads: 8, limit: 0.05 });
    expect(found.promise).toContain("at least 1,000 reviewed threads per community");
  });

  it("leaves one alone that keeps the limit, is suspended, does not pass, or was reinstated since", async () => {
    expect((await watch(await reviewed(2, 98)))!.events).toEqual([]);
    const workspace = await reviewed(8, 0);
    const suspended = { since: "2026-10-02", reason: "alarm" };
    expect((await watch(workspace, gateOf({ suspended })))!.events).toEqual([]);
    const passes = { paper: false, shrunk: false, certified: false };
    expect((await watch(workspace, gateOf({ passes })))!.events).toEqual([]);
    const back = { type: "reinstated", at: "2026-10-05T00:00:00Z", community: "plants" } as const;
    await recordGateEvents(workspace, [back]);
    expect((await watch(workspace))!.events).toEqual([]);
  });

  it("takes no review that never came for a bad one", async () => {
    const workspace = routed(Array.from({ length: 20 }, (_, i) => drawn(`d${i}`)));
    expect((await watch(workspace))!.events).toEqual([]);
    expect(await watch(tempWorkspace())).toBeNull();
  });
});

describe("realisedRisk", () => {
  it("is null where nothing was drawn and there are no outcomes", async () => {
    expect(await realised(tempWorkspace())).toBeNull();
    expect(await realised(routed([route("a")]))).toBeNull();
  });

  it("rests on the first routing of each decision with a known share, and not on shadow", async () => {
    const torn = '{"at":"2026-10-01T00:00:00.000Z","decision_id":"torn","route":"automate","evidence":{}';
    const workspace = routed([
      drawn("a"),
      route("b"),
      drawn("b"),
      drawn("s", { shadow: true }),
      drawn("old", { would_automate: undefined, review_share: undefined }),
      route("n", { would_automate: false, route: "review" }),
    ]);
    appendFileSync(gatePaths(workspace).routes, `${torn}\n${JSON.stringify(drawn("torn"))}\n`);
    const result = (await realised(workspace))!;
    expect(result).toMatchObject({
      frame: 3,
      drawn: 2,
      shares: [0.1],
      left_out: { share_unknown: 1, share_zero: 0, shadow: 1, repeated: 1 },
      risk: { estimate: null, reason: "no_answers", missing: 2 },
    });
    expect(realisedRiskSchema.parse(result)).toEqual(result);
  });

  it("speaks of decisions that could be drawn alone, and counts those routed with a share of 0 apart", async () => {
    const workspace = routed([
      drawn("a"),
      route("b"),
      ...["c", "d", "e"].map((id) => route(id, { review_share: 0 })),
      drawn("e"),
    ]);
    await take(workspace, [{ decision_id: "a", outcome: "uphold", level: 1, at }]);
    const result = (await realised(workspace))!;
    expect(result).toMatchObject({
      frame: 2,
      drawn: 1,
      shares: [0.1],
      left_out: { share_unknown: 0, share_zero: 3, shadow: 0, repeated: 1 },
    });
    expect(realisedSentence(result)).toBe(
      "Of 2 decisions that would have been automated and could be drawn, 1 decision was drawn at random for review. 3 more decisions were routed with a review share of 0 and could not be drawn: their risk is unknown. Reviewers found 0 of 1 indefensible (0.0%), and with 95% confidence at most 95.0% of the 2 are. Whether it is within the limit of 5.0% is not shown yet.",
    );
  });

  it("takes a blank thread for none", async () => {
    const workspace = routed(["a", "b", "c"].map((id, i) => drawn(id, { thread_id: " ".repeat(i % 2) })));
    await take(
      workspace,
      ["a", "b", "c"].map((decision_id) => ({ decision_id, outcome: "uphold", level: 1, at })),
    );
    expect((await realised(workspace))!.risk).toMatchObject({ threads: 3, method: "clopper_pearson" });
  });

  it("keeps reviewers who saw the audit and appeals apart; the latest of a reviewer and the median of several count", async () => {
    const workspace = routed(["a", "b", "c", "d"].map((id) => drawn(id)));
    const row = (decision_id: string, level: number | undefined, more: object = {}) => ({
      decision_id,
      outcome: level === 3 ? "overturn" : "uphold",
      level,
      reviewer: "ann",
      at,
      ...more,
    });
    await take(workspace, [
      row("a", 3),
      row("a", 1, { at: "2026-10-03T00:00:00Z" }),
      row("b", 1),
      row("b", 3, { reviewer: "bob" }),
      row("b", 3, { reviewer: "eve", saw_audit: true }),
      row("c", 3, { saw_audit: true }),
      row("d", undefined),
      row("d", 3, { source: "appeal" }),
    ]);
    const result = (await realised(workspace))!;
    expect(result.risk).toMatchObject({ k: 1, n: 2, missing: 1, estimate: 0.5 });
    expect(result.overturned).toMatchObject({ k: 1, n: 3 });
    expect(result.saw_audit).toMatchObject({ drawn: 1, risk: { k: 1, n: 1 } });
    expect(result.appeals).toEqual({ decisions: 1, overturned: 1, indefensible: 1 });
    expect(JSON.stringify(result)).not.toMatch(/ann|bob|eve/);
  });
});
