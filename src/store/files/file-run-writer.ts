import { rmSync } from "node:fs";
import { join } from "node:path";
import { FLIP_ARM } from "../../core/arm-names.js";
import { type Audit, auditKey } from "../../core/records/audit.js";
import type { Manifest } from "../../core/records/manifest.js";
import { writeFileAtomic } from "../../io/files.js";
import type { LineLog } from "../../io/line-log.js";
import type { RunWriter } from "./ledger.js";
import type { RunIndex } from "./run-index.js";
import { sealToParquet } from "./seal.js";

/** Writes a run in its folder, under its lock. */
export class FileRunWriter implements RunWriter {
  constructor(
    private readonly folder: string,
    private current: Manifest,
    private readonly log: LineLog,
    private readonly index: RunIndex,
    private readonly unlock: () => void,
  ) {}

  get manifest(): Manifest {
    return this.current;
  }

  outcome(key: string) {
    return this.index.outcome(key);
  }

  counts() {
    return this.index.counts(this.current.flip_counts ? { except: FLIP_ARM } : {});
  }

  flipCounts() {
    return this.current.flip_counts
      ? { planned: this.current.flip_counts.planned, ...this.index.counts({ only: FLIP_ARM }) }
      : null;
  }

  usage() {
    return this.index.usage;
  }

  annotate(notes: Record<string, unknown>): void {
    this.save({ ...this.current, ...notes, ...fixed(this.current) });
  }

  replan(planned: number): void {
    if (planned !== this.current.counts.planned) {
      this.save({ ...this.current, counts: { ...this.current.counts, planned } });
    }
  }

  async append(audits: readonly Audit[]): Promise<void> {
    let start = this.log.end;
    const ends = this.log.append(audits.map(jsonLine));
    audits.forEach((audit, i) => {
      this.index.add(auditKey(audit.decision_id, audit.arm, audit.replicate), audit.outcome, start, ends[i]!);
      this.index.spend(audit.usage);
      start = ends[i]!;
    });
  }

  async seal(sealedAt: string): Promise<void> {
    // Counts are noted before the renaming, so that a kill right after it leaves a complete manifest.
    this.save({ ...this.counted(), sealed_at: sealedAt });
    await sealToParquet(this.log, this.index, join(this.folder, "audits.parquet"));
    this.save({ ...this.current, status: "sealed" });
    await this.log.close();
    rmSync(this.log.path, { force: true });
    this.unlock();
  }

  async close(): Promise<void> {
    if (this.current.status === "sealed") return;
    await this.log.close();
    this.save(this.counted());
    this.unlock();
  }

  private counted(): Manifest {
    const flip_counts = this.flipCounts();
    const counts = { ...this.current.counts, ...this.counts() };
    return { ...this.current, counts, ...(flip_counts ? { flip_counts } : {}) };
  }

  private save(manifest: Manifest): void {
    this.current = manifest;
    writeFileAtomic(join(this.folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

/** What no note may change. */
function fixed({ run_id, fingerprint, status, counts }: Manifest) {
  return { run_id, fingerprint, status, counts };
}

/** The longest line, in characters. Sealing reads lines of up to 2 MB, and a character is at most three bytes. */
const MAX_LINE_CHARACTERS = 600_000;
const CUT_TEXT = 8192;

/** JSON in which a lone surrogate (half an emoji, cut by a model's token limit) is U+FFFD: other readers refuse the whole line. */
function jsonLine(audit: Audit): string {
  const json = JSON.stringify(audit);
  if (json.length > MAX_LINE_CHARACTERS) return jsonLine(slimmed(audit));
  if (!json.includes("\\ud")) return json;
  return json.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "\\ufffd");
}

/** An audit whose model wrote without end: its numbers, and the beginning of its texts. */
function slimmed(audit: Audit): Audit {
  const cut = (text: string) => (text.length > CUT_TEXT ? `${text.slice(0, CUT_TEXT)}…` : text);
  const trace = Object.entries(audit.trace ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? cut(value) : value,
  ]);
  return {
    ...audit,
    trace: audit.trace ? Object.fromEntries(trace) : null,
    citation_spans: null,
    error: audit.error ? { code: audit.error.code, message: cut(audit.error.message) } : null,
  };
}
