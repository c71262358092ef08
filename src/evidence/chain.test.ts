import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import { auditSchema } from "../core/records/audit.js";
import { outcomeSchema } from "../core/records/label.js";
import { routeRecordSchema } from "../core/records/route.js";
import { parseGateEvent } from "../store/records/gate-event.js";
import { type Chain, type ChainSource, extendChain } from "./chain.js";
import { leafHash, MerkleTree } from "./merkle.js";
import { newTombstones, readTombstone } from "./tombstone.js";
import { sealProblems, verifyChain } from "./verify-chain.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
let drawn = 0;
const salt = () => createHash("sha256").update(String(drawn++)).digest("hex").slice(0, 32);

const citation = { scope: "community", rule_id: "R1", overlap: 0.75, grounded: true };
const AUDIT = {
  ...makeAudit({ run_id: "run1", error: { code: "refused", message: "It would not say." }, thread_id: "t1" }),
  ...{
    missing: "floor",
    decided_at: "2026-11-14T10:00:00Z",
    h_citation_sampled_bits: 0.25,
    samples: 20,
    se: { pds: 0.125 },
  },
  trace: { ...makeAudit().trace, inverse_citation: "platform rule P1", level3_reason: "no_rule" },
  ...{
    citation_spans: [["policy", 0.5]],
    p_calibrated: 0.875,
    calibration_id: "c1",
    sensitivity: { floor: 0.5, paper: null },
  },
  prompt: { precedents_used: ["p1"], precedents_left_out: 1, content_cut: 12, scrubbed: { MAIL1: "a@b.example" } },
  ...{ citation, inverse_citation: citation, read: { content: "c0", rules: "r0", precedents: "p0" } },
};
const ROUTE = {
  ...{ decision_id: "d1", route: "review", reasons: ["closed"], community_state: "earned_autonomy", mode: "shrunk" },
  ...{
    score: 0.5,
    threshold: 0.75,
    threshold_reason: "none",
    calibration_id: "c1",
    gate_id: "g1",
    versions: { rules: "1+1" },
  },
  ...{
    community: "garden",
    decision: "remove",
    would_automate: false,
    review_share: 0.02,
    sampled: true,
    thread_id: "t1",
  },
  evidence: {
    cohort: "garden",
    n: 40,
    indefensible: 1,
    inverse_yes: 2,
    passes: { paper: true, shrunk: true, certified: false },
  },
  ...{
    language: "en",
    decided_at: "2026-11-14",
    shadow: true,
    would_route: "automate",
    line: 3,
    at: "2026-11-15T09:00:00Z",
  },
};
const OUTCOME = {
  ...{
    decision_id: "d1",
    outcome: "uphold",
    level: 2,
    inverse: false,
    reviewer: "ben",
    saw_audit: true,
    source: "appeal",
  },
  at: "2026-11-15T12:00:00Z",
};
const TOMBSTONE = {
  ...{ decision: "a".repeat(64), at: "2026-11-15T12:00:00Z", by: "ann", reason: "asked" },
  records: [{ source: "audits:gone", n: 7, hash: "b".repeat(64) }],
};
const who = { actor: "ann", reason: "why not" };
const EVIDENCE = {
  ...{ run_id: "run1", auditor: "baseline", auditor_version: "1", prompt_version: "2", template: "guided" },
  ...{ signal: "logprobs", tier: "wiki", missing: "floor" },
};
const GATE_EVENTS = [
  {
    ...{
      type: "gate",
      at: "2026-11-11",
      gate_id: "g1",
      in_force: true,
      applied: true,
      replaced_damaged: true,
      mode: "shrunk",
    },
    ...{ settings: { di: 0.9 }, evidence: EVIDENCE, data: "abc", look: "anytime" },
    ...{ states: { garden: "earned_autonomy" }, passing: ["garden"], ...who },
  },
  {
    type: "suspended",
    at: "2026-11-12",
    community: "garden",
    decision_time: "2026-11-11",
    by: "hand",
    by_hand: true,
    ...who,
  },
  { type: "reinstated", at: "2026-11-13", community: "garden", by_hand: true, ...who },
  { type: "closed", at: "2026-11-14", ...who },
  { type: "opened", at: "2026-11-15", ...who },
];
/** Every kind of record in the chain, with every field that it can have. */
const KINDS: Record<string, (n: number) => object> = {
  routes: (n) => ({ ...ROUTE, decision_id: `d${n}` }),
  gate: (n) => GATE_EVENTS[n]!,
  outcomes: (n) => ({ ...OUTCOME, decision_id: `d${n}` }),
  erasures: (n) => ({ ...TOMBSTONE, at: `2026-11-15T12:00:0${n}Z` }),
  "audits:run1": (n) => ({ ...AUDIT, decision_id: `d${n}` }),
};
const SOURCES: ChainSource[] = Object.entries(KINDS).map(([source, make]) => ({
  source,
  complete: source.startsWith("audits:"),
  records: Array.from({ length: 5 }, (_, n) => JSON.stringify(make(n))),
  ...(source.startsWith("audits:") && {
    rest: (record: string) => JSON.stringify({ ...JSON.parse(record), trace: null }),
  }),
}));

function extended(chain: Chain, sources: readonly ChainSource[], at: string, key = privateKey): Chain {
  const { entries, head } = extendChain(chain, sources, at, salt, key);
  return { entries: [...chain.entries, ...entries], heads: head ? [...chain.heads, head] : chain.heads };
}

const first = SOURCES.map((one) => (one.complete ? one : { ...one, records: one.records.slice(0, 2) }));
const CHAIN = [
  [first, "2026-11-15T10:00:00Z"] as const,
  [
    SOURCES.map((one) => (one.complete ? one : { ...one, records: one.records.slice(0, 3) })),
    "2026-11-15T11:00:00Z",
  ] as const,
  [SOURCES, "2026-11-16T01:00:00Z"] as const,
].reduce((chain, [sources, at]) => extended(chain, sources, at), { entries: [], heads: [] } as Chain);

const without = (source: string, change: (records: string[]) => void) =>
  SOURCES.map((one) => {
    if (one.source !== source) return one;
    const records = [...one.records];
    change(records);
    return { ...one, records };
  });
const codes = (sources: readonly ChainSource[], chain = CHAIN) =>
  verifyChain(chain, sources, { trusted: publicKey }).problems.map(({ code }) => code);

describe("MerkleTree", () => {
  it("has the roots of RFC 6962", () => {
    const tree = new MerkleTree();
    expect(tree.root()).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    tree.add("");
    expect(tree.root()).toBe("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
    // By the definition: the left part is the largest power of two below n.
    const node = (left: Buffer, right: Buffer) =>
      createHash("sha256")
        .update(Buffer.concat([Buffer.of(1), left, right]))
        .digest();
    const root = (leaves: string[]): Buffer => {
      if (leaves.length === 1) return leafHash(leaves[0]!);
      let k = 1;
      while (k * 2 < leaves.length) k *= 2;
      return node(root(leaves.slice(0, k)), root(leaves.slice(k)));
    };
    const leaves = Array.from({ length: 20 }, (_, i) => `leaf ${i}`);
    const grown = new MerkleTree();
    leaves.forEach((leaf, i) => {
      grown.add(leaf);
      expect(grown.root()).toBe(root(leaves.slice(0, i + 1)).toString("hex"));
    });
  });
});

describe("the chain", () => {
  it("holds as it was made, with heads of two days", () => {
    expect(verifyChain(CHAIN, SOURCES, { trusted: publicKey })).toEqual({
      ...{ ok: true, problems: [], entries: 25, heads: 3, unsigned: 0, unsealed: 0, erased: 0, erasures_unsealed: 0 },
      signed_by: [CHAIN.heads[0]!.signature!.key_id],
    });
    expect(extendChain(CHAIN, SOURCES, "2026-11-17T00:00:00Z", salt, null)).toEqual({ entries: [], head: null });
  });

  it("is tested on records that have every field of their format", () => {
    const fields = (record: object) => Object.keys(record).sort();
    expect(fields(AUDIT)).toEqual(Object.keys(auditSchema.shape).sort());
    expect(fields(ROUTE)).toEqual(Object.keys(routeRecordSchema.shape).sort());
    expect(fields(OUTCOME)).toEqual(Object.keys(outcomeSchema.shape).sort());
    expect(readTombstone(JSON.stringify(TOMBSTONE))).toEqual(TOMBSTONE);
    for (const [i, event] of GATE_EVENTS.entries())
      expect(parseGateEvent(JSON.stringify(event), `event ${i}`)).toEqual(event);
  });

  it.each(SOURCES.map(({ source }) => source))(
    "finds a change of any byte of %s, and any record that is not in its place",
    (source) => {
      const { records, complete } = SOURCES.find((one) => one.source === source)!;
      for (const n of records.keys()) {
        // Records of one kind have the same fields; each change of the gate has its own.
        for (const at of n === 2 || source === "gate" ? records[n]!.matchAll(/[^"{}[\],:]+/g) : []) {
          for (const byte of [at.index, at.index + (at[0].length >> 1), at.index + at[0].length - 1]) {
            const other =
              records[n]!.slice(0, byte) + (records[n]![byte] === "x" ? "y" : "x") + records[n]!.slice(byte + 1);
            expect(
              verifyChain(
                CHAIN,
                without(source, (list) => list.splice(n, 1, other)),
              ).problems,
            ).toMatchObject([{ code: "changed", source, n }]);
          }
        }
        expect(
          verifyChain(
            CHAIN,
            without(source, (list) => list.splice(n, 1)),
          ).problems,
        ).toEqual([{ code: "removed", source, n }]);
        expect(
          verifyChain(
            CHAIN,
            without(source, (list) => list.splice(n, 0, "{}")),
          ).problems,
        ).toEqual([{ code: "added", source, n }]);
        if (n > 0) {
          const swapped = without(source, (list) => list.splice(n - 1, 2, records[n]!, records[n - 1]!));
          expect(verifyChain(CHAIN, swapped).problems).toMatchObject([
            { code: "reordered", source, n: n - 1 },
            { code: "reordered", source, n },
          ]);
        }
        expect(codes(without(source, (list) => list.splice(n)))).toEqual(records.slice(n).map(() => "removed"));
      }
      const later = verifyChain(
        CHAIN,
        without(source, (list) => list.push("{}")),
      );
      expect([later.ok, later.unsealed]).toEqual(complete ? [false, 0] : [true, 1]);
    },
  );

  it("finds a changed, removed or moved line of its own files, and a head without a signature", () => {
    for (const [i, entry] of CHAIN.entries.entries()) {
      const with_ = (entries: Chain["entries"]) => codes(SOURCES, { ...CHAIN, entries });
      expect(with_(CHAIN.entries.toSpliced(i, 1)).length, `entry ${i}`).toBeGreaterThan(0);
      expect(with_(CHAIN.entries.toSpliced(i, 1, { ...entry, hash: "0".repeat(64) }))).toContain("changed");
      expect(with_(CHAIN.entries.toSpliced(i, 1, { ...entry, salt: "0".repeat(32) }))).toContain("changed");
      expect(with_(CHAIN.entries.toSpliced(i, 1, { ...entry, source: "x" })).length).toBeGreaterThan(0);
      expect(with_(CHAIN.entries.toSpliced(i, 1, { ...entry, rest: "0".repeat(64) }))).toContain("other_root");
    }
    for (const [i, head] of CHAIN.heads.entries()) {
      const changed = { day: "2026-11-14", at: "x", size: head.size + 1, root: "0", previous: "0", signature: null };
      for (const [name, value] of Object.entries(changed)) {
        const heads = CHAIN.heads.toSpliced(i, 1, { ...head, [name]: value });
        expect(codes(SOURCES, { ...CHAIN, heads }).length, `head ${i} ${name}`).toBeGreaterThan(0);
      }
      expect(codes(SOURCES, { ...CHAIN, heads: CHAIN.heads.toSpliced(i, 1) }).length).toBeGreaterThan(0);
    }
  });

  it("knows what was moved, added, removed and changed in one log", () => {
    const found = (order: readonly (number | string)[]) => {
      const { records } = SOURCES[0]!;
      const list = order.map((one) => (typeof one === "number" ? records[one]! : one));
      const { problems } = verifyChain(
        CHAIN,
        without("routes", (own) => own.splice(0, own.length, ...list)),
      );
      return problems.map((one) => `${"n" in one && one.n} ${one.code}`);
    };
    expect(found([4, 1, 2, 3, 0])).toEqual(["0 reordered", "4 reordered"]);
    expect(found([1, 2, 3, 4, 0])).toEqual(["0 reordered", "1 reordered"]);
    expect(found([1, 0, "{}", 3, 4])).toEqual(["0 reordered", "1 reordered", "2 changed"]);
    expect(found([0, "{}", 1, 3, 4])).toEqual(["1 added", "2 removed"]);
    expect(found([1, "{}", 0, 3, 4])).toEqual(["0 reordered", "1 reordered", "2 changed"]);
  });

  it("holds when the clock goes back over midnight", () => {
    const more = (list: readonly ChainSource[], n: number) =>
      list.map((one) => (one.source === "routes" ? { ...one, records: [...one.records, `{"line":${n}}`] } : one));
    const [one, two] = [more(SOURCES, 1), more(more(SOURCES, 1), 2)];
    const ahead = extended(CHAIN, one, "2026-11-18T01:00:00Z");
    const back = extended(ahead, two, "2026-11-17T23:00:00Z");
    expect(back.heads.slice(-2).map(({ day, size }) => [day, size])).toEqual([
      ["2026-11-18", 1],
      ["2026-11-18", 2],
    ]);
    expect(verifyChain(back, two, { trusted: publicKey }).problems).toEqual([]);
  });

  it("is not there before the first seal", () => {
    expect(verifyChain({ entries: [], heads: [] }, SOURCES)).toMatchObject({
      ...{ ok: false, problems: [{ code: "nothing_sealed" }], unsealed: 25 },
    });
  });

  it("finds a tail that was cut off everywhere, by a head that was kept elsewhere", () => {
    const day = CHAIN.entries.filter((entry) => entry.day === "2026-11-15");
    const cut = { entries: day, heads: CHAIN.heads.slice(0, 2) };
    const sources = SOURCES.map((one) => (one.complete ? one : { ...one, records: one.records.slice(0, 3) }));
    expect(verifyChain(cut, sources, { trusted: publicKey }).ok).toBe(true);
    const kept = CHAIN.heads[2]!;
    expect(verifyChain(cut, sources, { kept }).problems).toEqual([{ code: "head_not_found", day: "2026-11-16" }]);
    expect(verifyChain(CHAIN, SOURCES, { kept }).ok).toBe(true);
  });
});

describe("an erasure in the chain", () => {
  const source = "audits:run1";
  const made = { at: "2026-11-16T02:00:00Z", by: "ann", reason: "asked" };
  const { rest } = SOURCES.find((one) => one.source === source)!;
  const erased = (_: string, record: string) =>
    JSON.parse(record).decision_id === "d3" && JSON.parse(record).trace
      ? { decision: "d3", record: rest!(record) }
      : null;
  const [tombstone] = newTombstones(["d3"], SOURCES, made, erased);
  const buried = (...stones: object[]) =>
    without("erasures", (list) => list.push(...stones.map((one) => JSON.stringify(one))));
  /** Record 3 as a change makes it. */
  const replaced = (sources: readonly ChainSource[], change: (text: string) => string) =>
    sources.map((one) =>
      one.source === source ? { ...one, records: one.records.map((text, n) => (n === 3 ? change(text) : text)) } : one,
    );
  const forget = (n: number, chain: Chain): Chain => ({
    ...chain,
    entries: chain.entries.map((one) => (one.source === source && one.n === n ? { ...one, salt: null } : one)),
  });
  const problems = (chain: Chain, sources: readonly ChainSource[]) =>
    verifyChain(chain, sources, { trusted: publicKey }).problems;
  const SEALED = extended(CHAIN, buried(tombstone!), "2026-11-16T03:00:00Z");
  const forged = (text: string) => rest!(text).replace('"level":1', '"level":2');
  const problem = (code: string, n = 3) => [{ code, source, n, decision: `d${n}` }];

  it("holds at every step from the head of the tombstone: the record, the salt; and a change of what is left is found", () => {
    expect(tombstone).toMatchObject({ ...made, records: [{ source, n: 3 }] });
    const gone = replaced(buried(tombstone!), rest!);
    for (const [chain, sources, count] of [
      [SEALED, buried(tombstone!), 0],
      [SEALED, gone, 0],
      [forget(3, SEALED), gone, 1],
    ] as const) {
      const check = verifyChain(chain, sources, { trusted: publicKey });
      expect(check).toMatchObject({ problems: [], erased: count, unsealed: 0, erasures_unsealed: 0 });
    }
    expect(newTombstones(["d3"], gone, made, erased)).toEqual([]);
    expect(problems(forget(3, SEALED), replaced(buried(tombstone!), forged))).toEqual(problem("changed"));
    expect(problems(forget(3, SEALED), buried(tombstone!))).toEqual(problem("changed"));
    // A salt that was deleted without an erasure.
    expect(problems(forget(2, SEALED), gone)).toEqual(problem("changed", 2));
  });

  it("does not let a tombstone speak for a record that is not what the erasure leaves", () => {
    const hash = createHash("sha256").update(forged(SOURCES[4]!.records[3]!)).digest("hex");
    for (const decision of [tombstone!.decision, "a".repeat(64)]) {
      const lie = { ...tombstone!, decision, records: [{ source, n: 3, hash }] };
      const sources = replaced(buried(lie), forged);
      expect(problems(CHAIN, sources)).toEqual(problem("changed"));
      expect(problems(forget(3, CHAIN), sources)).toEqual(problem("changed"));
      // Even under a signed head.
      const sealed = extended(CHAIN, buried(lie), "2026-11-16T03:00:00Z");
      expect(problems(forget(3, sealed), sources)).toEqual(problem("changed"));
    }
  });

  it("needs a tombstone of its decision that was sealed, after the record", () => {
    expect(problems(forget(3, CHAIN), replaced(SOURCES, rest!))).toEqual(problem("erased_without_tombstone"));
    const gone = replaced(buried(tombstone!), rest!);
    expect(problems(forget(3, CHAIN), gone)).toEqual(problem("erasure_not_sealed"));
    const other = { ...tombstone!, decision: "a".repeat(64) };
    const sealed = extended(CHAIN, buried(other), "2026-11-16T03:00:00Z");
    expect(problems(forget(3, sealed), replaced(buried(other), rest!))).toEqual(problem("erased_without_tombstone"));
    const early = buried(tombstone!).map((one) => (one.source === source ? { ...one, records: [] } : one));
    const first = extended({ entries: [], heads: [] }, early, "2026-11-14T01:00:00Z");
    const then = extended(first, buried(tombstone!), "2026-11-14T02:00:00Z");
    expect(problems(forget(3, then), gone)).toEqual(problem("erased_without_tombstone"));
    // A service seals later.
    const later = gone.map((one) => (one.source === "erasures" ? { ...one, sealedLater: true } : one));
    expect(verifyChain(forget(3, CHAIN), later)).toMatchObject({ problems: [], erasures_unsealed: 1 });
  });

  it("is reported while its tombstone is under no head and the text is there, as by a seal", () => {
    const unknown = { code: "unknown_erasure", source: "erasures", n: 5, tombstone };
    expect(verifyChain(CHAIN, buried(tombstone!))).toMatchObject({
      ...{ ok: false, problems: [unknown], unsealed: 1, erasures_unsealed: 1 },
    });
    // Nothing of it is in the chain: the next seal adds it.
    expect(verifyChain(CHAIN, buried({ ...tombstone!, records: [] }))).toMatchObject({
      ok: true,
      erasures_unsealed: 1,
    });
    const later = buried(tombstone!).map((one) => (one.source === "erasures" ? { ...one, sealedLater: true } : one));
    expect(verifyChain(CHAIN, later)).toMatchObject({ ok: true, erasures_unsealed: 1 });
  });

  it("is sealed by the erasure itself and by nothing else", () => {
    const open = (chain: Chain, sources: readonly ChainSource[], ...ids: string[]) =>
      sealProblems(chain, sources, new Set(ids)).erasures.length;
    const gone = replaced(buried(tombstone!), rest!);
    for (const sources of [buried(tombstone!), gone]) {
      expect(open(CHAIN, sources)).toBe(1);
      expect(open(CHAIN, sources, tombstone!.decision)).toBe(0);
    }
    // Records that are not sealed yet: of an erasure that is done, and of one that is not.
    const none = { entries: [], heads: [] };
    expect([open(none, gone), open(none, buried(tombstone!))]).toEqual([0, 1]);
    expect(open(SEALED, buried(tombstone!))).toBe(0);
  });

  it("cannot be prepared by entries that no seal wrote", () => {
    const whole = SOURCES.filter((one) => one.source !== source);
    const chain = extended({ entries: [], heads: [] }, whole, "2026-11-16T01:00:00Z");
    const { entries } = extendChain(chain, SOURCES, "2026-11-16T02:00:00Z", salt, null);
    const left = (list: Chain["entries"]) =>
      sealProblems({ entries: [...chain.entries, ...list], heads: chain.heads }, SOURCES, new Set()).chain;
    expect(left(entries)).toEqual([]);
    expect(left(entries.map((one) => ({ ...one, rest: "0".repeat(64) })))).toMatchObject([
      { code: "entries_without_head" },
    ]);
  });
});
