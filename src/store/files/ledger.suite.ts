import { describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../../test/support/make-audit.js";
import { openAuditTable } from "../../analysis/audit-table.js";
import { BusyError, InputError } from "../../core/errors.js";
import { type Audit, auditKey } from "../../core/records/audit.js";
import { withDuckDB } from "./duckdb.js";
import type { Ledger } from "./ledger.js";

/** What every ledger must do, whatever it is made of. `create` gives a fresh, empty one. */
export function ledgerContract(name: string, create: () => Ledger): void {
  const all = async (ledger: Ledger, runId: string) => {
    const audits: Audit[] = [];
    for await (const batch of ledger.audits(runId)) audits.push(...batch);
    return audits;
  };
  const runId = makeManifest().run_id;

  describe(`${name} keeps the contract of a ledger`, () => {
    it("is empty at first", async () => {
      expect(await create().list()).toEqual([]);
    });

    it("gives back what was appended, before and after sealing", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
      const audit = makeAudit();
      await writer.append([audit]);
      expect(await all(ledger, runId)).toEqual([audit]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      const [sealed] = await all(ledger, runId);
      for (const [field, value] of Object.entries(audit)) {
        const back = sealed?.[field];
        // An optional part that was absent comes back as null.
        if (field === "trace") expect(back).toMatchObject(value as object);
        else expect(back, field).toEqual(value);
      }
      expect((await ledger.manifest(runId)).status).toBe("sealed");
    });

    it("keeps hostile text: quotes, newlines, emoji, right-to-left, lone surrogates", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
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
      const back = await all(ledger, runId);
      expect(back.map((audit) => audit.trace?.logic_chain)).toEqual(texts.map((text) => text.toWellFormed()));
    });

    it("keeps the verdict of a model that wrote without end", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
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
      expect((await all(ledger, runId)).map((audit) => [audit.outcome, audit.level])).toEqual([
        ["verdict", 1],
        ["error", null],
      ]);
    });

    it("knows what it has, so that no key is audited twice", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
      await writer.append([
        makeAudit(),
        makeAudit({ decision_id: "d2", outcome: "error", level: null, inverse: null }),
      ]);
      expect(writer.outcome(auditKey("d1", "", 0))).toBe("verdict");
      expect(writer.outcome(auditKey("d2", "", 0))).toBe("error");
      expect(writer.outcome(auditKey("d1", "", 1))).toBeUndefined();
      await writer.close();
      const again = await ledger.open(runId);
      expect(again.outcome(auditKey("d1", "", 0))).toBe("verdict");
      expect(again.counts()).toEqual({ verdicts: 1, unscored: 0, errors: 1 });
      await again.close();
    });

    it("lets a later audit of a key replace the earlier one", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
      await writer.append([makeAudit({ outcome: "error", level: null, inverse: null })]);
      await writer.append([makeAudit({ level: 2 })]);
      expect((await all(ledger, runId)).map((audit) => audit.level)).toEqual([2]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      expect((await all(ledger, runId)).map((audit) => audit.level)).toEqual([2]);
      expect((await ledger.manifest(runId)).counts).toMatchObject({ verdicts: 1, errors: 0 });
    });

    it("seals rows in the order of their keys, whatever the order of writing", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
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
      const sealed = (await all(ledger, runId)).map((audit) => [audit.decision_id, audit.arm, audit.replicate]);
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
      const ledger = create();
      const writer = await ledger.create(makeManifest());
      await expect(ledger.open(runId)).rejects.toThrow(BusyError);
      await writer.append([makeAudit()]);
      await writer.close();
      const next = await ledger.open(runId);
      await next.close();
    });

    it("lets others read while one writes", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
      await writer.append([makeAudit()]);
      const rows = await withDuckDB(async (db) => (await openAuditTable(db, ledger.source(runId))).rows);
      expect(rows).toBe(1);
      await writer.close();
    });

    it("refuses to continue a sealed run, an unknown run and a path for a name", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
      await writer.append([makeAudit()]);
      await writer.seal("2026-01-01T01:00:00.000Z");
      await expect(ledger.open(runId)).rejects.toThrow(/sealed/);
      await expect(ledger.manifest("nope")).rejects.toThrow(InputError);
      await expect(ledger.manifest("../..")).rejects.toThrow(InputError);
    });

    it("lists the newest first and forgets what was deleted", async () => {
      const ledger = create();
      for (const day of [1, 3, 2]) {
        const run_id = `2026010${day}T000000Z-0001`;
        const writer = await ledger.create(makeManifest({ run_id, created_at: `2026-01-0${day}T00:00:00.000Z` }));
        await writer.close();
      }
      expect((await ledger.list()).map((run) => run.run_id.slice(7, 8))).toEqual(["3", "2", "1"]);
      await ledger.delete("20260103T000000Z-0001");
      expect((await ledger.list()).map((run) => run.run_id.slice(7, 8))).toEqual(["2", "1"]);
    });

    it("seals a run without audits", async () => {
      const ledger = create();
      const writer = await ledger.create(makeManifest());
      await writer.seal("2026-01-01T01:00:00.000Z");
      expect(await all(ledger, runId)).toEqual([]);
    });
  });
}
