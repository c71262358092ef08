import { FLIP_ARM } from "../core/names.js";
import { type Audit, auditKey } from "../core/records/audit.js";
import type { Manifest } from "../core/records/manifest.js";
import type { Awaitable, RunWriter } from "./ports.js";
import type { RunIndex } from "./run-index.js";

/** What a store does for the writer of one run. */
export interface RunBody {
  /** Where the next line will start. */
  readonly end: number;
  /** Writes lines and returns where each ends. */
  append(lines: readonly string[], audits: readonly Audit[]): Awaitable<number[]>;
  save(manifest: Manifest): Awaitable<void>;
  /** Turns what was written into its final form. */
  seal(index: RunIndex): Promise<void>;
  /** Makes what was written durable. */
  close(): Promise<void>;
  /** Lets others write the run; a sealed one needs its lines no longer. */
  release(sealed: boolean): Awaitable<void>;
}

/** Writes a run of which it knows every key. */
export class IndexedRunWriter implements RunWriter {
  constructor(
    private current: Manifest,
    private readonly index: RunIndex,
    private readonly body: RunBody,
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

  async annotate(notes: Record<string, unknown>): Promise<void> {
    await this.save({ ...this.current, ...notes, ...fixed(this.current) });
  }

  async replan(planned: number): Promise<void> {
    if (planned !== this.current.counts.planned) {
      await this.save({ ...this.current, counts: { ...this.current.counts, planned } });
    }
  }

  async append(audits: readonly Audit[]): Promise<void> {
    let start = this.body.end;
    const ends = await this.body.append(audits.map(auditLine), audits);
    audits.forEach((audit, i) => {
      this.index.add(auditKey(audit.decision_id, audit.arm, audit.replicate), audit.outcome, start, ends[i]!);
      this.index.spend(audit.usage);
      start = ends[i]!;
    });
  }

  async seal(sealedAt: string): Promise<void> {
    // Counts are noted before the renaming, so that a kill right after it leaves a complete manifest.
    await this.save({ ...this.counted(), sealed_at: sealedAt });
    await this.body.seal(this.index);
    await this.save({ ...this.current, status: "sealed" });
    await this.body.close();
    await this.body.release(true);
  }

  async close(): Promise<void> {
    if (this.current.status === "sealed") return;
    await this.body.close();
    await this.save(this.counted());
    await this.body.release(false);
  }

  private counted(): Manifest {
    const flip_counts = this.flipCounts();
    const counts = { ...this.current.counts, ...this.counts() };
    return { ...this.current, counts, ...(flip_counts ? { flip_counts } : {}) };
  }

  private async save(manifest: Manifest): Promise<void> {
    this.current = manifest;
    await this.body.save(manifest);
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
export function auditLine(audit: Audit): string {
  const json = JSON.stringify(audit);
  if (json.length > MAX_LINE_CHARACTERS) return auditLine(slimmed(audit));
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
