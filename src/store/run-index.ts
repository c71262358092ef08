import { FLIP_ARM } from "../core/names.js";
import { type Audit, auditKey, type Usage } from "../core/records/audit.js";
import type { Manifest, RunCounts } from "../core/records/manifest.js";
import { type Line, readLines } from "../io/read-lines.js";
import type { Awaitable, Outcome, RunWriter } from "./ports.js";

const OUTCOMES: readonly Outcome[] = ["verdict", "unscored", "error"];

/** The keys in a run's file and their positions: about 100 bytes per row, so that the rows themselves need not stay in memory. */
export class RunIndex {
  /** Key -> 4 · row + code of the outcome. A later row of a key replaces an earlier one. */
  private readonly rows = new Map<string, number>();
  private starts = new Float64Array(1024);
  private ends = new Float64Array(1024);
  private length = 0;
  /** Total usage of all rows, including replaced ones, because they were paid for. */
  readonly usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 };

  spend(usage: Usage | null | undefined): void {
    if (!usage) return;
    this.usage.input_tokens += usage.input_tokens ?? 0;
    this.usage.cached_input_tokens += usage.cached_input_tokens ?? 0;
    this.usage.output_tokens += usage.output_tokens ?? 0;
    this.usage.cost_usd += usage.cost_usd ?? 0;
  }

  add(key: string, outcome: Outcome, start: number, end: number): void {
    if (this.length === this.starts.length) {
      this.starts = doubled(this.starts);
      this.ends = doubled(this.ends);
    }
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.rows.set(key, 4 * this.length + OUTCOMES.indexOf(outcome));
    this.length++;
  }

  outcome(key: string): Outcome | undefined {
    const entry = this.rows.get(key);
    return entry === undefined ? undefined : OUTCOMES[entry % 4];
  }

  /** Counts over all rows, those of one arm, or all but those of one arm. */
  counts({ only, except }: { only?: string; except?: string } = {}): Omit<RunCounts, "planned"> {
    const counts = [0, 0, 0];
    const arm = `\u0000${only ?? except}\u0000`;
    const all = only === undefined && except === undefined;
    for (const [key, entry] of this.rows) {
      if (all || key.includes(arm) === (only !== undefined)) counts[entry % 4] = counts[entry % 4]! + 1;
    }
    return { verdicts: counts[0]!, unscored: counts[1]!, errors: counts[2]! };
  }

  /** Byte ranges of the rows in the order of their keys; adjacent ones are merged. */
  *sortedRanges(): Generator<{ start: number; end: number }> {
    let open: { start: number; end: number } | null = null;
    for (const key of [...this.rows.keys()].sort()) {
      const row = Math.floor(this.rows.get(key)! / 4);
      const start = this.starts[row]!;
      const end = this.ends[row]!;
      if (open && open.end === start && end - open.start <= 1 << 22) {
        open.end = end;
        continue;
      }
      if (open) yield open;
      open = { start, end };
    }
    if (open) yield open;
  }

  /** Offsets of the current rows: the last one for each key. */
  liveOffsets(): Set<number> {
    const live = new Set<number>();
    for (const entry of this.rows.values()) live.add(this.starts[Math.floor(entry / 4)]!);
    return live;
  }

  get size(): number {
    return this.rows.size;
  }

  static async read(path: string): Promise<RunIndex> {
    const index = new RunIndex();
    for await (const lines of readLines(path)) {
      for (const line of lines) {
        const row = parseRow(line);
        if (!row) continue;
        const end = line.offset + Buffer.byteLength(line.text) + 1;
        index.add(auditKey(row.decision_id, row.arm, row.replicate), row.outcome, line.offset, end);
        index.spend(row.usage);
      }
    }
    return index;
  }
}

type Row = { decision_id: string; arm: string; replicate: number; outcome: Outcome; usage?: Usage | null };

/** The row of a complete line; null for a torn or foreign line, which counts as never written. */
export function parseRow<T extends Row = Row>(line: Line): T | null {
  if (!line.ended) return null;
  try {
    const row = JSON.parse(line.text) as T;
    return typeof row.decision_id === "string" && OUTCOMES.includes(row.outcome) ? row : null;
  } catch {
    return null;
  }
}

function doubled(array: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Operations that a store provides to the writer of one run. */
export interface RunBody {
  /** Where the next line will start. */
  readonly end: number;
  /** Writes lines and returns the end offset of each. */
  append(lines: readonly string[], audits: readonly Audit[]): Awaitable<number[]>;
  save(manifest: Manifest): Awaitable<void>;
  /** Converts the written lines to the final form. */
  seal(index: RunIndex): Promise<void>;
  /** Makes what was written durable. */
  close(): Promise<void>;
  /** Releases the run for other writers; a sealed one no longer needs its lines. */
  release(sealed: boolean): Awaitable<void>;
}

/** Writes a run with an index of all its keys. */
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
    // Counts are saved before the rename, so that a kill right after it leaves a complete manifest.
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

/** Members that annotations must not change. */
function fixed({ run_id, fingerprint, status, counts }: Manifest) {
  return { run_id, fingerprint, status, counts };
}

/** Longest line in characters. Sealing reads lines of up to 2 MB, and a character is at most three bytes. */
const MAX_LINE_CHARACTERS = 600_000;
const CUT_TEXT = 8192;

/** JSON in which a lone surrogate (half an emoji, cut by a model's token limit) becomes U+FFFD, because other readers would reject the whole line. */
export function auditLine(audit: Audit): string {
  const json = JSON.stringify(audit);
  if (json.length > MAX_LINE_CHARACTERS) return auditLine(slimmed(audit));
  if (!json.includes("\\ud")) return json;
  return json.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "\\ufffd");
}

/** A shortened audit of a model that wrote without end: its numbers, and the beginning of its texts. */
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
