import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ask, Auditor } from "../src/auditors/auditor.js";
import type { Alternative, Generation, Token } from "../src/core/records/case.js";

/** An auditor and a question that it answers. */
export interface AuditorUnderTest {
  auditor: Auditor;
  ask(changes?: Partial<Ask>): Ask;
  close?(): Promise<void>;
}

/** So many answers to one question. */
export function wanted(count: number): Ask["wanted"] {
  return Array.from({ length: count }, (_, i) => ({ key: `k${i}`, seed: `seed ${i}` }));
}

/** What holds of an answer whoever gave it. @see docs/formats.md, raw answers */
export function expectSound(generation: Generation): void {
  expect(["stop", "length", "refusal", "filter"]).toContain(generation.finish);
  expect(["raw", "tempered", "unknown"]).toContain(generation.space);
  expect(["top_k", "vocab"]).toContain(generation.support);
  expect(generation.model).not.toBe("");
  expect(generation.temperature).toBeGreaterThanOrEqual(0);
  for (const [name, value] of Object.entries(generation.usage)) {
    if (value === null) continue;
    expect(value, name).toBeGreaterThanOrEqual(0);
    if (name !== "cost_usd") expect(Number.isInteger(value), name).toBe(true);
  }
  const { tokens, text } = generation;
  if (tokens === null) return;
  // One expectation for all tokens: one for each number takes a third of the time of all these tests.
  expect(tokens.filter((token) => !isSound(token))).toEqual([]);
  if (generation.joined) expect(tokens.map((token) => token.text).join("")).toBe(text);
}

/** Texts, logarithms of probabilities, the likeliest first, together at most one. */
function isSound(token: Token): boolean {
  const { top } = token;
  const isOne = ({ text, logprob }: Alternative) => typeof text === "string" && logprob <= 1e-6;
  const isSorted = top.every(({ logprob }, i) => i === 0 || logprob <= top[i - 1]!.logprob);
  return (
    isOne(token) && top.every(isOne) && isSorted && top.reduce((sum, one) => sum + Math.exp(one.logprob), 0) <= 1 + 1e-3
  );
}

/** The bytes of an answer's tokens, where each has some. */
export function joinedBytes(tokens: readonly Alternative[]): string {
  return Buffer.concat(tokens.map((token) => Buffer.from(token.bytes ?? Buffer.from(token.text)))).toString("utf8");
}

/** What every auditor keeps, in process or far away. */
export function auditorContract(title: string, make: () => Promise<AuditorUnderTest>): void {
  describe(`${title}: the contract of auditors`, () => {
    let under: AuditorUnderTest;
    beforeAll(async () => {
      under = await make();
    });
    afterAll(async () => {
      await under?.auditor.close?.();
      await under?.close?.();
    });

    it("says who it is and what it can do", () => {
      const { auditor } = under;
      expect(auditor.name).not.toBe("");
      expect(auditor.version).not.toBe("");
      expect(auditor.signals.length).toBeGreaterThan(0);
      expect(auditor.answersPerCall).toBeGreaterThanOrEqual(1);
      if (auditor.readsPrompt)
        expect(auditor.readsPrompt.contextTokens).toBeGreaterThan(auditor.readsPrompt.outputTokens);
    });

    it("gives one sound answer for each that is wanted", async () => {
      const count = Math.min(3, under.auditor.answersPerCall);
      const { generations } = await under.auditor.ask(under.ask({ wanted: wanted(count) }));
      expect(generations).toHaveLength(count);
      for (const generation of generations) expectSound(generation);
    });

    it("keeps the temperature that was asked for on record", async () => {
      const { generations } = await under.auditor.ask(under.ask({ temperature: 0.3 }));
      expect(generations[0]!.temperature).toBe(0.3);
    });

    it("describes the same question by the same text, and another by another", () => {
      const { auditor, ask } = under;
      if (!auditor.requestText) return expect(auditor.requestText).toBeUndefined();
      expect(auditor.requestText(ask())).toBe(auditor.requestText(ask()));
      expect(auditor.requestText(ask())).not.toBe(auditor.requestText(ask({ temperature: 0.1 })));
    });
  });
}
