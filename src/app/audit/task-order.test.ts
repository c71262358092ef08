import { describe, expect, it } from "vitest";
import { type Arm, OPPOSITE_ARM, PLAIN_ARM, tierArm } from "../../audit/arms.js";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import type { Decision } from "../../core/records/decision.js";
import { tasksInOrder } from "./plan.js";
import { fakeAuditor } from "./run-audit.suite.js";
import { prepareConditions } from "./run-tools.js";

const ARMS: readonly Arm[] = [PLAIN_ARM, tierArm("title"), OPPOSITE_ARM];
const SETTINGS = { replicates: 1, humans: false, arms: ARMS, actions: MODERATION_ACTIONS };
const DECISIONS: Decision[] = Array.from({ length: 60 }, (_, i) => ({
  id: `d${i}`,
  community: i < 40 ? "a" : "b",
  content: "x",
  decision: "remove",
}));

async function order(seed: number) {
  const conditions = await prepareConditions({
    arms: ARMS,
    settings: { tier: "wiki", template: "paper", temperature: 0 },
    ruleSets: [],
    precedents: [],
    actions: MODERATION_ACTIONS,
    auditor: fakeAuditor(),
    scrub: null,
  });
  return [...tasksInOrder(DECISIONS, SETTINGS, { conditions, seed })].map(({ decision, arm }) => ({
    id: decision.id,
    place: `${decision.community} ${arm === "tier=title" ? "title" : "wiki"}`,
    arm,
  }));
}

describe("the order of tasks", () => {
  it("goes decision by decision where no prompt is sent", () => {
    const arms = [...tasksInOrder(DECISIONS.slice(0, 2), SETTINGS, null)].map(
      ({ decision, arm }) => `${decision.id} ${arm}`,
    );
    expect(arms).toEqual(["d0 ", "d0 tier=title", "d0 opposite", "d1 ", "d1 tier=title", "d1 opposite"]);
  });

  it("keeps prompts together that begin alike, and leaves nothing out", async () => {
    const tasks = await order(1);
    const places = tasks.map(({ place }) => place).filter((place, i, all) => place !== all[i - 1]);
    expect(places).toEqual(["a wiki", "a title", "b wiki", "b title"]);
    expect(new Set(tasks.map(({ id, arm }) => `${id} ${arm}`)).size).toBe(180);
  });

  it("draws which of a decision and its opposite is asked first, by the seed", async () => {
    const first = (tasks: Awaited<ReturnType<typeof order>>) =>
      DECISIONS.map(({ id }) => tasks.find((task) => task.id === id && task.arm !== "tier=title")!.arm);
    const [one, same, other] = [await order(1), await order(1), await order(2)].map(first);
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    const opposites = one!.filter((arm) => arm === "opposite").length;
    // 60 fair draws: outside 15 to 45 with probability 1e-4, and the seed is fixed.
    expect(opposites).toBeGreaterThan(15);
    expect(opposites).toBeLessThan(45);
  });
});
