import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../../test/support/make-audit.js";
import { auditKey } from "../../core/records/audit.js";
import { chosenRun, chosenRunOf, newestRun, refuseDamaged } from "../choose-run.js";
import { tempFolder } from "./in-temp-folder.suite.js";
import { FileLedger } from "./run-store.js";

const RUN = makeManifest().run_id;
const folder = tempFolder;

describe("the file ledger after a crash", () => {
  it("cuts a torn last line, wherever it was torn, also inside a UTF-8 character", async () => {
    const line = Buffer.from(`${JSON.stringify(makeAudit({ decision_id: "größe 🙂" }))}\n`);
    for (let cut = 1; cut < line.length; cut += 7) {
      const root = folder();
      const ledger = new FileLedger(root);
      const writer = await ledger.create(makeManifest());
      await writer.append([makeAudit()]);
      await writer.close();
      appendFileSync(join(root, RUN, "audits.jsonl"), line.subarray(0, cut));
      const again = await ledger.open(RUN);
      expect(again.counts().verdicts).toBe(1);
      await again.append([makeAudit({ decision_id: "d2" })]);
      await again.close();
      expect(
        readFileSync(join(root, RUN, "audits.jsonl"), "utf8")
          .trim()
          .split("\n")
          .map((text) => JSON.parse(text).decision_id),
      ).toEqual(["d1", "d2"]);
    }
  });

  it("takes over the lock of a process that is no more, and not of one that lives", async () => {
    const root = folder();
    const ledger = new FileLedger(root);
    await (await ledger.create(makeManifest())).close();
    const lock = join(root, RUN, "lock");
    const { hostname } = await import("node:os");
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 7, host: hostname(), started: null }));
    await (await ledger.open(RUN)).close();
    // The pid lives, but it is another process than the one that took the lock.
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname(), started: "1" }));
    await (await ledger.open(RUN)).close();
    writeFileSync(lock, "");
    utimesSync(lock, 1, 1);
    await (await ledger.open(RUN)).close();
    writeFileSync(lock, JSON.stringify({ pid: process.ppid, host: hostname(), started: null }));
    await expect(ledger.open(RUN)).rejects.toThrow(/another process is writing/);
    writeFileSync(lock, JSON.stringify({ pid: 1, host: "elsewhere", started: null }));
    await expect(ledger.open(RUN)).rejects.toThrow(/elsewhere/);
  });

  it("takes no older run for the newest while the manifest of one that may be newer cannot be read", async () => {
    const root = folder();
    const ledger = new FileLedger(root);
    expect(await newestRun(ledger)).toBeUndefined();
    const ids = ["20260101T000000Z-0001", "20260102T000000Z-0002", "20260103T000000Z-0003"];
    for (const [i, run_id] of ids.entries()) {
      const writer = await ledger.create(makeManifest({ run_id, created_at: `2026-01-0${i + 1}T00:00:00.000Z` }));
      await writer.append([makeAudit()]);
      await writer.close();
    }
    const manifest = (run: string) => join(root, run, "manifest.json");
    writeFileSync(manifest(ids[0]!), "{");
    expect((await newestRun(ledger))!.run_id).toBe(ids[2]);
    await expect(refuseDamaged(ledger)).rejects.toThrow(/run 20260101T000000Z-0001: its manifest.json cannot be read/);
    const sound = readFileSync(manifest(ids[2]!));
    writeFileSync(manifest(ids[2]!), "");
    await expect(newestRun(ledger)).rejects.toThrow(/run 20260103T000000Z-0003: its manifest.json cannot be read/);
    expect((await ledger.list()).map((run) => run.run_id)).toEqual([ids[1]]);
    // Lost altogether, with the audits still there.
    rmSync(manifest(ids[2]!));
    await expect(newestRun(ledger)).rejects.toThrow(/20260103T000000Z-0003/);
    expect(await ledger.damaged()).toEqual([ids[0], ids[2]]);
    writeFileSync(manifest(ids[2]!), sound);
    expect((await newestRun(ledger))!.run_id).toBe(ids[2]);
    await ledger.delete(ids[0]!);
    expect(await ledger.damaged()).toEqual([]);
  });

  it("takes newest for the newest ordinary run, or for the newest of an experiment", async () => {
    const ledger = new FileLedger(folder());
    const experiment = { kind: "dual" as const, arms: [] };
    const runs = [{}, {}, { experiment }, { experiment: { ...experiment, kind: "tiers" as const } }];
    await expect(chosenRunOf(ledger, "dual", "newest")).rejects.toThrow(/none of experiment dual/);
    for (const [i, more] of runs.entries()) {
      const created_at = `2026-01-0${i + 1}T00:00:00.000Z`;
      await (await ledger.create(makeManifest({ run_id: `r${i}`, created_at, ...more }))).close();
    }
    expect((await chosenRun(ledger, "newest")).run_id).toBe("r1");
    expect((await chosenRun(ledger)).run_id).toBe("r1");
    expect((await chosenRun(ledger, "r0")).run_id).toBe("r0");
    expect((await chosenRunOf(ledger, "dual", "newest")).run_id).toBe("r2");
    expect((await chosenRunOf(ledger, "dual", "r1")).run_id).toBe("r1");
  });

  it("lets the Parquet win where both files exist", async () => {
    const root = folder();
    const ledger = new FileLedger(root);
    const writer = await ledger.create(makeManifest());
    await writer.append([makeAudit()]);
    const jsonl = readFileSync(join(root, RUN, "audits.jsonl"));
    const manifest = readFileSync(join(root, RUN, "manifest.json"));
    await writer.seal("2026-01-01T01:00:00.000Z");
    // As a kill right after the renaming leaves it: an open manifest and the JSONL still there.
    writeFileSync(join(root, RUN, "audits.jsonl"), jsonl);
    writeFileSync(join(root, RUN, "manifest.json"), manifest);
    expect((await ledger.manifest(RUN)).status).toBe("sealed");
    expect((await ledger.snapshot(RUN)).format).toBe("parquet");
    await ledger.finishSealing(RUN);
    expect(existsSync(join(root, RUN, "audits.jsonl"))).toBe(false);
  });

  it("passes over a line of zeros that a crashed disk left", async () => {
    const root = folder();
    const ledger = new FileLedger(root);
    const writer = await ledger.create(makeManifest());
    await writer.append([makeAudit()]);
    await writer.close();
    appendFileSync(join(root, RUN, "audits.jsonl"), Buffer.concat([Buffer.alloc(50), Buffer.from("\n")]));
    const again = await ledger.open(RUN);
    expect(again.outcome(auditKey("d1", "", 0))).toBe("verdict");
    await again.append([makeAudit({ decision_id: "d2" })]);
    await again.seal("2026-01-01T01:00:00.000Z");
    expect((await ledger.manifest(RUN)).counts.verdicts).toBe(2);
  });

  it("starts over when nothing but a part of the first line was written", async () => {
    const root = folder();
    const ledger = new FileLedger(root);
    const writer = await ledger.create(makeManifest());
    await writer.append([makeAudit()]);
    await writer.close();
    truncateSync(join(root, RUN, "audits.jsonl"), 100);
    const again = await ledger.open(RUN);
    expect(again.counts().verdicts).toBe(0);
    await again.close();
  });
});
