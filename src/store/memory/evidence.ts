import { ERASED } from "../../core/names.js";
import type { Decision } from "../../core/records/decision.js";
import type { Chain, ChainEntry, ChainHead } from "../../evidence/chain.js";
import { ERASURES, type Eraser, isErasedBy, newTombstones, readTombstone } from "../../evidence/tombstone.js";
import { Quotes } from "../../text/quotes.js";
import type { ChainStore, ErasedPlace, ErasureStore, GateStore, RouteStore } from "../ports.js";
import { chainSources, erasedIn, erasedRow, exceptDecision, restOf, wordsOf } from "../records/erased.js";
import type { MemoryData } from "./records.js";
import { type MemoryRunStore, turns } from "./run-store.js";

/** The data that an erasure in memory searches. */
export interface MemoryPlaces {
  data: MemoryData;
  runs: MemoryRunStore;
  gate: GateStore;
  routes: RouteStore;
  /** Model answers. */
  answers: Map<string, string>;
  /** Results of experiments, as JSON. */
  experiments: Map<string, string>;
}

/** The chain in memory, and the erasure that deletes its salts. */
export function memoryEvidence(places: MemoryPlaces): { chain: ChainStore; erasure: ErasureStore } {
  const { data, runs, gate, routes, answers, experiments } = places;
  let entries: ChainEntry[] = [];
  const heads: ChainHead[] = [];
  const tombstones: string[] = [];
  const chain: ChainStore = {
    read: async (): Promise<Chain> => structuredClone({ entries, heads }),
    async logs() {
      const lines: string[] = [];
      for await (const batch of routes.lines()) lines.push(...batch);
      const events: string[] = [];
      for await (const event of gate.history()) events.push(JSON.stringify(event));
      const logs = { routes: lines, gate: events, outcomes: [...data.outcomes.lines.values()] };
      return Object.entries({ ...logs, [ERASURES]: [...tombstones] }).map(([source, records]) => ({
        ...{ source, records, complete: false },
      }));
    },
    async append(added, head) {
      entries.push(...structuredClone(added));
      heads.push(structuredClone(head));
    },
    rest: restOf,
    where: (source, n) => `memory: ${source}, record ${n + 1}`,
    withSealLock: turns(),
  };
  const find = async (ids: ReadonlySet<string>, dryRun: boolean): Promise<ErasedPlace[]> => {
    const found: ErasedPlace[] = [];
    const note = (place: string, count: number, what: ErasedPlace["what"] = "erased") => {
      if (count > 0) found.push({ place: `memory: ${place}`, count, what });
    };
    const quotes = new Quotes();
    const decisions = [...data.decisions.lines.values()].map((line) => JSON.parse(line) as Decision);
    for (const one of decisions) if (ids.has(one.id)) quotes.add(one.id, wordsOf(one));
    for (const one of decisions) if (!ids.has(one.id)) exceptDecision(quotes, one);
    for (const [run, count] of runs.erase(ids, dryRun)) note(`run ${run}`, count);
    for (const kind of ["labels", "outcomes"] as const)
      note(
        kind,
        data.eraseRows(kind, (row) => erasedRow(kind, row), ids, dryRun),
      );
    const same = [...data.precedents.lines].filter(([id, line]) => ids.has(id) || quotes.quotedBy(JSON.parse(line)));
    note("precedents", same.length);
    if (!dryRun) for (const [id] of same) data.precedents.lines.delete(id);
    note(
      "rejects",
      data.eraseRejects((line) => {
        const reject: unknown = JSON.parse(line);
        return quotes.without(reject, ERASED) !== reject;
      }, dryRun),
    );
    for (const [kind, text] of experiments) {
      const value: unknown = JSON.parse(text);
      const next = quotes.without(value, ERASED);
      if (next === value) continue;
      note(kind, 1);
      if (!dryRun) experiments.set(kind, JSON.stringify(next));
    }
    note("cache", answers.size, "emptied");
    if (!dryRun) answers.clear();
    for (const one of decisions)
      if (!ids.has(one.id) && quotes.leftIn(quotes.without(one, "", "long")))
        note(`decisions, content of ${one.id}`, 1, "left");
    note("decisions", data.eraseDecisions(ids, quotes, dryRun));
    return found;
  };
  const bury = async (ids: readonly string[], eraser: Eraser) => {
    const made = newTombstones(ids, await chainSources(runs, chain), eraser, erasedIn(new Set(ids)));
    tombstones.push(...made.map((one) => JSON.stringify(one)));
  };
  const erasure: ErasureStore = {
    buried: async () => new Set(tombstones.flatMap((text) => readTombstone(text)?.decision ?? [])),
    known: async (ids) => ids.filter((id) => data.decisions.lines.has(id)),
    find: (ids) => find(new Set(ids), true),
    bury: (ids, eraser) => chain.withSealLock(() => bury(ids, eraser)),
    erase: (ids, eraser) =>
      chain.withSealLock(async () => {
        await bury(ids, eraser);
        const found = await find(new Set(ids), false);
        const isErased = isErasedBy(tombstones.map((text) => readTombstone(text)!));
        entries = entries.map((one) => (isErased(one) ? { ...one, salt: null } : one));
        return found;
      }),
  };
  return { chain, erasure };
}
