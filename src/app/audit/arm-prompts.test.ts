import { describe, expect, it } from "vitest";
import { tierArm } from "../../audit/arms.js";
import { ARMS, dual, sample } from "../../audit/arms.suite.js";
import { fileContext } from "../../store/files/stores.js";
import type { AuditRequest } from "./audit-request.js";
import { runAudit } from "./run-audit.js";
import { ANSWER, audits, fakeAuditor, request } from "./run-audit.suite.js";

describe("an auditor that reads prompts", () => {
  /** Answers by the prompt alone, as a model does. */
  function reading() {
    const prompts: { arm: string; system: string; text: string }[] = [];
    const auditor = fakeAuditor({
      readsPrompt: { tokenizer: "unknown", contextTokens: 16_000, outputTokens: 500 },
      price: { input: 1, cached_input: null, output: 1, batch: null, as_of: "2026-01-01" },
      requestText: ({ prompt }) => JSON.stringify([prompt!.system, prompt!.shared, prompt!.own]),
      ask: ({ prompt, wanted }) => {
        prompts.push({
          arm: wanted[0]!.key.split("\u0000")[1]!,
          system: prompt!.system,
          text: `${prompt!.shared}${prompt!.own}`,
        });
        return { generations: wanted.map(() => ANSWER) };
      },
    });
    return { auditor, prompts, of: (arm: string) => prompts.find((one) => one.arm === arm)! };
  }

  it("is sent each arm's rules, action and template", async () => {
    const { auditor, of } = reading();
    await runAudit(fileContext(sample()), request(auditor, { experiment: "tiers", arms: ARMS }));
    expect(of("").text).toContain("Not even short ones");
    expect(of("tier=title").text).not.toContain("None at all");
    expect(of("scope=platform").text).toMatch(/Be kind[\s\S]*Rules of the community "c": none\./);
    expect(of("opposite").text).toContain('The decision to audit: "approve". The opposite decision: "remove".');
    expect(of("precedents=off").text).not.toContain("a precedent");
    expect(of("rules=old").text).toContain("Old rule");
    expect(of("template=extended").system).not.toBe(of("").system);
  });

  it("says before it starts what all arms will take", async () => {
    const { auditor } = reading();
    const estimate = async (changes: Partial<AuditRequest>) =>
      (await runAudit(fileContext(sample(10)), request(auditor, { dryRun: true, ...changes }))).estimate!;
    const plain = await estimate({});
    expect(plain).toMatchObject({ calls: 10, answers: 10 });
    const both = await estimate(dual());
    expect(both).toMatchObject({ calls: 20, answers: 20, output_tokens: 2 * plain.output_tokens });
    expect(both.input_tokens / plain.input_tokens).toBeCloseTo(2, 1);
    const tiers = await estimate({ experiment: "tiers", arms: [tierArm("title"), tierArm("wiki")] });
    expect(tiers.input_tokens).toBeLessThan(both.input_tokens);
    const uneven = await estimate(dual({ replicatesFor: (_, { name }) => (name === "" ? 1 : 4) }));
    expect(uneven).toMatchObject({ calls: 50, answers: 50 });
  });

  it("is not asked again what another run has asked, and no arm gets the answer of another", async () => {
    const workspace = sample(3);
    const { auditor, prompts } = reading();
    await runAudit(fileContext(workspace), request(auditor, { cache: true }));
    expect(prompts).toHaveLength(3);
    const { runId } = await runAudit(fileContext(workspace), request(auditor, dual({ cache: true })));
    expect(prompts.slice(3).map(({ arm }) => arm)).toEqual(["opposite", "opposite", "opposite"]);
    const cached = (await audits(workspace, runId!)).filter(({ flags }) => flags.includes("cached"));
    expect(cached.map(({ arm }) => arm)).toEqual(["", "", ""]);
    await runAudit(fileContext(workspace), request(auditor, dual({ cache: true, fresh: true, replicates: 2 })));
    expect(prompts).toHaveLength(6 + 12);
  });
});
