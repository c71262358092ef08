import { describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../../test/support/make-audit.js";
import { openAuditTable } from "../../analysis/audit-table.js";
import { BusyError, InputError } from "../../core/errors.js";
import { type Audit, auditKey } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { withDuckDB } from "../files/duckdb.js";
import type { RawStore, RunStore } from "../ports.js";

const RUN = {
  promptVersion: "p1",
  template: "paper",
  tier: "wiki",
  temperature: 0,
  signal: "logprobs",
  samples: 1,
} as const;

async function keepAnswers(store: RawStore, answers: Record<string, string>): Promise<void> {
  const log = store.open(RUN, { name: "baseline", version: "1" });
  for (const [key, text] of Object.entries(answers)) await log.append(key, makeGeneration(text));
  await log.close();
}

async function answersIn(store: RawStore): Promise<Record<string, string>> {
  const answers = (await store.read())!;
  const found: Record<string, string> = {};
  for (const key of answers.keys()) found[key] = (await answers.get(key))!.text;
  expect(await answers.get("none")).toBe(null);
  await answers.close();
  return found;
}

function makeGeneration(text: string): Generation {
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, cost_usd: null };
  return { text, tokens: null, finish: "stop", space: "raw", temperature: 0, support: "top_k", model: "m", usage };
}

/** What every store of runs must do, whatever it is made of. `create` gives a fresh, empty one. */
export function runStoreContract(name: string, create: () => RunStore): void {
  const all = async (store: RunStore, runId: string) => {
    const audits: Audit[] = [];
    for await (const batch of store.audits(runId)) audits.push(...batch);
    return audits;
  };
  const runId = makeManifest().run_id;

  describe(`${name} keeps the contract of a store of runs`, () => {
    it("is empty at first", async () => {
      expect(await create().list()).toEqual([]);
    });

    it("gives back what was appended, before and after sealing", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      const audit = makeAudit();
      await writer.append([audit]);
      expect(await all(store, runId)).toEqual([audit]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      const [sealed] = await all(store, runId);
      for (const [field, value] of Object.entries(audit)) {
        const back = sealed?.[field];
        // An optional part that was absent comes back as null.
        if (field === "trace") expect(back).toMatchObject(value as object);
        else expect(back, field).toEqual(value);
      }
      expect((await store.manifest(runId)).status).toBe("sealed");
    });

    it("keeps hostile text: quotes, newlines, emoji, right-to-left, lone surrogates", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      const texts = [
        'a "quoted" \\ line\nbreak',
        "مرحبا 🙂",
        "half \ud83d",
        "\\ud83d literally",
        "nul \u0000 byte",
        "'; DROP TABLE audits; --",
      ];
      const audits = texts.map((text, i) =>
        makeAudit({ decision_id: `d${i}`, trace: { logic_chain: text, policy_citation: text } }),
      );
      await writer.append(audits);
      await writer.seal("2026-01-01T01:00:00.000Z");
      const back = await all(store, runId);
      expect(back.map((audit) => audit.trace?.logic_chain)).toEqual(texts.map((text) => text.toWellFormed()));
    });

    it("keeps the verdict of a model that wrote without end", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      const spans = Array.from({ length: 200_000 }, (): [string, number] => ["\u0000\u0001", 0.5]);
      await writer.append([
        makeAudit({ trace: { logic_chain: "\u0000".repeat(1e6) }, citation_spans: spans }),
        makeAudit({
          decision_id: "d2",
          outcome: "error",
          level: null,
          inverse: null,
          error: { code: "x", message: "y".repeat(3e6) },
        }),
      ]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      expect((await all(store, runId)).map((audit) => [audit.outcome, audit.level])).toEqual([
        ["verdict", 1],
        ["error", null],
      ]);
    });

    it("knows what it has, so that no key is audited twice", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await writer.append([
        makeAudit(),
        makeAudit({ decision_id: "d2", outcome: "error", level: null, inverse: null }),
      ]);
      expect(writer.outcome(auditKey("d1", "", 0))).toBe("verdict");
      expect(writer.outcome(auditKey("d2", "", 0))).toBe("error");
      expect(writer.outcome(auditKey("d1", "", 1))).toBeUndefined();
      await writer.close();
      const again = await store.open(runId);
      expect(again.outcome(auditKey("d1", "", 0))).toBe("verdict");
      expect(again.counts()).toEqual({ verdicts: 1, unscored: 0, errors: 1 });
      await again.close();
    });

    it("lets a later audit of a key replace the earlier one", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await writer.append([makeAudit({ outcome: "error", level: null, inverse: null })]);
      await writer.append([makeAudit({ level: 2 })]);
      expect((await all(store, runId)).map((audit) => audit.level)).toEqual([2]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      expect((await all(store, runId)).map((audit) => audit.level)).toEqual([2]);
      expect((await store.manifest(runId)).counts).toMatchObject({ verdicts: 1, errors: 0 });
    });

    it("seals rows in the order of their keys, whatever the order of writing", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      const keys: [string, string, number][] = [
        ["b", "", 0],
        ["a", "human", 0],
        ["a", "", 10],
        ["a", "", 2],
        ["ab", "", 0],
        ["a", "", 0],
      ];
      for (const [decision_id, arm, replicate] of keys)
        await writer.append([makeAudit({ decision_id, arm, replicate })]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      const sealed = (await all(store, runId)).map((audit) => [audit.decision_id, audit.arm, audit.replicate]);
      expect(sealed).toEqual([
        ["a", "", 0],
        ["a", "", 2],
        ["a", "", 10],
        ["a", "human", 0],
        ["ab", "", 0],
        ["b", "", 0],
      ]);
    });

    it("refuses a second writer politely and lets the first go on", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await expect(store.open(runId)).rejects.toThrow(BusyError);
      await writer.append([makeAudit()]);
      await writer.close();
      const next = await store.open(runId);
      await next.close();
    });

    it("lets others read while one writes", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await writer.append([makeAudit()]);
      const rows = await withDuckDB(async (db) => (await openAuditTable(db, await store.snapshot(runId))).rows);
      expect(rows).toBe(1);
      await writer.close();
    });

    it("gives a sealed run in columns, and the same whenever it is asked for", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await writer.append([makeAudit({ level: 3 }), makeAudit({ decision_id: "d2" })]);
      await writer.append([makeAudit({ level: 2 })]);
      const levels = async () => {
        const source = await store.snapshot(runId);
        return withDuckDB(async (db) => {
          await openAuditTable(db, source);
          return db.rows("SELECT level::INTEGER AS level FROM audits ORDER BY ALL");
        });
      };
      expect(await levels()).toEqual([{ level: 1 }, { level: 2 }]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      const sealed = await store.snapshot(runId);
      expect(sealed).toMatchObject({ format: "parquet", own: true });
      expect(await store.snapshot(runId)).toEqual(sealed);
      expect(await levels()).toEqual([{ level: 1 }, { level: 2 }]);
    });

    it("notes what is added to the manifest, and lets nothing change what identifies the run", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await writer.annotate({ capabilities: { logprobs: true }, run_id: "other", fingerprint: "other" });
      await writer.replan(7);
      const { fingerprint } = makeManifest();
      expect(await store.manifest(runId)).toMatchObject({
        run_id: runId,
        fingerprint,
        capabilities: { logprobs: true },
      });
      expect((await store.manifest(runId)).counts.planned).toBe(7);
      await writer.close();
    });

    it("adds up what audits cost, those too that were replaced", async () => {
      const store = create();
      const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 2, cost_usd: 0.5 };
      const writer = await store.create(makeManifest());
      await writer.append([makeAudit({ usage })]);
      await writer.append([makeAudit({ usage })]);
      await writer.close();
      const again = await store.open(runId);
      expect(again.usage()).toMatchObject({ input_tokens: 20, cost_usd: 1 });
      await again.close();
    });

    it("lets one at a time start a run", async () => {
      const store = create();
      const order: string[] = [];
      const one = (name: string) =>
        store.withRunLock(async () => {
          order.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 5));
          order.push(`${name} ends`);
        });
      await Promise.all([one("a"), one("b")]);
      expect(order.map((words) => words.split(" ")[1])).toEqual(["begins", "ends", "begins", "ends"]);
      await expect(store.withRunLock(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
      expect(await store.withRunLock(async () => 1)).toBe(1);
    });

    it("refuses to start a run under a taken id, and to delete one that is written", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await writer.append([makeAudit()]);
      await expect(store.create(makeManifest())).rejects.toThrow();
      await expect(store.delete(runId)).rejects.toThrow(BusyError);
      await writer.close();
      expect((await all(store, runId)).length).toBe(1);
    });

    it("refuses to continue a sealed run, an unknown run and a path for a name", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await writer.append([makeAudit()]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      await expect(store.open(runId)).rejects.toThrow(/sealed/);
      await expect(store.manifest("nope")).rejects.toThrow(InputError);
      await expect(store.manifest("../..")).rejects.toThrow(InputError);
    });

    it("lists the newest first and forgets what was deleted", async () => {
      const store = create();
      for (const day of [1, 3, 2]) {
        const run_id = `2026010${day}T000000Z-0001`;
        const writer = await store.create(makeManifest({ run_id, created_at: `2026-01-0${day}T00:00:00.000Z` }));
        await writer.close();
      }
      expect((await store.list()).map((run) => run.run_id.slice(7, 8))).toEqual(["3", "2", "1"]);
      await store.delete("20260103T000000Z-0001");
      expect((await store.list()).map((run) => run.run_id.slice(7, 8))).toEqual(["2", "1"]);
    });

    it("keeps raw answers by their key, and gives them to another run that has none", async () => {
      const store = create();
      for (const run_id of [runId, "20260102T000000Z-0001"])
        await (await store.create(makeManifest({ run_id }))).close();
      const raw = store.raw(runId);
      expect(await raw.read()).toBe(null);
      await keepAnswers(raw, { a: "one", b: "größe 🙂" });
      await keepAnswers(raw, { a: "two" });
      expect(await answersIn(raw)).toEqual({ a: "two", b: "größe 🙂" });
      await store.copyRaw(runId, "20260102T000000Z-0001");
      const copied = store.raw("20260102T000000Z-0001");
      await keepAnswers(copied, { c: "three" });
      expect(await answersIn(copied)).toEqual({ a: "two", b: "größe 🙂", c: "three" });
      expect(Object.keys(await answersIn(raw))).toEqual(["a", "b"]);
    });

    it("keeps what was sent to a batch service", async () => {
      const store = create();
      await (await store.create(makeManifest())).close();
      const batches = store.batches(runId);
      expect(await batches.parts()).toEqual([]);
      const first = await batches.begin(["q1", "q2"]);
      const second = await batches.begin(["q3"]);
      const handle = { id: "h1", items: 2, submitted_at: "2026-01-01T00:00:00Z" };
      await batches.save({ ...first, handles: [handle], sent: true });
      expect(await store.batches(runId).parts()).toEqual([
        { part: 1, handles: [handle], sent: true, collected: false },
        { part: 2, handles: [], sent: false, collected: false },
      ]);
      expect([await batches.ids(1), await batches.ids(2)]).toEqual([["q1", "q2"], ["q3"]]);
      await batches.forget(second);
      expect((await batches.parts()).map(({ part }) => part)).toEqual([1]);
      await keepAnswers(batches.answers, { q1: "answered" });
      expect(await answersIn(store.batches(runId).answers)).toEqual({ q1: "answered" });
    });

    it("seals a run without audits", async () => {
      const store = create();
      const writer = await store.create(makeManifest());
      await writer.seal("2026-01-01T01:00:00.000Z");
      expect(await all(store, runId)).toEqual([]);
    });
  });
}
