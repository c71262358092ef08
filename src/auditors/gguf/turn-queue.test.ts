import { describe, expect, it } from "vitest";
import { TurnQueue } from "./auditor.js";

function gate(): { open: () => void; passed: Promise<void> } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

describe("TurnQueue", () => {
  it("lets one work at a time, in the order of their coming", async () => {
    const queue = new TurnQueue();
    const seen: string[] = [];
    const { open, passed } = gate();
    const first = queue.take(undefined, async () => {
      seen.push("first begins");
      await passed;
      seen.push("first ends");
    });
    const second = queue.take(undefined, async () => void seen.push("second"));
    open();
    await Promise.all([first, second]);
    expect(seen).toEqual(["first begins", "first ends", "second"]);
  });

  it("goes on after one that failed", async () => {
    const queue = new TurnQueue();
    const failed = queue.take(undefined, () => Promise.reject(new Error("no")));
    const next = queue.take(undefined, async () => 7);
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe(7);
  });

  it("lets who is called off while waiting leave at once, without doing the work", async () => {
    const queue = new TurnQueue();
    const { open, passed } = gate();
    const first = queue.take(undefined, () => passed);
    const controller = new AbortController();
    let worked = false;
    const waiting = queue.take(controller.signal, async () => {
      worked = true;
    });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ fault: "aborted" });
    open();
    await first;
    await queue.take(undefined, async () => {});
    expect(worked).toBe(false);
  });

  it("leaves a call that has begun to end by itself", async () => {
    const queue = new TurnQueue();
    const controller = new AbortController();
    const { open, passed } = gate();
    const begun = gate();
    const working = queue.take(controller.signal, async () => {
      begun.open();
      await passed;
      return "done";
    });
    await begun.passed;
    controller.abort();
    open();
    expect(await working).toBe("done");
  });
});
