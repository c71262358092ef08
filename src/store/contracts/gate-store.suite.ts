import { describe, expect, it } from "vitest";
import { watchStreams } from "../../measures/gate/drift/watch-streams.js";
import { goodCommunity, goodGate } from "../../measures/gate/route.suite.js";
import type { GateStore } from "../ports.js";
import type { GateEvent, StoredWatch } from "../records/gate-event.js";

const AT = "2026-01-01T00:00:00.000Z";
const gate = goodGate({ gate_id: "g1", created_at: AT });
const active = { gate, sampling_key: "0123456789abcdef", in_force_since: AT };
const suspension = { since: AT, reason: "an alarm", after: null };

async function events(store: GateStore): Promise<GateEvent[]> {
  const found: GateEvent[] = [];
  for await (const event of store.history()) found.push(event);
  return found;
}

/** What every store of the gate must do. `create` gives a fresh, empty one. */
export function gateStoreContract(name: string, create: () => GateStore): void {
  describe(`${name} keeps the contract of a store of the gate`, () => {
    it("has nothing at first", async () => {
      const store = create();
      const found = [await store.active(), await store.standing(), await store.closure(), await store.watch()];
      expect(found).toEqual([null, null, null, null]);
      expect(await events(store)).toEqual([]);
    });

    it("gives back the active gate, hashed, and the next one after it", async () => {
      const store = create();
      await store.activate(active);
      expect(await store.active()).toEqual({ ...active, content_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      await store.activate({ ...(await store.active())!, gate: { ...gate, gate_id: "g2" } });
      expect((await store.active())!.gate.gate_id).toBe("g2");
      expect((await store.standing())!.newest).toEqual({ gate_id: "g2", created_at: AT });
    });

    it("keeps who is suspended, in the gate and apart from it", async () => {
      const store = create();
      await store.activate({ ...active, gate: { ...gate, communities: [goodCommunity({ suspended: suspension })] } });
      expect([...(await store.standing())!.suspended.keys()]).toEqual(["plants"]);
      const suspended = new Map([["garden", suspension]]);
      await store.keepStanding({ ...(await store.standing())!, suspended });
      const named = (await store.active())!.gate.communities.filter((one) => one.suspended);
      expect(named.map((one) => one.community).sort()).toEqual(["garden", "plants"]);
    });

    it("closes every gate and opens them again, with a trace of both", async () => {
      const store = create();
      expect(await store.close({ since: AT, reason: "too many complaints" })).toBeNull();
      expect(await store.closure()).toEqual({ since: AT, reason: "too many complaints" });
      await store.open("2026-01-02T00:00:00.000Z");
      expect(await store.closure()).toBeNull();
      expect(await events(store)).toEqual([
        { type: "closed", at: AT, reason: "too many complaints" },
        { type: "opened", at: "2026-01-02T00:00:00.000Z" },
      ]);
    });

    it("adds to the history and lets nothing that was read change it", async () => {
      const store = create();
      await store.record([{ type: "suspended", at: AT, community: "__proto__" }]);
      await store.record([{ type: "reinstated", at: AT, community: "plants" }]);
      (await events(store))[0]!.at = "changed";
      expect((await events(store)).map(({ type, at, community }) => [type, at, community])).toEqual([
        ["suspended", AT, "__proto__"],
        ["reinstated", AT, "plants"],
      ]);
    });

    it("keeps how far the watch has come", async () => {
      const store = create();
      const rows = Array.from({ length: 60 }, (_, i) => {
        return { key: "a", time: i, decided: true, x_indefensible: 1, x_ambiguous: 0, version: "v1" };
      });
      const { state } = watchStreams(rows, { p0: { indefensible: 0.1, ambiguous: 0.15 }, fleet: 8 });
      const watch: StoredWatch = { format: 1, by: ["community"], variable: "ai", runs: ["r1"], met: [], watch: state };
      await store.keepWatch(watch);
      expect(await store.watch()).toEqual(JSON.parse(JSON.stringify(watch)));
    });

    it("marks changes of the gate and of the kill switch apart", async () => {
      const store = create();
      const marks = [await store.marks()];
      expect(await store.marks()).toEqual(marks[0]);
      await store.activate(active);
      marks.push(await store.marks());
      await store.keepStanding({ ...(await store.standing())!, suspended: new Map([["calm", suspension]]) });
      marks.push(await store.marks());
      expect(new Set(marks.map(({ gate: mark }) => mark)).size).toBe(3);
      expect(new Set(marks.map(({ closure }) => closure)).size).toBe(1);
      await store.close({ since: AT, reason: "a test" });
      expect((await store.marks()).closure).not.toBe(marks[0]!.closure);
      expect((await store.marks()).gate).toBe(marks[2]!.gate);
    });

    it("lets one at a time change the gate", async () => {
      const store = create();
      let [inside, most] = [0, 0];
      const work = async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
      };
      await Promise.all([store.withGateLock(work), store.withGateLock(work)]);
      expect(most).toBe(1);
    });
  });
}
