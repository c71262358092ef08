import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Chain, type ChainSource, extendChain, verifyChain } from "./chain.js";
import { leafHash, MerkleTree } from "./merkle.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
let drawn = 0;
const salt = () => createHash("sha256").update(String(drawn++)).digest("hex").slice(0, 32);

const KINDS: Record<string, (n: number) => object> = {
  routes: (n) => ({
    decision_id: `d${n}`,
    route: "review",
    reasons: ["closed"],
    score: 0.5 + n / 100,
    at: "2026-11-15",
  }),
  gate: (n) => ({ type: "closed", at: `2026-11-1${n}`, by: "ann", reason: "why not" }),
  outcomes: (n) => ({ decision_id: `d${n}`, outcome: "uphold", level: 2, at: "2026-11-15", reviewer: "ben" }),
  "audits:run1": (n) => ({
    run_id: "run1",
    decision_id: `d${n}`,
    level: 1,
    level_probs: [0.7, 0.2, 0.1],
    trace: { logic_chain: "So it is." },
  }),
};
const SOURCES: ChainSource[] = Object.entries(KINDS).map(([source, make]) => ({
  source,
  complete: source.startsWith("audits:"),
  records: Array.from({ length: 5 }, (_, n) => JSON.stringify(make(n))),
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
      ...{ ok: true, problems: [], entries: 20, heads: 3, unsigned: 0, unsealed: 0 },
    });
    expect(extendChain(CHAIN, SOURCES, "2026-11-17T00:00:00Z", salt, null)).toEqual({ entries: [], head: null });
  });

  it.each(SOURCES.map(({ source }) => source))("finds any change of %s", (source) => {
    const { records, complete } = SOURCES.find((one) => one.source === source)!;
    for (const n of records.keys()) {
      for (const at of records[n]!.matchAll(/[^"{}[\],:]+/g)) {
        for (const byte of [at.index, at.index + (at[0].length >> 1), at.index + at[0].length - 1]) {
          const other =
            records[n]!.slice(0, byte) + (records[n]![byte] === "x" ? "y" : "x") + records[n]!.slice(byte + 1);
          expect(
            verifyChain(
              CHAIN,
              without(source, (list) => list.splice(n, 1, other)),
            ).problems,
          ).toEqual([{ code: "changed", source, n }]);
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
        expect(codes(swapped)).toContain("reordered");
      }
      expect(codes(without(source, (list) => list.splice(n)))).toEqual(records.slice(n).map(() => "removed"));
    }
    const later = verifyChain(
      CHAIN,
      without(source, (list) => list.push("{}")),
    );
    expect([later.ok, later.unsealed]).toEqual(complete ? [false, 0] : [true, 1]);
  });

  it("finds a changed, removed or moved line of its own files, and a head without a signature", () => {
    for (const [i, entry] of CHAIN.entries.entries()) {
      const with_ = (entries: Chain["entries"]) => codes(SOURCES, { ...CHAIN, entries });
      expect(with_(CHAIN.entries.toSpliced(i, 1)).length, `entry ${i}`).toBeGreaterThan(0);
      expect(with_(CHAIN.entries.toSpliced(i, 1, { ...entry, hash: "0".repeat(64) }))).toContain("changed");
      expect(with_(CHAIN.entries.toSpliced(i, 1, { ...entry, salt: "0".repeat(32) }))).toContain("changed");
      expect(with_(CHAIN.entries.toSpliced(i, 1, { ...entry, source: "x" })).length).toBeGreaterThan(0);
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
