import { describe, expect, it } from "vitest";
import { runAudit } from "../app/audit/run-audit.js";
import { ANSWER, audits, fakeAuditor, PLATFORM_RULES, request, workspaceWith } from "../app/audit/run-audit.suite.js";
import { fileContext } from "../store/files/stores.js";
import { scopeArm } from "./arms.js";

const ruled = (community: string, more = "") =>
  `scope: community\ncommunity: ${community}\nversion: '1'\n${more}rules:\n  - {id: R1, title: No shop links}\n`;
const half = (i: number) => (i % 2 === 0 ? "Ruled" : "Bare");

function counting() {
  const asked: string[] = [];
  const auditor = fakeAuditor({
    ask({ case: one, wanted }) {
      asked.push(one!.content.body);
      return { generations: wanted.map(() => ANSWER) };
    },
  });
  return { asked, auditor };
}

describe("decisions under no rule", () => {
  it.each<Record<string, string>>([{}, { "empty.yaml": "scope: platform\nversion: '1'\nrules: []\n" }])(
    "refuses a run in which no decision has a rule, before any call (%#)",
    async (rules) => {
      const { asked, auditor } = counting();
      const workspace = workspaceWith(4, rules);
      for (const dryRun of [true, false]) {
        await expect(runAudit(fileContext(workspace), request(auditor, { dryRun }))).rejects.toMatchObject({
          code: "no_rules",
        });
      }
      expect(asked).toEqual([]);
    },
  );

  it("makes no call for one of them, records it as unscored and says so before the calls", async () => {
    const { asked, auditor } = counting();
    const workspace = workspaceWith(4, { "ruled.yaml": ruled("Ruled") }, half);
    const notices: unknown[] = [];
    const result = await runAudit(
      fileContext(workspace),
      request(auditor, {
        replicates: 2,
        humans: true,
        notice: (notice) => {
          expect(asked).toEqual([]);
          notices.push(notice);
        },
      }),
    );
    expect(result).toMatchObject({
      status: "sealed",
      counts: { planned: 16, verdicts: 8, unscored: 8, errors: 0 },
      noRules: { decisions: 2, of: 4, communities: ["Bare"] },
    });
    expect(notices).toEqual([{ code: "no_rules", decisions: 2, of: 4, communities: ["Bare"] }]);
    expect(new Set(asked)).toEqual(new Set(["content 0", "content 2"]));
    const bare = (await audits(workspace, result.runId!)).filter(({ community }) => community === "Bare");
    expect(bare).toHaveLength(8);
    for (const audit of bare) {
      expect(audit).toMatchObject({ outcome: "unscored", error: { code: "no_rules" }, attempts: 0, level: null });
      expect(audit.flags).toContain("no_rules");
    }
  });

  it("sends no question about one of them to a batch service, and records it when the batch is done", async () => {
    const sent: string[] = [];
    const kept: string[] = [];
    const auditor = fakeAuditor({
      batch: {
        async *submit(items) {
          for await (const { id, ask } of items) {
            sent.push(ask.case!.content.body);
            kept.push(id);
          }
          yield { id: "part", items: kept.length, submitted_at: "2026-01-01" };
        },
        find: async () => [],
        status: async () => ({ state: "finished", done: 2, failed: 0, message: null }),
        async *results() {
          for (const id of kept) yield { id, answer: { generations: [ANSWER] } };
        },
      },
    });
    const workspace = workspaceWith(4, { "ruled.yaml": ruled("Ruled") }, half);
    const batched = request(auditor, { batch: true });
    expect(await runAudit(fileContext(workspace), batched)).toMatchObject({
      status: "waiting",
      batch: { submitted: 2 },
    });
    expect(await runAudit(fileContext(workspace), batched)).toMatchObject({
      status: "sealed",
      counts: { verdicts: 2, unscored: 2, errors: 0 },
    });
    expect(sent).toEqual(["content 0", "content 2"]);
  });

  it("leaves them out of the estimate", async () => {
    const auditor = fakeAuditor({
      readsPrompt: { tokenizer: "unknown", contextTokens: 8000, outputTokens: 500 },
      price: { input: 1, cached_input: null, output: 1, batch: null, as_of: "2026-01-01" },
    });
    const workspace = workspaceWith(4, { "ruled.yaml": ruled("Ruled") }, half);
    const { estimate } = await runAudit(fileContext(workspace), request(auditor, { dryRun: true }));
    expect(estimate).toMatchObject({ calls: 2, answers: 2 });
  });

  it("sees each arm for itself, and refuses one that shows no rule of anything", async () => {
    const { asked, auditor } = counting();
    const arms = [scopeArm("platform"), scopeArm("community")];
    const both = workspaceWith(4, { ...PLATFORM_RULES, "ruled.yaml": ruled("Ruled") }, half);
    const { runId } = await runAudit(fileContext(both), request(auditor, { experiment: "scopes", arms }));
    const rows = await audits(both, runId!);
    expect(
      rows.filter(({ flags }) => flags.includes("no_rules")).map(({ arm, community }) => [arm, community]),
    ).toEqual(Array(2).fill(["scope=community", "Bare"]));
    expect(asked).toHaveLength(6);
    await expect(
      runAudit(fileContext(workspaceWith(4, PLATFORM_RULES)), request(auditor, { experiment: "scopes", arms })),
    ).rejects.toThrow(/no community rule is in force/);
    expect(asked).toHaveLength(6);
  });

  it("refuses rules of a community that no decision is of, unless it is told to let them pass", async () => {
    const { asked, auditor } = counting();
    const workspace = workspaceWith(4, { ...PLATFORM_RULES, "x.yaml": ruled("bare") }, half);
    for (const selection of [{}, { communities: ["Ruled"] }]) {
      await expect(runAudit(fileContext(workspace), request(auditor, { selection }))).rejects.toThrow(
        'rules: bare (1 rule) matches no decision; did you mean "Bare"?',
      );
    }
    expect(asked).toEqual([]);
    expect(await runAudit(fileContext(workspace), request(auditor, { allowUnusedRules: true }))).toMatchObject({
      counts: { verdicts: 4 },
    });
    // Nothing lacks rules: those of a community without decisions are no mistake, unless it has nearly the name of another.
    const all = { "a.yaml": ruled("Ruled"), "b.yaml": ruled("Bare"), "c.yaml": ruled("Quiet") };
    expect((await runAudit(fileContext(workspaceWith(4, all, half)), request(auditor))).counts.verdicts).toBe(4);
    const twin = workspaceWith(4, { ...all, "d.yaml": ruled("ruled") }, half);
    await expect(runAudit(fileContext(twin), request(auditor))).rejects.toThrow(
      'ruled (1 rule) matches no decision; did you mean "Ruled"?',
    );
    // A community that is only not selected has its decisions all the same.
    const used = workspaceWith(4, { "a.yaml": ruled("Ruled"), "b.yaml": ruled("Bare") }, half);
    const some = await runAudit(fileContext(used), request(auditor, { selection: { communities: ["Ruled"] } }));
    expect(some.counts.verdicts).toBe(2);
  });

  it("refuses two versions of which nothing says which is in force", async () => {
    const { auditor } = counting();
    const two = (date: string) => ({
      "1.yaml": ruled("c", date),
      "2.yaml": ruled("c", date).replace("'1'", "'2'"),
    });
    await expect(runAudit(fileContext(workspaceWith(2, two(""))), request(auditor))).rejects.toThrow(
      /both in force without a date/,
    );
    await expect(
      runAudit(fileContext(workspaceWith(2, two("effective_from: 2026-01-01\n"))), request(auditor)),
    ).rejects.toThrow(/both in force from 2026-01-01/);
    const dated = { "1.yaml": ruled("c"), "2.yaml": two("effective_from: 2026-01-01\n")["2.yaml"] };
    expect((await runAudit(fileContext(workspaceWith(2, dated)), request(auditor))).counts.verdicts).toBe(2);
  });
});
