import { afterEach, expect, it, vi } from "vitest";
import { interruptible } from "./interrupt.js";

afterEach(() => {
  vi.useRealTimers();
});

it("ends with the process that started it, where that is asked for", () => {
  vi.useFakeTimers();
  let parent = 100;
  const watched = interruptible(() => parent);
  const alone = interruptible();
  vi.advanceTimersByTime(10_000);
  expect(watched.signal.aborted).toBe(false);
  parent = 1;
  vi.advanceTimersByTime(1000);
  expect([watched.signal.aborted, alone.signal.aborted]).toEqual([true, false]);
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  watched.release();
  alone.release();
  vi.advanceTimersByTime(2000);
  exit.mockRestore();
});
