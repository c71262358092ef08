import { existsSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../../test/support/make-audit.js";
import { responseCacheContract } from "../contracts/response-cache.suite.js";
import { runStoreContract } from "../contracts/run-store.suite.js";
import { memoryStores } from "./stores.js";

const opened: ReturnType<typeof memoryStores>[] = [];
afterEach(() => {
  for (const stores of opened.splice(0)) stores.close();
});

function fresh(): ReturnType<typeof memoryStores> {
  const stores = memoryStores();
  opened.push(stores);
  return stores;
}

runStoreContract("memory", () => fresh().runs);
responseCacheContract("memory", () => fresh().openCache);

describe("stores in memory", () => {
  it("leave no file behind when they are closed", async () => {
    const stores = fresh();
    const writer = await stores.runs.create(makeManifest());
    await writer.append([makeAudit()]);
    await writer.seal("2026-01-01T01:00:00.000Z");
    const { path } = await stores.runs.snapshot(writer.manifest.run_id);
    expect(existsSync(path)).toBe(true);
    stores.close();
    expect(existsSync(path)).toBe(false);
  });
});
