import type { Queries } from "../store/postgres/database.js";

export interface NewJob {
  task: string;
  payload: object;
  /** A job of the same key that has not begun is replaced by this one. */
  key?: string;
  /** Jobs of one lane run one after another. */
  lane?: string;
  /** Smaller runs sooner. Default 0. */
  priority?: number;
  /** Not before so many seconds from now. */
  delay?: number;
  attempts?: number;
}

export interface JobInfo {
  id: string;
  task: string;
  key: string | null;
  attempts: number;
  max_attempts: number;
  last_error: string | null;
  run_at: string;
  running: boolean;
}

/** What runs jobs of one task. A job may run again after it was begun: what it writes must be written once by its own key. */
export type Task = (
  payload: never,
  job: { id: string; attempt: number; node: string; stop: AbortSignal },
) => Promise<void>;

/** Jobs that survive their process. */
export interface Queue {
  /** Adds jobs. With `queries` they are part of that transaction: they exist if and only if it is committed. */
  add(jobs: readonly NewJob[], queries?: Queries): Promise<void>;
  /** Runs jobs until it is stopped. */
  run(tasks: Readonly<Record<string, Task>>, options: RunOptions): Promise<RunningQueue>;
  /** Jobs that failed for good; of one workspace, or of all. */
  dead(workspace?: string): Promise<JobInfo[]>;
  /** Lets dead jobs run again. Returns how many. */
  retry(ids: readonly string[]): Promise<number>;
  /** How many wait and how long the oldest has been due, by task; of one workspace, or of all. */
  depth(
    workspace?: string,
  ): Promise<{ task: string; waiting: number; running: number; dead: number; oldest_seconds: number }[]>;
}

export interface RunOptions {
  concurrency: number;
  /** A worker that has not been heard of for so long has lost its jobs to others. */
  leaseSeconds?: number;
  /** How often to look for jobs that no message announced, in milliseconds. */
  pollMs?: number;
  /** Lines of a crontab: `0 * * * * gate`. */
  crontab?: string;
  /** Gets what goes wrong, in a sentence. */
  say?: (message: string) => void;
}

export interface RunningQueue {
  /** When a job was last looked for, in milliseconds since 1970. */
  lastLook(): number;
  /** Ends when the jobs under way have ended. */
  stop(): Promise<void>;
}
