import type { Queries } from "../store/postgres/database.js";

export interface NewJob {
  task: string;
  payload: object;
  /** Replaces a job of the same key that has not begun. */
  key?: string;
  /** Jobs of one lane run one after another. */
  lane?: string;
  /** Lower runs sooner. Default 0. */
  priority?: number;
  /** Seconds to wait before it may run. */
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

/** Runs the jobs of one task. A job that has begun may run again, so whatever it writes needs a key that prevents a second copy. */
export type Task = (
  payload: never,
  job: { id: string; attempt: number; node: string; stop: AbortSignal },
) => Promise<void>;

/** Jobs that survive their process. */
export interface Queue {
  /** Adds jobs. With `queries`, they are part of that transaction: they exist if and only if it is committed. */
  add(jobs: readonly NewJob[], queries?: Queries): Promise<void>;
  run(tasks: Readonly<Record<string, Task>>, options: RunOptions): Promise<RunningQueue>;
  /** Jobs that failed for good, in one workspace or in all. */
  dead(workspace?: string): Promise<JobInfo[]>;
  /** Lets dead jobs run again. Returns their number. */
  retry(ids: readonly string[]): Promise<number>;
  /** Number of waiting jobs and age of the oldest due one, by task, in one workspace or in all. */
  depth(
    workspace?: string,
  ): Promise<{ task: string; waiting: number; running: number; dead: number; oldest_seconds: number }[]>;
}

export interface RunOptions {
  concurrency: number;
  /** A worker that has not renewed its lease for this long loses its jobs to others. */
  leaseSeconds?: number;
  /** How often to poll for jobs that no notification announced, in milliseconds. */
  pollMs?: number;
  /** Lines of a crontab: `0 * * * * gate`. */
  crontab?: string;
  /** Receives errors, each as one sentence. */
  say?: (message: string) => void;
}

export interface RunningQueue {
  /** When the queue last looked for a job, in milliseconds since 1970. */
  lastLook(): number;
  /** Resolves when the jobs under way have ended. */
  stop(): Promise<void>;
}
