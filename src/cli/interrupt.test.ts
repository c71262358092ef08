import { afterEach, expect, it, vi } from "vitest";
import { interruptible, startedByNpm } from "./interrupt.js";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

it("ends with the process that started it, where that is asked for", () => {
  vi.useFakeTimers();
  let starter = "100";
  const watched = interruptible(() => starter);
  const alone = interruptible();
  vi.advanceTimersByTime(10_000);
  expect(watched.signal.aborted).toBe(false);
  starter = "1";
  vi.advanceTimersByTime(1000);
  expect([watched.signal.aborted, alone.signal.aborted]).toEqual([true, false]);
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  watched.release();
  alone.release();
  vi.advanceTimersByTime(2000);
  exit.mockRestore();
});

it("knows who started it only below npm", () => {
  vi.stubEnv("npm_lifecycle_event", undefined);
  expect(startedByNpm()).toBeNull();
  vi.stubEnv("npm_lifecycle_event", "serve");
  expect(startedByNpm()!()).toMatch(new RegExp(`^${process.ppid} \\d*$`));
});
