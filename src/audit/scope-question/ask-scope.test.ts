import { afterEach, describe, expect, it, vi } from "vitest";
import { planAnswer, scopeText, startFakeServer } from "../../../test/fake-models/index.js";
import type { Ask, Auditor } from "../../auditors/auditor.js";
import { createBaselineAuditor } from "../../auditors/baseline/baseline-auditor.js";
import { createAuditor } from "../../auditors/create-auditor.js";
import type { PartialTrace } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { contentParts } from "../../core/records/decision.js";
import { POTTERY } from "../../measures/grounding/frame.suite.js";
import type { ScopeInput } from "../../measures/grounding/scope/scope-verdict.js";
import { askScope, focusFrame, readScopeAnswer } from "./ask-scope.js";

const TRACE: PartialTrace = {
  logic_chain: "The post links to a shop.",
  policy_citation: 'community rule R3: "Links to a shop"',
  precedent_weight: "High",
  inverse_check: "No",
  inverse_citation: null,
  defensibility_level: 1,
  level3_reason: null,
};

const inputOf = (changes: Partial<ScopeInput> = {}): ScopeInput => ({
  frame: POTTERY,
  content: contentParts({ title: "Mugs", body: "New mugs: https://shop.example" }),
  decision: "remove",
  trace: TRACE,
  citation: null,
  ...changes,
});

const asking = (auditor: Auditor) => async (ask: Ask) =>
  (await auditor.ask(ask)).generations.map((generation) => ({ generation }));

const closing: (() => Promise<void> | undefined)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function served(answer: Parameters<typeof startFakeServer>[0]["answer"]) {
  vi.stubEnv("OPENAI_API_KEY", "test-key");
  const server = await startFakeServer({ dialect: "vllm", key: "test-key", answer });
  const auditor = await createAuditor("openai:some-model", { baseUrl: server.baseUrl });
  closing.push(
    () => server.close(),
    () => auditor.close?.(),
  );
  return { server, auditor };
}

describe("askScope", () => {
  it("reads the probability of Yes where the answer says it", async () => {
    const { auditor, server } = await served(() =>
      planAnswer(scopeText({ supports: "No" }), { fields: { supports: { Yes: 0.3, No: 0.7 } } }),
    );
    const reply = await askScope(asking(auditor), auditor, inputOf());
    expect(reply).toMatchObject({ condition_met: "Yes", exception_applies: "No", supports: "No", reason: null });
    expect(reply.p_supported).toBeCloseTo(0.3, 6);
    expect(reply.prompt_version).toMatch(/^scope-1#/);
    const [question] = server.questions;
    expect(question!.user).toContain("R3");
    expect(question!.user).toContain('It names: "community rule R3".');
    expect(question!.temperature).toBe(0);
  });

  it("shows what is cited and the rules nearest to the content, and no more", () => {
    const { frame, cited } = focusFrame(inputOf());
    expect(cited).toEqual(["community rule R3"]);
    expect(frame.rules.some(({ scope, id }) => scope === "community" && id === "R3")).toBe(true);
    expect(frame.rules.length).toBeLessThan(POTTERY.rules.length);
    expect(frame.precedents).toEqual([]);
    expect(focusFrame(inputOf()).frame).toBe(frame);
  });

  it("shows a precedent that is cited", () => {
    const trace = { ...TRACE, policy_citation: "precedent pottery-p1" };
    const { frame, cited } = focusFrame(inputOf({ trace }));
    expect(cited).toEqual(["precedent pottery-p1"]);
    expect(frame.precedents.map(({ id }) => id)).toEqual(["pottery-p1"]);
  });

  it("says that an auditor which reads cases cannot be asked", async () => {
    const baseline = createBaselineAuditor();
    const reply = await askScope(asking(baseline), baseline, inputOf());
    expect(reply).toMatchObject({ p_supported: null, supports: null });
    expect(reply.reason).toContain("baseline reads cases");
  });

  it("asks nothing about a trace that cites nothing", async () => {
    const { auditor, server } = await served(() => planAnswer(scopeText()));
    const reply = await askScope(asking(auditor), auditor, inputOf({ trace: { ...TRACE, policy_citation: " " } }));
    expect(reply).toMatchObject({ p_supported: null, reason: "the trace cites nothing" });
    expect(server.questions).toHaveLength(0);
  });

  it("says why where the rules do not fit the model's prompt", async () => {
    const { auditor } = await served(() => planAnswer(scopeText()));
    const needs = { tokenizer: "estimate", contextTokens: 1800, outputTokens: 300 };
    const small = { ...auditor, readsPrompt: needs };
    expect(await askScope(asking(auditor), small, inputOf())).toMatchObject({ p_supported: null });
    expect((await askScope(asking(auditor), small, inputOf())).reason).toContain("too long for the model's prompt");
  });

  it("keeps the answer and gives no probability where the model gives none", async () => {
    const { auditor } = await served(async () => ({ fault: "no_logprobs", answer: await planAnswer(scopeText()) }));
    const reply = await askScope(asking(auditor), auditor, inputOf());
    expect(reply).toMatchObject({ supports: "Yes", p_supported: null });
    expect(reply.reason).toContain("no token probabilities");
  });
});

describe("readScopeAnswer", () => {
  const read = (text: string) => readScopeAnswer({ text, tokens: null } as unknown as Generation);

  it.each([
    ["in a fence", '```json\n{"condition_met": "yes", "exception_applies": false, "supports": "NO"}\n```', "No"],
    ["after a draft", '{"supports":"Yes"} On reflection: {"supports":"No"}', "No"],
    ["not at all", "I would rather not say.", null],
    ["not as Yes or No", '{"supports":"perhaps"}', null],
    ["broken off", '{"condition_met":"Yes","supports":"Y', null],
  ])("is read where it is given %s", (_, text, supports) => expect(read(text).supports).toBe(supports));
});
