import { randomBytes } from "node:crypto";
import type { Database } from "../store/postgres/database.js";

/** What may have changed. `all`: something was missed. */
export const HINT_SUBJECTS = ["gate", "queue", "appeals", "page", "all"] as const;
export type HintSubject = (typeof HINT_SUBJECTS)[number];

export interface Hint {
  id: string;
  workspace: string;
  subject: HintSubject;
}

const CHANNEL = "defensible";
/** A transaction that notifies takes a lock of the whole server while it commits: at most so often for one process. */
const GATHER_MS = 250;
/** Hints that a page that was cut off can catch up with. */
const REMEMBERED = 1000;

type Listener = (hint: Hint) => void;

/**
 * Hints to open pages that something changed, across all processes by LISTEN and NOTIFY. They carry no content, and one that is lost or doubled costs
 * nothing: a page fetches what it shows. What changes seldom (the gate, pages, reviews, appeals) is announced by triggers of the database.
 */
export class Hints {
  private readonly node = randomBytes(4).toString("hex");
  private count = 0;
  private recent: Hint[] = [];
  private readonly listeners = new Map<Listener, string>();
  private readonly streams = new Set<() => void>();
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private stop: (() => Promise<void>) | null = null;

  constructor(private readonly database: Database) {}

  /** Soon, and once for many. */
  send(workspace: string, subject: HintSubject): void {
    this.waiting.add(JSON.stringify([workspace, subject]));
    if (this.timer) return;
    this.timer = setTimeout(() => this.flush(), GATHER_MS);
    this.timer.unref();
  }

  private flush(): void {
    const messages = [...this.waiting];
    this.waiting.clear();
    this.timer = null;
    // A hint that cannot be sent is a hint that is lost.
    this.database
      .rows("select pg_notify($1, message) from unnest($2::text[]) as message", [CHANNEL, messages])
      .catch(() => {});
  }

  /** Hears the hints of a workspace. `ended` is called when the process stops. Returns what ends it. */
  subscribe(workspace: string, heard: Listener, ended: () => void): () => void {
    this.stop ??= this.database.listen(
      CHANNEL,
      (message) => this.hear(message),
      () => {
        for (const one of new Set(this.listeners.values())) this.add(one, "all");
      },
    );
    this.listeners.set(heard, workspace);
    this.streams.add(ended);
    return () => {
      this.listeners.delete(heard);
      this.streams.delete(ended);
    };
  }

  /** Hints of a workspace after one that a page has seen; null: it is not known what came since. */
  since(workspace: string, id: string): Hint[] | null {
    const at = this.recent.findIndex((hint) => hint.id === id);
    return at < 0 ? null : this.recent.slice(at + 1).filter((hint) => hint.workspace === workspace);
  }

  private hear(message: string): void {
    try {
      const [workspace, subject] = JSON.parse(message) as [string, HintSubject];
      if (HINT_SUBJECTS.includes(subject)) this.add(workspace, subject);
    } catch {
      // Not ours.
    }
  }

  private add(workspace: string, subject: HintSubject): void {
    const hint = { id: `${this.node}-${++this.count}`, workspace, subject };
    this.recent.push(hint);
    if (this.recent.length > 2 * REMEMBERED) this.recent = this.recent.slice(-REMEMBERED);
    for (const [heard, wanted] of this.listeners) if (wanted === workspace) heard(hint);
  }

  endStreams(): void {
    for (const ended of [...this.streams]) ended();
  }

  async close(): Promise<void> {
    this.endStreams();
    const { stop } = this;
    this.stop = null;
    await stop?.();
  }
}
