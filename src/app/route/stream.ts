import { isAscii, isUtf8 } from "node:buffer";
import type { AuditLookup } from "../../analysis/audit-lookup.js";
import type { Route, RouteReason } from "../../core/records/route.js";
import { type ByteLine, LineSplitter } from "../../io/read-lines.js";
import { routeDecision } from "../../measures/gate/route/decision.js";
import { hasDoubledKeys } from "../../measures/gate/route/unsafe-keys.js";
import type { RouteLog } from "../../store/ports.js";
import { safeJson } from "../../text/printable.js";
import type { LiveState } from "./live.js";

interface InputLine {
  /** null: not UTF-8, or too long for a decision. */
  text: string | null;
  /** Counted from 1. */
  number: number;
  /** Length in the input. */
  bytes: number;
}

/** Longer lines are answered without being read: memory must not grow with what a sender writes. */
export const MAX_LINE_BYTES = 16 << 20;

const BRACE = 0x7b;

/**
 * The lines of a stream, in groups of all lines that a chunk completes, so that a line that arrives alone is answered alone. A leading BOM and
 * trailing CRs are dropped; empty lines are skipped but counted. A last line without a newline is a line.
 */
export async function* inputLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputLine[]> {
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  for await (const chunk of chunks) {
    const lines = toInput(splitter.push(chunk));
    if (lines.length > 0) yield lines;
  }
  const last = toInput(splitter.end());
  if (last.length > 0) yield last;
}

function toInput(lines: readonly ByteLine[]): InputLine[] {
  const found: InputLine[] = [];
  for (const { bytes, number, length } of lines) {
    const text = length > MAX_LINE_BYTES ? null : textOf(bytes);
    if (text !== "") found.push({ text, number, bytes: length + 1 });
  }
  return found;
}

function textOf(bytes: Buffer): string | null {
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return null;
  // Latin-1 is copied without decoding.
  const text = bytes.toString(ascii ? "latin1" : "utf8");
  return bytes[0] !== BRACE && text.trim() === "" ? "" : text;
}

export interface StreamTools {
  live: LiveState;
  log: RouteLog;
  /** null: audits are embedded. */
  lookup: AuditLookup | null;
  /** Writes answers as whole lines; resolves when more may be written. */
  write: (lines: string) => Promise<void> | void;
  summary: RouteSummary;
  /** Called after each batch. */
  progress: (decisions: number, bytes: number) => void;
  signal: AbortSignal;
  now: () => Date;
}

/**
 * Routes every line of a stream, in order. A batch is what has arrived. Its routes are logged before they are answered, so that every answer has
 * its line in the log.
 */
export async function routeLines(batches: AsyncIterable<InputLine[]>, tools: StreamTools): Promise<void> {
  const { live, log, lookup, write, summary, progress, signal, now } = tools;
  let read = 0;
  for await (const batch of batches) {
    if (signal.aborted) return;
    // Embedded audits are parsed one at a time: a whole batch would stay in memory and be copied by the garbage collector.
    const values = lookup && batch.map(({ text }) => parse(text));
    const audits = lookup && (await lookup.find(values!.filter(needsAudit).map((value) => value.id)));
    const state = await live.current();
    const begin = `{"at":"${now().toISOString()}",`;
    let logged = "";
    let answers = "";
    for (let i = 0; i < batch.length; i++) {
      const value = values ? values[i] : parse(batch[i]!.text);
      read += batch[i]!.bytes;
      const audit = needsAudit(value) ? audits?.get(value.id) : auditOf(value);
      const route = routeDecision(state, value, audit);
      if (route.reasons.includes("bad_decision")) route.line = batch[i]!.number;
      summary.count(route);
      const json = safeJson(JSON.stringify(route));
      logged += `${begin}${json.slice(1)}\n`;
      answers += `${json}\n`;
    }
    const kept = log.append(logged);
    if (kept) await kept;
    const written = write(answers);
    if (written) await written;
    progress(summary.decisions, read);
  }
}

/** undefined: not JSON, or JSON with a duplicate key. */
function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return hasDoubledKeys(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function auditOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (value as { audit?: unknown }).audit : undefined;
}

function needsAudit(value: unknown): value is { id: string } {
  if (typeof value !== "object" || value === null) return false;
  const { id, audit } = value as { id?: unknown; audit?: unknown };
  return typeof id === "string" && (audit === undefined || audit === null);
}

/** Totals over a stream of decisions. */
export class RouteSummary {
  decisions = 0;
  automated = 0;
  /** In shadow mode: decisions that would have been automated. */
  wouldAutomate = 0;
  sampled = 0;
  private readonly reasons = new Map<RouteReason, number>();

  count(route: Route): void {
    this.decisions++;
    if (route.route === "automate") this.automated++;
    if (route.would_route === "automate") this.wouldAutomate++;
    if (route.sampled) this.sampled++;
    for (let i = 0; i < route.reasons.length; i++) {
      const reason = route.reasons[i]!;
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    }
  }

  countOf(reason: RouteReason): number {
    return this.reasons.get(reason) ?? 0;
  }
}
