import type { Route } from "../domain/route.js";
import { routeDecision } from "../gate/route-decision.js";
import type { RouteLog } from "../workspace/route-log.js";
import type { AuditLookup } from "./route-audits.js";
import type { InputLine } from "./route-lines.js";
import type { LiveState } from "./route-live.js";
import type { RouteProgress } from "./route-progress.js";
import type { RouteSummary } from "./route-summary.js";

export interface StreamTools {
  live: LiveState;
  log: RouteLog;
  /** null: audits are embedded. */
  lookup: AuditLookup | null;
  /** Gives answers, whole lines; resolves when more may come. */
  write: (lines: string) => Promise<void> | void;
  summary: RouteSummary;
  progress: RouteProgress;
  signal: AbortSignal;
}

/**
 * Routes every line of a stream, in its order. A batch is what has arrived: its routes are logged, then answered, so that no answer is
 * without its line in the log.
 */
export async function routeLines(batches: AsyncIterable<InputLine[]>, tools: StreamTools): Promise<void> {
  const { live, log, lookup, write, summary, progress, signal } = tools;
  let read = 0;
  for await (const batch of batches) {
    if (signal.aborted) return;
    const values = batch.map(({ text }) => parse(text));
    const audits = lookup ? await lookup.find(values.filter(needsAudit).map((value) => value.id)) : null;
    const state = live.current();
    const begin = `{"at":"${new Date().toISOString()}",`;
    let logged = "";
    let answers = "";
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      read += batch[i]!.bytes;
      const audit = needsAudit(value) ? audits?.get(value.id) : auditOf(value);
      const route = routeDecision(state, value, audit);
      if (route.reasons.includes("bad_decision")) route.line = batch[i]!.number;
      summary.count(route);
      const json = jsonLine(route);
      logged += `${begin}${json.slice(1)}\n`;
      answers += `${json}\n`;
    }
    log.append(logged);
    const written = write(answers);
    if (written) await written;
    progress.update(summary.decisions, read);
  }
}

/** undefined: not JSON. */
function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
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

/** C1 controls and bidirectional marks, which could act on a terminal, and halves of characters, which other readers of JSON refuse. */
const UNSAFE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]|\\ud/;

function jsonLine(route: Route): string {
  const json = JSON.stringify(route);
  if (!UNSAFE.test(json)) return json;
  return json
    .replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    })
    .replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "\\ufffd");
}
