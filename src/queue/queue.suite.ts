import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Database } from "../store/postgres/database.js";
import type { NewJob, Queue, RunningQueue, RunOptions, Task } from "./queue.js";

interface Tested {
  queue: Queue;
  database: Database;
  /** Leaves the job of this key in the hands of a worker that is no more. */
  abandon(key: string): Promise<unknown>;
}

/** What every queue promises. */
export function queueContract(name: string, { queue, database, abandon }: Tested): void {
  const running: RunningQueue[] = [];
  let made = 0;
  const newTask = () => `task_${Date.now()}_${made++}`;
  const run = async (tasks: Record<string, Task>, options: Partial<RunOptions> = {}) => {
    const one = await queue.run(tasks, { concurrency: 1, pollMs: 20, leaseSeconds: 1, ...options });
    running.push(one);
    return one;
  };
  const jobs = (task: string, notes: readonly string[], more: Partial<NewJob> = {}): NewJob[] =>
    notes.map((note) => ({ task, payload: { note }, ...more }));
  const depthOf = async (task: string) => (await queue.depth()).find((one) => one.task === task);

  /** Runs a task until it has seen so many jobs; their notes in order. */
  async function notesOf(task: string, count: number, options: Partial<RunOptions> = {}): Promise<string[]> {
    const notes: string[] = [];
    await run({ [task]: async ({ note }: { note: string }) => void notes.push(note) }, options);
    await until(() => notes.length >= count);
    // One that comes too often would come now.
    await wait(100);
    return notes;
  }

  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let i = 0; i < 500 && !(await holds()); i++) await wait(20);
    expect(await holds()).toBe(true);
  }

  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });

  describe(`a queue of ${name}`, () => {
    it("runs each job once, however many workers there are", async () => {
      const task = newTask();
      const notes = Array.from({ length: 60 }, (_, i) => `${i}`);
      await queue.add(jobs(task, notes));
      const seen: string[] = [];
      const work: Task = async ({ note }: { note: string }) => {
        await wait(2);
        seen.push(note);
      };
      await run({ [task]: work }, { concurrency: 3 });
      await run({ [task]: work }, { concurrency: 3 });
      await until(() => seen.length >= 60);
      await wait(100);
      expect(seen.sort()).toEqual(notes.sort());
      expect(await depthOf(task)).toBeUndefined();
    });

    it("has the jobs of a transaction if and only if it is committed", async () => {
      const task = newTask();
      const undone = database.transaction(async (queries) => {
        await queue.add(jobs(task, ["undone"]), queries);
        throw new Error("no");
      });
      await expect(undone).rejects.toThrow("no");
      await database.transaction((queries) => queue.add(jobs(task, ["done"]), queries));
      expect(await notesOf(task, 1)).toEqual(["done"]);
    });

    it("replaces a job of the same key that has not begun", async () => {
      const task = newTask();
      await queue.add(jobs(task, ["first"], { key: task }));
      await queue.add(jobs(task, ["second"], { key: task }));
      expect(await notesOf(task, 1)).toEqual(["second"]);
    });

    it("takes smaller priorities first, and none before its time", async () => {
      const task = newTask();
      await queue.add([
        ...jobs(task, ["later"], { delay: 1 }),
        ...jobs(task, ["last"], { priority: 5 }),
        ...jobs(task, ["first"], { priority: -5 }),
      ]);
      expect(await notesOf(task, 3)).toEqual(["first", "last", "later"]);
    });

    it("keeps a job that fails for good, with its error, until it is asked to run it again", async () => {
      const task = newTask();
      let fails = true;
      let done = 0;
      await queue.add(jobs(task, ["x"], { attempts: 1, key: task }));
      const said: string[] = [];
      const work: Task = async () => {
        if (fails) throw Object.assign(new TypeError("out of order"), { code: "E_TEST" });
        done++;
      };
      await run({ [task]: work }, { say: (message) => said.push(message) });
      await until(async () => (await depthOf(task))?.dead === 1);
      expect(said).toEqual([
        expect.stringMatching(/^Job \d+ \(task_\w+\) failed, attempt 1 of 1: TypeError E_TEST\. It is not tried again/),
      ]);
      const dead = (await queue.dead()).filter((one) => one.task === task);
      expect(dead).toMatchObject([{ key: task, attempts: 1, max_attempts: 1, running: false }]);
      expect(dead[0]!.last_error).toContain("out of order");
      fails = false;
      expect(await queue.retry(dead.map(({ id }) => id))).toBe(1);
      await until(() => done === 1);
      expect(await queue.dead()).not.toContainEqual(expect.objectContaining({ task }));
    });

    it("gives the job of a worker that died to another, as its next attempt", async () => {
      const task = newTask();
      await queue.add(jobs(task, ["left"], { key: task }));
      await abandon(task);
      const attempts: number[] = [];
      await run({ [task]: async (_: never, { attempt }) => void attempts.push(attempt) });
      await until(() => attempts.length > 0);
      await wait(100);
      expect(attempts).toEqual([2]);
    });

    it("leaves a job that takes longer than the lease to the worker that runs it", async () => {
      const task = newTask();
      await queue.add(jobs(task, ["slow"]));
      let begun = 0;
      const work: Task = async () => {
        begun++;
        await wait(3000);
      };
      await run({ [task]: work });
      await run({ [task]: work });
      await until(async () => begun > 0 && (await depthOf(task)) === undefined);
      expect(begun).toBe(1);
    });

    it("runs jobs of one lane one after another, and others beside them", async () => {
      const task = newTask();
      await queue.add([...jobs(task, ["a1", "a2", "a3"], { lane: `${task} a` }), ...jobs(task, ["b", "free"])]);
      const [seen, under] = [[] as string[], new Map<string, () => void>()];
      const work: Task = async ({ note }: { note: string }, { stop }) => {
        seen.push(note);
        await new Promise<void>((resolve) => {
          under.set(note, resolve);
          stop.addEventListener("abort", () => resolve());
        });
        under.delete(note);
      };
      await run({ [task]: work }, { concurrency: 4 });
      const ofLane = () => [...under.keys()].filter((note) => note.startsWith("a"));
      for (let n = 1; n <= 3; n++) {
        await until(() => ["b", "free"].every((one) => under.has(one)) && ofLane().length > 0);
        await wait(100);
        expect([ofLane().length, seen.length]).toEqual([1, 2 + n]);
        under.get(ofLane()[0]!)!();
        await until(() => seen.length === 3 + n || ofLane().length === 0);
      }
      for (const end of under.values()) end();
      await until(async () => (await depthOf(task)) === undefined);
    });

    it("counts what waits, runs and is dead, of all workspaces or of one", async () => {
      const task = newTask();
      const of = (workspace: string) => ({ task, payload: { workspace } });
      await queue.add([of("a"), of("a"), of("b")]);
      const waiting = async (workspace?: string) =>
        (await queue.depth(workspace)).find((one) => one.task === task)?.waiting;
      expect([await waiting(), await waiting("a"), await waiting("b"), await waiting("c")]).toEqual([
        3,
        2,
        1,
        undefined,
      ]);
      const failing = newTask();
      await queue.add([{ task: failing, payload: { workspace: "a" }, attempts: 1 }]);
      await run({ [failing]: () => Promise.reject(new Error("no")) });
      await until(async () => (await depthOf(failing))?.dead === 1);
      const deadOf = async (workspace: string) => (await queue.dead(workspace)).map((one) => one.task);
      expect([await deadOf("a"), await deadOf("b")]).toEqual([[failing], []]);
    });

    it("ends when the jobs under way have ended, and tells them to hurry", async () => {
      const task = newTask();
      let state = "waiting";
      await queue.add(jobs(task, ["x"]));
      const one = await run({
        [task]: async (_: never, { stop }) => {
          state = "begun";
          await new Promise((resolve) => stop.addEventListener("abort", resolve));
          await wait(50);
          state = "ended";
        },
      });
      await until(() => state === "begun");
      await one.stop();
      running.length = 0;
      expect(state).toBe("ended");
      expect(Date.now() - one.lastLook()).toBeLessThan(60_000);
    });
  });
}
