import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../../test/support/make-audit.js";
import { erase } from "../../app/evidence/erase.js";
import { checkSeal, seal } from "../../app/evidence/seal.js";
import { type Audit, auditKey } from "../../core/records/audit.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import { answerOf, COMPACT } from "../../measures/signals/answer.suite.js";
import type { Context } from "../context.js";
import { all, decision, failure } from "../files/in-temp-folder.suite.js";
import { batchId } from "../records/erased.js";

const WORD = "canary7f3a";
const TEXT = `Selling a "mower" as good as new, ${WORD}, 50 €, call me any time`;
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const DONE = "20260101T000000Z-0001";
const OPEN = "20260102T000000Z-0002";
const CACHED = createHash("sha256").update("question").digest("hex");

/** A workspace with something of decision `e1` in every store, and as much of `e2`. */
async function filled(context: Context): Promise<Context> {
  const { records, labels, routes, runs } = context;
  const bodies = { e1: TEXT.replace(WORD, `${WORD}-e1`), e2: `Two chairs of oak, ${WORD}-e2` };
  const full = (id: "e1" | "e2") =>
    decision(id, {
      content: { title: `For sale ${id}`, body: bodies[id], language: "en" },
      ...{ rationale: `An offer, ${WORD}-${id}`, appeal: { text: `But ${WORD}-${id}!`, outcome: "pending" } },
      ...{ tags: ["shop"], author: `author-${id}` },
    });
  await records.addDecisions([full("e1"), full("e2")]);
  await records.addPrecedents([{ ...full("e1"), appeal: undefined } as never]);
  const trace = (id: string) => ({
    ...makeAudit().trace,
    logic_chain: `It offers a mower, ${WORD}-${id}, for money`,
  });
  const audit = (run_id: string, id: string) =>
    makeAudit({
      ...{ run_id, decision_id: id, trace: trace(id), citation_spans: [[`${WORD}-${id}`, 0.5]] },
      prompt: { precedents_used: ["p"], precedents_left_out: 1, content_cut: 2, scrubbed: { MAIL1: `${WORD}-${id}` } },
    });
  const answer = (id: string) => ({ ...answerOf(COMPACT), text: `{"logic_chain":"${WORD}-${id}"}` });
  for (const run_id of [DONE, OPEN]) {
    const writer = await runs.create({ ...makeManifest(), run_id, created_at: `2026-01-0${run_id === DONE ? 1 : 2}` });
    await writer.append([audit(run_id, "e1"), audit(run_id, "e2")]);
    const settings = { promptVersion: "p1", template: "paper", tier: "wiki", temperature: 0 } as const;
    const auditor = { name: "baseline", version: "1" };
    await runs.batches(run_id).begin(["x"]);
    for (const [store, key] of [
      [runs.raw(run_id), (id: string) => auditKey(id, "", 0)],
      [runs.batches(run_id).answers, (id: string) => batchId(auditKey(id, "", 0))],
    ] as const) {
      const log = store.open({ ...settings, signal: "logprobs", samples: 1 }, auditor);
      for (const id of ["e1", "e2"]) await log.append(key(id), answer(id));
      await log.close();
    }
    if (run_id === DONE) await writer.seal("2026-01-01T01:00:00.000Z");
    await writer.close();
  }
  const at = "2026-01-03T00:00:00Z";
  for (const id of ["e1", "e2"]) {
    await routes.addOutcomes([{ decision_id: id, outcome: "uphold", level: 1, at, note: `${WORD}-${id}` }]);
    await labels.add([{ decision_id: id, level: 1, rater: "ann", source: "human", note: `${WORD}-${id}` }]);
  }
  const log = routes.openLog();
  await log.append(`${JSON.stringify({ decision_id: "e1", route: "review", reasons: ["no_gate"], at })}\n`);
  await log.close();
  await context.gate.close({ since: at, reason: "a test" });
  const cache = context.openCache();
  await cache.put(CACHED, answer("e1"));
  await cache.close();
  return context;
}

/** Everything that a reader of the stores gets. */
async function everything({ records, labels, routes, runs, openCache }: Context): Promise<string> {
  const found: unknown[] = [await all(records.decisions()), await all(records.precedents())];
  found.push(await all(labels.labels()), await all(routes.outcomes()), await all(routes.lines()));
  for (const { run_id } of await runs.list()) {
    found.push(await all(runs.audits(run_id)));
    for (const store of [runs.raw(run_id), runs.batches(run_id).answers]) {
      const answers = await store.read();
      for (const key of answers?.keys() ?? []) found.push(await answers!.get(key));
      await answers?.close();
    }
  }
  const cache = openCache();
  found.push(await cache.get(CACHED));
  await cache.close();
  return JSON.stringify(found);
}

const request = { authors: [], by: "ann", reason: "asked", dryRun: false, key: privateKey };

/** What every chain and every erasure must do. `create` gives a fresh, empty place. */
export function evidenceContract(name: string, create: () => Context): void {
  const check = (context: Context) => checkSeal(context, { trusted: publicKey, kept: null });

  describe(`${name} keeps the contract of the chain and of erasures`, () => {
    it("seals every log, and what comes later at the next time", async () => {
      const context = await filled(create());
      const { head } = await seal(context, privateKey);
      // Two audits, two outcomes, a route and a change of the gate.
      expect([head!.size, await check(context)]).toMatchObject([6, { ok: true, entries: 6, unsealed: 0, erased: 0 }]);
      expect(await seal(context, privateKey)).toEqual({ added: 0, head: null });
      await context.gate.open("2026-01-04T00:00:00Z");
      expect(await check(context)).toMatchObject({ ok: true, unsealed: 1 });
      expect((await seal(context, privateKey)).added).toBe(1);
      expect(await check(context)).toMatchObject({ ok: true, entries: 7, heads: 2, unsealed: 0 });
    });

    it("erases a decision everywhere, and the chain still holds", async () => {
      const context = await filled(create());
      await seal(context, privateKey);
      const before = await everything(context);
      const hash = await context.records.hash();
      expect(before.split(`${WORD}-e1`).length).toBeGreaterThan(10);
      const dry = await erase(context, { ...request, decisions: ["e1"], dryRun: true });
      expect(dry.places.length).toBeGreaterThan(3);
      expect((await everything(context)) === before).toBe(true);

      const done = await erase(context, { ...request, decisions: ["e1"] });
      expect(done.places.filter(({ what }) => what === "left")).toEqual([]);
      expect(done.head).not.toBe(null);
      const after = await everything(context);
      expect(after.includes(`${WORD}-e1`)).toBe(false);
      expect(after.includes("author-e1")).toBe(false);
      expect(after.split(`${WORD}-e2`).length).toBeGreaterThanOrEqual(10);
      expect(await check(context)).toMatchObject({ ok: true, problems: [], unsealed: 0, erased: 2 });
      const [erased] = (await all(context.records.decisions())).filter(({ id }) => id === "e1");
      expect(erased).toMatchObject({ content: { body: "", language: "en" }, tags: ["shop"], erased: true });
      expect(await context.records.hash()).toBe(hash);
    });

    it("erases what was written about other decisions that quotes it", async () => {
      const context = await filled(create());
      const [{ content }] = (await all(context.records.decisions())).filter(({ id }) => id === "e1") as [Decision];
      const quote = `As in e1: ${(content as { body: string }).body}`;
      const others = [
        decision("e3", { rationale: quote }),
        decision("e4", { content: { body: "No", context: [quote] } }),
        decision("e5", { rationale: "An offer of chairs" }),
      ];
      await context.records.addDecisions(others);
      await erase(context, { ...request, decisions: ["e1"] });
      const after = (await all(context.records.decisions())).filter(({ id }) => id > "e2");
      expect(after).toMatchObject([
        { rationale: "erased" },
        { content: { body: "No", context: ["erased"] } },
        others[2],
      ]);
    });

    it("holds after the next erasure if the first came before the first seal", async () => {
      const context = await filled(create());
      await erase(context, { ...request, decisions: ["e1"] });
      await seal(context, privateKey);
      expect(await check(context)).toMatchObject({ ok: true, erased: 0 });
      await erase(context, { ...request, decisions: ["e2"] });
      expect(await check(context)).toMatchObject({ ok: true, problems: [], erased: 2 });
      expect((await everything(context)).includes(WORD)).toBe(false);
    });

    it("keeps numbers and codes of audits", async () => {
      const context = await filled(create());
      const numbers = async () =>
        (await all(context.runs.audits(DONE))).map(({ level, p_defensible, flags, trace, prompt, citation }) => ({
          ...{ level, p_defensible, flags, weight: trace?.precedent_weight, cut: prompt?.content_cut, citation },
        }));
      const before = await numbers();
      await erase(context, { ...request, decisions: ["e1"] });
      expect(await numbers()).toEqual(before);
    });

    it("does nothing when it is repeated, and one tombstone stays", async () => {
      const context = await filled(create());
      await seal(context, privateKey);
      await erase(context, { ...request, decisions: ["e1"] });
      const again = await erase(context, { ...request, decisions: ["e1"] });
      expect(again).toMatchObject({ decisions: 1, places: [], head: null });
      const [log] = (await context.chain.logs()).filter(({ source }) => source === "erasures");
      expect(log!.records.map((text) => JSON.parse(text))).toMatchObject([
        { decision: createHash("sha256").update("e1").digest("hex"), by: "ann", reason: "asked" },
      ]);
    });

    it("does not take the text back under the same id, and an open run goes on", async () => {
      const context = await filled(create());
      const [before] = (await all(context.records.decisions())).filter(({ id }) => id === "e1");
      await erase(context, { ...request, decisions: ["e1"] });
      expect(await context.records.addDecisions([before!])).toEqual({ accepted: 0, duplicate: 0, conflict: 1 });
      expect((await everything(context)).includes(`${WORD}-e1`)).toBe(false);
      const writer = await context.runs.open(OPEN);
      expect(writer.outcome(auditKey("e1", "", 0))).toBe("verdict");
      await writer.append([makeAudit({ run_id: OPEN, decision_id: "e3" })]);
      await writer.seal("2026-01-02T01:00:00.000Z");
      await writer.close();
      expect(await all(context.runs.audits(OPEN))).toHaveLength(3);
    });

    it("erases what other records quote of it, and leaves what their authors wrote themselves", async () => {
      const context = create();
      const body = `Selling a mower as good as new, ${WORD}, call me any time at all`;
      const footer = "Sent with the app for the classified adverts of our town";
      const written = (id: string, content: Decision["content"]) => decision(id, { content, rationale: "Off topic." });
      const others = [
        written("q2", { body: "Is it still there?", context: ["Thread of the week", body] }),
        written("q3", `Two chairs made of oak. ${footer}`),
        written("q4", body.slice(0, 20)),
        written("q5", `> ${body}\n> ${footer}\nI disagree`),
      ];
      await context.records.addDecisions([written("q1", `${body}\n${footer}`), ...others]);
      const precedents = [written("p1", body), written("p2", footer)] as Precedent[];
      await context.records.addPrecedents(precedents);
      await erase(context, { ...request, decisions: ["q1"] });
      const [q1, q2, ...rest] = await all(context.records.decisions());
      expect([q1!.content, q2!.content]).toEqual([
        "",
        { body: "Is it still there?", context: ["Thread of the week", "erased"] },
      ]);
      expect(rest).toEqual(others.slice(1));
      expect((await all(context.records.precedents())).map(({ id }) => id)).toEqual(["p2"]);
    });

    it("erases the decision of an id alone, however alike others are", async () => {
      const context = create();
      const long = "x".repeat(520);
      const ids = [`${long}A`, `${long}B`, "nul\u0000a", "nul\ufffda"];
      await context.records.addDecisions(ids.map((id, i) => decision(id, { content: `${WORD}-${i}` })));
      const writer = await context.runs.create({ ...makeManifest(), run_id: DONE, created_at: "2026-01-01" });
      const trace = (i: number) => ({ ...makeAudit().trace, logic_chain: `It says ${WORD}-${i}` }) as Audit["trace"];
      await writer.append(ids.map((id, i) => makeAudit({ run_id: DONE, decision_id: id, trace: trace(i) })));
      await writer.close();
      for (const decision_id of ids)
        await context.labels.add([{ decision_id, level: 1, rater: "ann", source: "human", note: "a note" }]);
      expect(await context.erasure.known([ids[0]!, `${long}C`])).toEqual([ids[0]]);
      await erase(context, { ...request, decisions: [ids[0]!, ids[2]!] });
      const decisions = await all(context.records.decisions());
      const audits = await all(context.runs.audits(DONE));
      const labels = await all(context.labels.labels());
      for (const [i, id] of ids.entries()) {
        const isErased = i % 2 === 0;
        expect(decisions.find((one) => one.id === id)!.content).toBe(isErased ? "" : `${WORD}-${i}`);
        const { trace: found } = audits.find((one) => one.decision_id === id)!;
        expect(found!.logic_chain).toBe(isErased ? undefined : `It says ${WORD}-${i}`);
        expect(labels.find((one) => one.decision_id === id)!.note).toBe(isErased ? undefined : "a note");
      }
    });

    it("erases by author, and refuses what it does not know", async () => {
      const context = await filled(create());
      expect((await failure(() => erase(context, { ...request, decisions: ["e1", "e9"] }))).code).toBe(
        "unknown_decision",
      );
      expect((await failure(() => erase(context, { ...request, decisions: [], authors: ["bob"] }))).code).toBe(
        "unknown_author",
      );
      expect((await everything(context)).includes(`${WORD}-e1`)).toBe(true);
      expect(await erase(context, { ...request, decisions: [], authors: ["author-e1"] })).toMatchObject({
        decisions: 1,
      });
      expect((await everything(context)).includes(`${WORD}-e1`)).toBe(false);
      await seal(context, privateKey);
      expect((await failure(() => erase(context, { ...request, decisions: ["e2"], key: null }))).code).toBe(
        "no_signing_key",
      );
    });
  });
}
