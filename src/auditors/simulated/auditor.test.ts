import { describe, expect, it } from "vitest";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import { extractSignals } from "../../measures/signals/extract-signals.js";
import type { Answers, Ask, Auditor, Measured } from "../auditor.js";
import { createAuditor } from "../create-auditor.js";
import { askAbout, frameWith, truthNumber, worldFolder } from "./simulated.suite.js";

const TRUTHS = Array.from({ length: 500 }, (_, i) => truthNumber(i));
const FAULTY = { faults: { refusal: 0.02, truncation: 0.02, missing: 0.05 }, citation: { invented: 0.05, other: 0.2 } };
const folder = worldFolder(TRUTHS, FAULTY);
const frame = frameWith();

const tokens = await createAuditor("simulated", { workspace: folder });
const columns = await createAuditor("simulated:columns", { workspace: folder });

function readTokens(auditor: Auditor, ask: Ask): Measured[] {
  return (auditor.ask(ask) as Answers).generations.map((one) => extractSignals(one, { weights: EQUAL_WEIGHTS }));
}

const NUMBERS = [
  "lambda_nats",
  "h_weight_bits",
  "h_citation_bits",
  "citation_tokens",
  "inverse_log_odds",
  "inverse_yes_prob",
  "pds",
  "p_defensible",
  "tail_mass",
] as const;
const LISTS = ["level_probs", "label_mass"] as const;
const EXACT = ["outcome", "level", "inverse", "level_map", "entropy_support", "logprob_space"] as const;
const TRACE = ["precedent_weight", "inverse_check", "inverse_citation", "level3_reason"] as const;

/** Names of the fields that differ; numbers may by 1e-6. In plain code: hundreds of thousands are compared. */
function differences(columnwise: Measured, tokenwise: Measured): string[] {
  const near = (a: number | null, b: number | null) => (a === null || b === null ? a === b : Math.abs(a - b) < 1e-6);
  const values = (list: object | null) => Object.values(list ?? {}) as (number | null)[];
  const wrong: string[] = [];
  for (const name of NUMBERS) if (!near(columnwise[name], tokenwise[name])) wrong.push(name);
  for (const name of LISTS) {
    const [a, b] = [values(columnwise[name]), values(tokenwise[name])];
    if (a.length !== b.length || !a.every((value, i) => near(value, b[i]!))) wrong.push(name);
  }
  for (const name of EXACT) if (columnwise[name] !== tokenwise[name]) wrong.push(name);
  for (const name of TRACE) if (columnwise.trace[name] !== tokenwise.trace[name]) wrong.push(`trace.${name}`);
  if (columnwise.error?.code !== tokenwise.error?.code) wrong.push("error");
  if (columnwise.flags.join() !== tokenwise.flags.join()) wrong.push("flags");
  return wrong;
}

describe("columns and tokens", () => {
  it("are compared by something that sees a difference", () => {
    const [one, other] = columns.measure!(askAbout(1, frame, { replicates: 2 }), EQUAL_WEIGHTS);
    expect(differences(one!, one!)).toEqual([]);
    expect(differences(one!, other!)).toContain("inverse_log_odds");
    expect(differences(one!, { ...one!, pds: one!.pds! + 1e-5, flags: ["tie"] })).toEqual(["pds", "flags"]);
  });

  for (const template of ["paper", "extended"] as const) {
    for (const temperature of [0, 0.1, 1, 1.6]) {
      it(`say the same draw by draw: template ${template}, temperature ${temperature}`, () => {
        for (let i = 0; i < TRUTHS.length; i++) {
          const ask = askAbout(i, frame, { template, temperature, replicates: 2 });
          const read = readTokens(tokens, ask);
          expect(
            columns.measure!(ask, EQUAL_WEIGHTS).flatMap((measured, k) => differences(measured, read[k]!)),
          ).toEqual([]);
        }
      });
    }
  }

  it("say the same in every condition", () => {
    const conditions = [
      frameWith({ tier: "title" }),
      frameWith({ rules: frame.rules.filter((rule) => rule.scope === "platform") }),
      frameWith({ rules: frame.rules.filter((rule) => rule.scope === "community") }),
      frameWith({ rules: [] }),
      frameWith({ precedents: [] }),
    ];
    for (const shown of conditions) {
      for (let i = 0; i < 40; i++) {
        for (const decision of ["remove", "approve"]) {
          const ask = askAbout(i, shown, { decision, template: "extended" });
          expect(differences(columns.measure!(ask, EQUAL_WEIGHTS)[0]!, readTokens(tokens, ask)[0]!)).toEqual([]);
        }
      }
    }
  });

  it("rest on the same rules", async () => {
    const { groundCitation } = await import("../../measures/grounding/ground-citation.js");
    for (let i = 0; i < TRUTHS.length; i++) {
      const ask = askAbout(i, frame);
      const [measured] = columns.measure!(ask, EQUAL_WEIGHTS);
      const [read] = readTokens(tokens, ask);
      if (read!.outcome !== "verdict") continue;
      expect(groundCitation(read!.trace.policy_citation!, frame)).toEqual(measured!.citation);
    }
  });
});

describe("a simulated auditor", () => {
  it("cites the rule that the case turns on, the rule it is taken for, or none that exists", () => {
    let own = 0;
    let invented = 0;
    for (let i = 0; i < TRUTHS.length; i++) {
      const { rule } = TRUTHS[i]!;
      const { citation } = columns.measure!(askAbout(i, frame), EQUAL_WEIGHTS)[0]!;
      if (!citation || !rule) continue;
      if (!citation.grounded) invented++;
      else if (citation.rule_id === rule.rule_id && citation.scope === rule.scope) own++;
    }
    const asked = TRUTHS.filter(({ rule }) => rule).length;
    expect(own / asked).toBeGreaterThan(0.65);
    expect(own / asked).toBeLessThan(0.85);
    expect(invented / asked).toBeGreaterThan(0.02);
    expect(invented / asked).toBeLessThan(0.09);
  });

  it("names a rule of the scope that leaves a case open as what the opposite rests on", async () => {
    const perfect = await createAuditor("simulated:noise=0,faults.missing=0,inverse.emission=reading", {
      workspace: worldFolder([truthNumber(1, { contest: 0 })]),
    });
    const [read] = readTokens(perfect, askAbout(1, frame, { template: "extended" }));
    expect(read!.inverse).toBe(true);
    expect(read!.trace.inverse_citation).toMatch(/^Platform rule R/);
  });

  it("gives the same answer to the same question in any order, and other answers to other replicates", () => {
    const ask = askAbout(7, frame, { replicates: 5 });
    const forward = columns.measure!(ask, EQUAL_WEIGHTS);
    const backward = columns.measure!({ ...ask, wanted: [...ask.wanted].reverse() }, EQUAL_WEIGHTS);
    expect(backward.reverse()).toEqual(forward);
    expect(new Set(forward.map((one) => one.inverse_log_odds)).size).toBe(5);
  });

  it("gives all replicates one answer at temperature 0", () => {
    const answers = columns.measure!(askAbout(7, frame, { replicates: 5, temperature: 0 }), EQUAL_WEIGHTS);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it("is told apart by its settings", async () => {
    const biased = await createAuditor("simulated:columns,bias=0.3", { workspace: folder });
    expect(biased.name).toBe("simulated:columns,bias=0.3");
    expect(biased.version).not.toBe(columns.version);
    expect(tokens.version).toBe(columns.version);
  });

  it("reads the settings of the world and lets its name change them", async () => {
    const world = worldFolder([truthNumber(3, { contest: 0 })], { noise: 0, family: "simulated" });
    const ask = askAbout(3, frame, { replicates: 50 });
    const levels = async (name: string) => {
      const auditor = await createAuditor(name, { workspace: world });
      return new Set(auditor.measure!(ask, EQUAL_WEIGHTS).flatMap(({ level }) => (level === null ? [] : [level])));
    };
    // Decision 3 is at level 3 and its decider is of the auditor's family.
    expect(await levels("simulated:columns,confidence.least=0.998")).toEqual(new Set([3]));
    expect(await levels("simulated:columns,bias=1,confidence.least=0.998")).toEqual(new Set([1]));
    expect(await levels("simulated:columns,bias=1,family=gpt,confidence.least=0.998")).toEqual(new Set([3]));
  });

  it.each([
    ["simulated:bias=2", /bias/],
    ["simulated:wisdom=1", /unknown setting; got "wisdom"/],
    ["simulated:lean.wisdom=1", /unknown setting; got "lean.wisdom"/],
    ["simulated:fast", /not a setting; got "fast"/],
    ["simulated:preset=x", /no such preset/],
    ["simulated:inverse.emission=loud", /inverse.emission/],
    ["simulated:__proto__.x=1", /unknown setting/],
  ])("refuses %s", async (name, message) => {
    await expect(createAuditor(name, { workspace: folder })).rejects.toThrow(message);
  });

  it("says that a workspace is no simulated world", async () => {
    await expect(createAuditor("simulated", { workspace: "/nowhere" })).rejects.toThrow(/no simulated world/);
    await expect(createAuditor("simulated", {})).rejects.toThrow(/no simulated world/);
  });

  it("says which decision it does not know", () => {
    const ask = askAbout(9999, frame);
    expect(() => columns.measure!(ask, EQUAL_WEIGHTS)).toThrow(/the truth of decision "d9999" is not known/);
  });

  it("says where a truth file is damaged", async () => {
    const broken = worldFolder([truthNumber(0), { ...truthNumber(1), level: 4 } as never]);
    await expect(createAuditor("simulated", { workspace: broken })).rejects.toThrow(
      /truth\.jsonl, line 2: not the truth/,
    );
  });
});
