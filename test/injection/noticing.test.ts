import { describe, expect, it } from "vitest";
import { type ContentParts, contentParts } from "../../src/core/records/decision.js";
import { lookCarefully, mayHoldInjection, noticeInjection } from "../../src/text/injection/find-injection.js";
import { developmentCases, PLACES, withPayload } from "./cases.js";
import { DEVELOPMENT_NEAR_MISSES, HELD_OUT_NEAR_MISSES, NEAR_MISSES } from "./near-misses.js";
import { FAMILIES, type Payload } from "./payload.js";
import { DEVELOPMENT_PAYLOADS, HELD_OUT_PAYLOADS, PAYLOADS } from "./payloads.js";

function isNoticed(content: ContentParts): boolean {
  return noticeInjection(content).length > 0;
}

function isNoticedAlone({ title = "", text }: Payload): boolean {
  return isNoticed(contentParts({ title, body: text }));
}

describe("the payloads", () => {
  it("are many, of every family, each once, and some held out", () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(90);
    expect(HELD_OUT_PAYLOADS.length).toBeGreaterThanOrEqual(25);
    expect(NEAR_MISSES.length).toBeGreaterThanOrEqual(60);
    for (const payloads of [DEVELOPMENT_PAYLOADS, HELD_OUT_PAYLOADS]) {
      expect(new Set(payloads.map(({ family }) => family))).toEqual(new Set(FAMILIES));
    }
    const texts = PAYLOADS.map(({ title, text }) => `${title}\n${text}`);
    expect(new Set(texts).size).toBe(PAYLOADS.length);
  });
});

describe("noticing", () => {
  it("misses no payload that it was written with", () => {
    expect(DEVELOPMENT_PAYLOADS.filter((payload) => !isNoticedAlone(payload)).map(({ name }) => name)).toEqual([]);
  });

  it("finds 85 of 100 payloads that it was not written with", () => {
    const noticed = HELD_OUT_PAYLOADS.filter(isNoticedAlone);
    expect(noticed.length / HELD_OUT_PAYLOADS.length).toBeGreaterThanOrEqual(0.85);
  });

  it("raises no alarm in the sample", () => {
    expect(developmentCases().filter(({ content }) => isNoticed(content))).toEqual([]);
  });

  it("raises no alarm at posts that talk about rules, moderators, prompts and levels, and hardly any at such posts that it never saw", () => {
    const alarms = (posts: readonly string[]) => posts.filter((post) => isNoticed(contentParts(post)));
    expect(alarms(DEVELOPMENT_NEAR_MISSES)).toEqual([]);
    expect(alarms(HELD_OUT_NEAR_MISSES).length / HELD_OUT_NEAR_MISSES.length).toBeLessThan(0.03);
  });

  it("clears nothing at a quick look that a careful one would notice", () => {
    const cases = developmentCases().filter((_, k) => k % 20 === 0);
    const missed = new Set<string>();
    for (const payload of PAYLOADS) {
      for (const place of PLACES) {
        for (const auditCase of cases) {
          const { title, body, context } = withPayload(auditCase, payload, place).content;
          const texts = [title, body, ...context];
          if (!mayHoldInjection(texts) && lookCarefully(texts).length > 0) missed.add(payload.name);
        }
      }
    }
    expect([...missed]).toEqual([]);
  });
});
