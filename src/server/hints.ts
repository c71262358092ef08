import { randomBytes } from "node:crypto";
import type { Database } from "../store/postgres/database.js";

/** What may have changed. `all`: the page may have missed hints. */
export const HINT_SUBJECTS = ["gate", "queue", "appeals", "page", "all"] as const;
export type HintSubject = (typeof HINT_SUBJECTS)[number];

export interface Hint {
  id: string;
  workspace: string;
  subject: HintSubject;
}

const CHANNEL = "defensible";
/** Shortest time between notifications of one process: a transaction that notifies takes a server-wide lock while it commits. */
const GATHER_MS = 250;
/** Number of hints kept so that a page whose connection broke can catch up. */
const REMEMBERED = 1000;

type Listener = (hint: Hint) => void;

/**
 * Hints to open pages that something changed, sent across processes by LISTEN and NOTIFY. They contain no content, and a lost or doubled
 * hint is harmless: a page fetches what it shows. Rare changes (the gate, pages, reviews, appeals) are announced by database triggers.
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

  /** Sends soon, gathering repeated hints into one. */
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
    // A hint that cannot be sent is lost.
    this.database
      .rows("select pg_notify($1, message) from unnest($2::text[]) as message", [CHANNEL, messages])
      .catch(() => {});
  }

  /** Subscribes to the hints of a workspace. `ended` is called when the process stops. Returns the function that unsubscribes. */
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

  /** Hints of a workspace after the one with this id. null: unknown what came since. */
  since(workspace: string, id: string): Hint[] | null {
    const at = this.recent.findIndex((hint) => hint.id === id);
    return at < 0 ? null : this.recent.slice(at + 1).filter((hint) => hint.workspace === workspace);
  }

  private hear(message: string): void {
    try {
      const [workspace, subject] = JSON.parse(message) as [string, HintSubject];
      if (HINT_SUBJECTS.includes(subject)) this.add(workspace, subject);
    } catch {
      // Not a message of ours.
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
