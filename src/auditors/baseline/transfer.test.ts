import { describe, expect, it } from "vitest";
import type { CaseFrame } from "../../core/records/case.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import { frameOf, generate, levelProbs, trace } from "./baseline.suite.js";

const SHARED =
  "the a and of to in my for with this that was very really today yesterday people place time week some more other thing way work little".split(
    " ",
  );
const FORBIDDEN =
  "you disgusting pathetic losers shut mouth hate stupid ugly idiot nobody asked trash worthless leave crying clown".split(
    " ",
  );
const HARMLESS =
  "garden train recipe weather bridge museum paint guitar library coffee bicycle window letter ticket harbour lamp".split(
    " ",
  );

/** A comment of 8 to 30 words, of which about one in four tells which side it is on. */
function comment(rng: Rng, isForbidden: boolean): string {
  const words = Array.from({ length: 8 + rng.int(23) }, () => {
    // One telling word in five is of the other side.
    const list = rng.next() > 0.25 ? SHARED : rng.next() < 0.8 === isForbidden ? FORBIDDEN : HARMLESS;
    return list[rng.int(list.length)]!;
  });
  return words.join(" ");
}

/** One vague rule and so many precedents, half of them removed. */
function world(count: number, actions = { positive: "remove", negative: "approve" }): CaseFrame {
  const rng = createRng(`precedents ${count}`);
  const precedents = Array.from({ length: count }, (_, i) => ({
    text: comment(rng, i % 2 === 0),
    decision: i % 2 === 0 ? actions.positive : actions.negative,
  }));
  return {
    ...frameOf([{ title: "Be civil", text: "Comments that fall below our standards are removed." }], precedents),
    actions,
  };
}

/** AUROC for the right action, and how far the index falls when every right action is inverted. */
function measure(frame: CaseFrame): { auroc: number; drop: number } {
  const rng = createRng("contents");
  const { positive, negative } = frame.actions;
  const scores: [number[], number[]] = [[], []];
  let drop = 0;
  const n = 200;
  for (let i = 0; i < n; i++) {
    const isForbidden = i % 2 === 0;
    const content = { body: comment(rng, isForbidden), kind: "comment" };
    scores[isForbidden ? 1 : 0].push(levelProbs(generate(frame, content, negative))[2]);
    const [right, wrong] = isForbidden ? [positive, negative] : [negative, positive];
    const isDefensible = (decision: string) => (trace(frame, content, decision).defensibility_level < 3 ? 1 : 0);
    drop += (isDefensible(right!) - isDefensible(wrong!)) / n;
  }
  let wins = 0;
  for (const a of scores[1]) for (const b of scores[0]) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return { auroc: wins / (scores[0].length * scores[1].length), drop };
}

describe("one vague rule with precedents", () => {
  it("is judged by the precedents, the better the more there are", () => {
    const few = measure(world(6));
    const many = measure(world(400));
    expect(many.auroc).toBeGreaterThan(0.85);
    expect(many.auroc).toBeGreaterThan(few.auroc);
    expect(many.drop).toBeGreaterThan(0.3);
  });

  it("does not saturate with hundreds of precedents", () => {
    const frame = world(400);
    const rng = createRng("spread");
    const probs = Array.from(
      { length: 60 },
      (_, i) => levelProbs(generate(frame, comment(rng, i % 2 === 0), "approve"))[2],
    );
    expect(new Set(probs.map((prob) => prob.toFixed(4))).size).toBeGreaterThan(40);
  });

  it("is judged alike under other names for the actions", () => {
    const renamed = world(40, { positive: "deny", negative: "grant" });
    expect(measure(renamed)).toEqual(measure(world(40)));
  });

  it("says little without any precedent, and still answers", () => {
    expect(measure(world(0)).auroc).toBeGreaterThan(0.3);
  });

  it("reads emoji, right-to-left text and 100 kB", () => {
    const frame = world(40);
    for (const content of [
      "🤷‍♀️🔥".repeat(50),
      "هذا نص عربي طويل ".repeat(30),
      "\u202eabc\u0000",
      "clay ".repeat(20_000),
    ]) {
      expect(levelProbs(generate(frame, content, "remove")).reduce((sum, prob) => sum + prob, 0)).toBeCloseTo(1, 4);
    }
  });
});
