import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type BatchClient,
  type BatchHandle,
  type BatchResult,
  type BatchStatus,
  CallError,
} from "../../../auditors/auditor.js";
import type { Generation } from "../../../core/records/case.js";
import { BatchFiles } from "../../../store/files/run-store.js";
import type { BatchStore } from "../../../store/ports.js";
import { bareGeneration } from "../generation.suite.js";
import { collectBatches } from "./collect.js";

const GENERATION = bareGeneration();
const handle = (id: string): BatchHandle => ({ id, items: 2, submitted_at: "2026-01-01T00:00:00Z" });

/** A provider that has these parts, in this state, with these answers. */
function provider(state: BatchStatus["state"], answers: Record<string, BatchResult[]>): BatchClient {
  return {
    async *submit() {},
    find: async () => Object.keys(answers).map(handle),
    status: async ({ id }) => ({ state, done: answers[id]?.length ?? 0, failed: 0, message: null }),
    async *results({ id }) {
      yield* answers[id] ?? [];
    },
  };
}

const answered = (id: string): BatchResult => ({ id, answer: { generations: [GENERATION] } });

describe("collecting a batch", () => {
  let store: BatchStore;
  let kept: Map<string, Generation>;
  beforeEach(() => {
    store = new BatchFiles(mkdtempSync(join(tmpdir(), "batch-")));
    kept = new Map();
  });
  const collect = (client: BatchClient) =>
    collectBatches({
      client,
      store,
      runId: "run",
      share: 0.5,
      keep: async (id, generation) => void kept.set(id, generation),
    });

  it("finds a part again whose receipt was lost, and one of two whose receipts were", async () => {
    const part = await store.begin(["a", "b", "c"]);
    await store.save({ ...part, handles: [handle("one")] });
    const client = provider("finished", { one: [answered("a")], two: [answered("b"), answered("c")] });
    await collect(client);
    expect([...kept.keys()].sort()).toEqual(["a", "b", "c"]);
    expect((await store.parts())[0]).toMatchObject({
      collected: true,
      sent: true,
      handles: [{ id: "one" }, { id: "two" }],
    });
  });

  it("forgets a part that never reached the provider", async () => {
    await store.begin(["a"]);
    const { pending } = await collect(provider("finished", {}));
    expect(pending.size).toBe(0);
    expect(await store.parts()).toEqual([]);
  });

  it("leaves a running part alone, and knows what is in it", async () => {
    await store.save({ ...(await store.begin(["a", "b"])), handles: [handle("one")], sent: true });
    const { pending, states } = await collect(provider("running", { one: [answered("a")] }));
    expect([...pending]).toEqual(["a", "b"]);
    expect(states).toMatchObject([
      { code: "asked", id: "one", items: 2, status: { state: "running", done: 1, failed: 0 } },
    ]);
    expect(kept.size).toBe(0);
  });

  it("takes what an expired part has; what was refused for good is told, the rest may be asked again", async () => {
    await store.save({ ...(await store.begin(["a", "b", "c"])), handles: [handle("one")], sent: true });
    const bad: BatchResult = { id: "b", answer: { error: new CallError("bad_request", "too long") } };
    const busy: BatchResult = { id: "c", answer: { error: new CallError("server", "500") } };
    const { pending, refused } = await collect(provider("expired", { one: [answered("a"), bad, busy] }));
    expect([...kept.keys()]).toEqual(["a"]);
    expect([...refused.keys()]).toEqual(["b"]);
    expect(pending.size).toBe(0);
  });

  it("counts the price of a batch", async () => {
    await store.save({ ...(await store.begin(["a"])), handles: [handle("one")], sent: true });
    await collect(provider("finished", { one: [answered("a")] }));
    expect(kept.get("a")!.usage.cost_usd).toBe(0.5);
  });
});
