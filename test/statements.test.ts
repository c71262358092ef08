import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type StatementDraft, statementDraftSchema } from "../src/evidence/statements/draft-schema.js";
import { dsaStatementSchema } from "../src/evidence/statements/dsa-schema.js";
import { cli, temporaryFolder } from "./support/cli.js";
import { shell } from "./support/shell.js";

const PAGE = readFileSync(join(import.meta.dirname, "..", "docs", "statements.md"), "utf8");
const home = temporaryFolder();
const cwd = join(home, "try");

/** Runs the commands of a part of the page word for word. */
async function follow(title: string, folder: string): Promise<void> {
  const section = PAGE.split(`## ${title}`)[1]!.split(/^## /m)[0]!;
  const [, commands] = /^```sh\n([\s\S]*?)^```$/m.exec(section)!;
  await shell(commands!, folder);
}

const linesOf = (path: string) => readFileSync(path, "utf8").trim().split("\n");
const draftsOf = (name: string): StatementDraft[] =>
  linesOf(join(cwd, name)).map((line) => statementDraftSchema.parse(JSON.parse(line)));
const exported = (...flags: string[]) => {
  const { status, stdout } = cli(["export", "--as", "dsa-statements", "--out", "s.jsonl", "--json", ...flags], { cwd });
  return { status, ...JSON.parse(stdout) };
};

beforeAll(async () => {
  await follow("Export", home);
  await follow("Settings", home);
}, 120_000);

describe("statements of reasons on the command line", () => {
  const decisions = new Map<string, { decision: string; content: { title?: string; body: string } }>();
  beforeAll(() => {
    for (const line of linesOf(join(cwd, "decisions.jsonl"))) {
      const one = JSON.parse(line);
      decisions.set(one.id, one);
    }
  });

  it("give every decision a draft or a refusal with its code", () => {
    const { drafts, refused, refusals } = exported();
    const listed = Object.values(refused as Record<string, number>).reduce((sum, n) => sum + n, 0);
    expect(refusals).toHaveLength(listed);
    expect(drafts + listed).toBe(decisions.size);
    const approvals = [...decisions.values()].filter(({ decision }) => decision === "approve").length;
    expect(refused.not_a_restriction).toBe(approvals);
    expect(refused.indefensible * refused.ambiguous * drafts).toBeGreaterThan(0);
    const { stdout } = cli(["export", "--as", "dsa-statements", "--out", "s.jsonl"], { cwd });
    expect(stdout).toMatch(/Empty, set in `statement` of the decision \(docs\/statements\.md\): .*content_date \(\d/);
    expect(stdout).toMatch(/ambiguous: .*`--include-ambiguous` drafts them/);
  });

  it("mark what is included on request, and only that", () => {
    const plain = exported();
    expect(draftsOf("statements.jsonl").flatMap(({ notes }) => notes)).not.toContain("ambiguous");
    const marked = draftsOf("more.jsonl").filter(({ notes }) => notes.includes("ambiguous"));
    expect(marked).toHaveLength(plain.refused.ambiguous);
    const all = exported("--include-ambiguous", "--include-indefensible");
    expect(all.refused).toMatchObject({
      ambiguous: 0,
      indefensible: 0,
      not_a_restriction: plain.refused.not_a_restriction,
    });
    const [unsupported] = draftsOf("s.jsonl").filter(({ notes }) => notes.includes("indefensible"));
    expect(unsupported!.statement.decision_ground).toBeUndefined();
    expect(unsupported!.ready).toBe(false);
  });

  it("repeat no four words of a content that the rules do not have, and no address", () => {
    const texts = readdirSync(join(cwd, "rules")).map((name) => readFileSync(join(cwd, "rules", name), "utf8"));
    const rules = new Set(texts.flatMap(runs));
    for (const { decision_id, statement } of draftsOf("more.jsonl")) {
      const text = Object.values(statement).flat().join(" ");
      expect(text.replaceAll(statement.decision_ground_reference_url ?? "-", "")).not.toMatch(/https?:|@|www\./);
      const { title = "", body } = decisions.get(decision_id)!.content;
      const own = new Set(runs(`${title} ${body}`));
      expect(
        runs(text).filter((run) => own.has(run) && !rules.has(run)),
        decision_id,
      ).toEqual([]);
    }
  });

  it("are ready for the database once settings, rule and decision have what it asks for", () => {
    const own = join(home, "own");
    const payload = JSON.parse(readFileSync(join(own, "payload.json"), "utf8"));
    expect(payload.statements).toHaveLength(1);
    expect(dsaStatementSchema.parse(payload.statements[0])).toEqual(payload.statements[0]);
    expect(payload.statements[0]).toMatchObject({ category: "STATEMENT_CATEGORY_CONSUMER_INFORMATION" });
  });

  it("are never ready from an audit of the baseline, and the terminal and the certificate say so", () => {
    const own = join(home, "own");
    expect(cli(["audit", "--flip", "0"], { cwd: own }).status).toBe(0);
    const { stdout } = cli(["export", "--as", "dsa-statements", "--out", "b.jsonl"], { cwd: own });
    expect(stdout).toMatch(/b\.jsonl; 0 ready\.\n(?:.*\n)*Not ready 1, baseline_auditor: .*language model\.\n/);
    const [draft] = linesOf(join(own, "b.jsonl")).map((line) => statementDraftSchema.parse(JSON.parse(line)));
    expect([draft!.ready, draft!.missing]).toEqual([false, []]);
    expect(draft!.notes).toContain("baseline_auditor");
    const made = cli(["certificate", "plants-17", "--out", "c.json", "--html", "c.html"], { cwd: own });
    expect(made.stderr).toContain("The audit is the built-in baseline's");
    expect(readFileSync(join(own, "c.html"), "utf8")).toContain("The audit is the built-in baseline's");
    expect(cli(["verify", "c.json"], { cwd: own }).status).toBe(0);
  });

  it("refuse flags that cannot be meant, and the file of decisions", () => {
    const failed = (...flags: string[]) => cli(["export", ...flags], { cwd });
    expect(failed("--as", "dsa-statements", "--format", "csv", "--out", "x.csv").stderr).toContain("writes JSON lines");
    expect(failed("--as", "dsa-statements", "--what", "audits", "--out", "x").stderr).toContain(
      "--what: cannot be used with",
    );
    expect(failed("--include-ambiguous", "--out", "x.csv").stderr).toContain("requires --as dsa-statements");
    expect(failed("--as", "dsa-statements", "--out", "decisions.jsonl").stderr).toContain("the workspace's own files");
  });
});

describe("statements of several actions and replicates", () => {
  const folder = join(home, "several");
  const run = (...args: string[]) => cli(args, { cwd: folder });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const config = (statements: string) =>
    write(
      "defensible.yaml",
      `version: 1\nflip: 0\nactions: [allow, limit, remove, ban]\nstatements:\n  territorial_scope: EU\n  source_type: SOURCE_VOLUNTARY\n  duration: indefinite\n  complaint: https://example.org/complain\n  ${statements}\n`,
    );
  const ACTIONS =
    "actions: {limit: {decision_visibility: DECISION_VISIBILITY_CONTENT_DEMOTED}, ban: {decision_account: DECISION_ACCOUNT_TERMINATED}}";
  const drafts = () => linesOf(join(folder, "s.jsonl")).map((line) => statementDraftSchema.parse(JSON.parse(line)));

  beforeAll(() => {
    mkdirSync(join(folder, "rules"), { recursive: true });
    config(ACTIONS);
    write(
      "rules/plants.yaml",
      `scope: community\ncommunity: plants\nversion: "1"\nrules:\n  - id: R2\n    title: No shop links\n    description: Posts with a link to a shop are removed.\n`,
    );
    const statement = { content_date: "2026-06-01", automated_detection: "No" };
    const lines = ["allow", "limit", "remove", "ban"].map((decision) =>
      JSON.stringify({
        ...{ id: decision, community: "plants", content: `Link to my shop, ${decision}`, decision, statement },
        ...{ decided_at: "2026-06-02", decider: { kind: "human" }, ...(decision === "ban" && { cited_rule: "R9" }) },
      }),
    );
    write("decisions.jsonl", `${lines.join("\n")}\n`);
    expect(run("prompts", "--signal", "none", "--replicates", "3", "--out", "prompts.jsonl").status).toBe(0);
    const answers = linesOf(join(folder, "prompts.jsonl")).map((line) => {
      const { id, decision_id } = JSON.parse(line);
      const isOther = decision_id === "limit" && !id.endsWith("n1");
      const answer = {
        ...{ logic_chain: "ok", precedent_weight: "Low", inverse_check: isOther ? "Yes" : "No" },
        policy_citation: isOther ? "None" : "R2: Posts with a link to a shop are removed.",
        defensibility_level: isOther ? 3 : 1,
      };
      return JSON.stringify({ key: id, model: "m", answer });
    });
    write("answers.jsonl", `${answers.join("\n")}\n`);
    const audited = run("audit", "--signal", "none", "--replicates", "3", "--auditor", "answers:answers.jsonl");
    expect(audited.status, audited.stderr).toBe(0);
  });

  it("draft every action that restricts, by what it does, and say what is open", () => {
    const { stdout } = run("export", "--as", "dsa-statements", "--out", "s.jsonl");
    const found = drafts().map(({ decision_id, statement, ready, notes }) => [
      ...[decision_id, statement.decision_visibility?.[0] ?? statement.decision_account, ready],
      notes.filter((note) => note !== "default_category"),
    ]);
    expect(found).toEqual([
      ["limit", "DECISION_VISIBILITY_CONTENT_DEMOTED", false, ["verdicts_differ"]],
      ["remove", "DECISION_VISIBILITY_CONTENT_REMOVED", true, []],
      ["ban", "DECISION_ACCOUNT_TERMINATED", false, ["other_reason"]],
    ]);
    expect(stdout).toContain("Wrote 3 drafts of run");
    expect(stdout).toMatch(/s\.jsonl; 1 ready\./);
    expect(stdout).toMatch(/Not ready 1, verdicts_differ: .*\nNot ready 1, other_reason: /);
  });

  it("take one value without its list, and name what is expected of another", () => {
    const failed = () => run("export", "--as", "dsa-statements", "--out", "s.jsonl").stderr;
    config("decision_visibility: DECISION_VISIBILITY_CONTENT_DEMOTED");
    expect(failed()).toBe("");
    expect(drafts()[0]!.statement.decision_visibility).toEqual(["DECISION_VISIBILITY_CONTENT_DEMOTED"]);
    config("decision_visibility: hidden");
    expect(failed()).toMatch(
      /decision_visibility: got "hidden", expected DECISION_VISIBILITY_CONTENT_REMOVED or .* or a list/,
    );
    config("actions: {hide: {decision_account: DECISION_ACCOUNT_SUSPENDED}}");
    expect(failed()).toContain('statements.actions: got "hide", expected allow, limit, remove or ban');
  });

  it("refuse what an audited alternative contests, and certify it without naming an opposite", () => {
    config(ACTIONS);
    expect(run("prompts", "--signal", "none", "--alternatives", "1", "--out", "prompts.jsonl").status).toBe(0);
    const answers = linesOf(join(folder, "prompts.jsonl")).map((line) => {
      const { id } = JSON.parse(line);
      const answer = {
        ...{ logic_chain: "ok", precedent_weight: "Low", inverse_check: "No", defensibility_level: 1 },
        policy_citation: "R2: Posts with a link to a shop are removed.",
      };
      return JSON.stringify({ key: id, model: "m", answer });
    });
    write("answers.jsonl", `${answers.join("\n")}\n`);
    const auditor = ["--signal", "none", "--auditor", "answers:answers.jsonl"];
    const audited = run("audit", ...auditor, "--alternatives", "1");
    expect(audited.status, audited.stderr).toBe(0);
    const exported = run("export", "--as", "dsa-statements", "--out", "a.jsonl", "--json");
    const codes = JSON.parse(exported.stdout).refusals.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(["not_a_restriction", "ambiguous", "ambiguous", "ambiguous"]);
    expect(run("certificate", "remove", "--out", "c.json").status).toBe(0);
    const { decision, opposite, other_actions } = JSON.parse(readFileSync(join(folder, "c.json"), "utf8"));
    expect([decision.opposite, opposite.action]).toEqual([null, null]);
    expect(other_actions).toMatchObject([{ action: "limit", level: 1 }]);
    expect(run("verify", "c.json").status).toBe(0);
  });
});

describe("statements of two actions", () => {
  const folder = join(home, "two");
  const run = (...args: string[]) => cli(args, { cwd: folder });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  beforeAll(() => {
    mkdirSync(join(folder, "rules"), { recursive: true });
    write(
      "defensible.yaml",
      "version: 1\nstatements: {territorial_scope: EU, source_type: SOURCE_VOLUNTARY, duration: indefinite, complaint: 'https://example.org/complain'}\n",
    );
    write(
      "rules/plants.yaml",
      `scope: community\ncommunity: plants\nversion: "1"\nrules:\n  - id: R2\n    title: No shop links\n    description: Posts with a link to a shop are removed.\n`,
    );
    const appeals: Record<string, object | undefined> = {
      ...{ contested: undefined, plain: undefined, upheld: { outcome: "upheld" } },
      ...{ overturned: { outcome: "overturned" }, pending: { outcome: "pending" } },
    };
    const lines = Object.entries(appeals).map(([id, appeal]) =>
      JSON.stringify({
        ...{ id, community: "plants", content: `Link to my shop, ${id}`, decision: "remove", appeal },
        ...{ decided_at: "2026-06-02", decider: { kind: "human" } },
        statement: { content_date: "2026-06-01", automated_detection: "No" },
      }),
    );
    write("decisions.jsonl", `${lines.join("\n")}\n`);
    expect(run("prompts", "--signal", "none", "--flip", "all", "--out", "prompts.jsonl").status).toBe(0);
    const answers = linesOf(join(folder, "prompts.jsonl")).map((line) => {
      const { id, decision_id, arm } = JSON.parse(line);
      const level = arm !== "opposite" ? 1 : decision_id === "contested" ? 2 : 3;
      const answer = {
        ...{ logic_chain: "ok", precedent_weight: "Low", inverse_check: "No", defensibility_level: level },
        policy_citation: level === 3 ? "None" : "R2: Posts with a link to a shop are removed.",
      };
      return JSON.stringify({ key: id, model: "m", answer });
    });
    write("answers.jsonl", `${answers.join("\n")}\n`);
    const audited = run("audit", "--signal", "none", "--flip", "all", "--auditor", "answers:answers.jsonl");
    expect(audited.status, audited.stderr).toBe(0);
  });

  it("refuse what the audit of the opposite contests", () => {
    const { stdout } = run("export", "--as", "dsa-statements", "--out", "s.jsonl", "--json");
    expect(JSON.parse(stdout).refusals).toEqual([{ decision_id: "contested", code: "ambiguous" }]);
    run("export", "--as", "dsa-statements", "--include-ambiguous", "--out", "s.jsonl");
    const [contested] = linesOf(join(folder, "s.jsonl")).map((line) => statementDraftSchema.parse(JSON.parse(line)));
    expect(contested!.notes).toContain("ambiguous");
  });

  it("are open while an appeal is, and after it has overturned the decision", () => {
    run("export", "--as", "dsa-statements", "--out", "s.jsonl");
    const notes = linesOf(join(folder, "s.jsonl")).map((line) => {
      const { decision_id, notes: all } = statementDraftSchema.parse(JSON.parse(line));
      return [decision_id, all.filter((note) => note !== "default_category")];
    });
    expect(notes).toEqual([
      ["plain", []],
      ["upheld", []],
      ["overturned", ["overturned"]],
      ["pending", ["appeal_pending"]],
    ]);
  });

  it("have an appeal on the page of the certificate", () => {
    const page = (id: string) => {
      expect(run("certificate", id, "--out", "c.json", "--html", "c.html").status).toBe(0);
      return readFileSync(join(folder, "c.html"), "utf8");
    };
    expect(page("overturned")).toContain("<td>Review</td><td><bdi>appeal: overturned</bdi></td>");
    expect(page("overturned")).not.toContain("an outcome of a review");
    expect(page("pending")).toContain("<td>Review</td><td><bdi>appeal: pending</bdi></td>");
    expect(page("plain")).toContain("an outcome of a review");
  });
});

describe("stated reasons on the command line", () => {
  const folder = join(home, "reasons");
  const HOSTILE = "\u001b[31mR2\u202e<script>alert(1)</script>'; drop table stated; --";
  const rules = (version: string, from: string, id: string) =>
    `scope: community\ncommunity: plants\nversion: "${version}"\neffective_from: "${from}"\nrules:\n` +
    `  - id: ${id}\n    title: No shop links\n    description: Posts with a link to a shop are removed.\n`;
  const post = (id: string, more: object) =>
    JSON.stringify({
      ...{ id, community: "plants", content: `Link to my shop: https://example.org/shop/${id}`, decision: "remove" },
      ...{ decided_at: "2026-06-02", ...more },
    });
  const run = (...args: string[]) => cli(args, { cwd: folder });

  beforeAll(() => {
    mkdirSync(join(folder, "rules"), { recursive: true });
    writeFileSync(join(folder, "defensible.yaml"), "version: 1\n");
    writeFileSync(join(folder, "rules", "old.yaml"), rules("1", "2026-01-01", "R2"));
    writeFileSync(join(folder, "rules", "new.yaml"), rules("2", "2026-09-01", "R7"));
    const lines = [
      post("id", { cited_rule: "r2" }),
      post("title", { rationale: "Removed: no shop links, please." }),
      post("later", { cited_rule: "R7" }),
      post("newer", { cited_rule: "R7", decided_at: "2026-09-02" }),
      post("hostile", { cited_rule: HOSTILE }),
      post("prose", { rationale: "An advertisement." }),
    ];
    writeFileSync(join(folder, "decisions.jsonl"), `${lines.join("\n")}\n`);
    expect(run("audit").status).toBe(0);
  });

  it("are held against the version of the rules that was in force", () => {
    const codes = ["id", "title", "later", "newer", "prose"].map(
      (id) => JSON.parse(run("show", id, "--json").stdout).stated_reason,
    );
    expect(codes).toEqual(["right_reason", "right_reason", "unknown_rule", "right_reason", "unstated"]);
    const { stated_reasons: found } = JSON.parse(run("report", "--json").stdout);
    expect(found.accuracy).toMatchObject({ k: found.counts.right_reason, n: 5 });
    expect(found.counts).toMatchObject({ right_reason: 3, unknown_rule: 2, unstated: 1, undetermined: 0 });
    const words = (...more: string[]) => run("report", ...more).stdout.replace(/\s+/g, " ");
    expect(words()).toMatch(/Stated reasons: 3 of 5 name .* a lower bound/);
    expect(words("--verbose")).toMatch(
      /60\.0% \(23\.1–88\.2%\) 3 of 5 .* the cited rule does not exist 2\. Not counted: undetermined 0, no rule stated 1\. .* lower bound/,
    );
  });

  it("do not act in a terminal, whatever was cited", () => {
    const { status, stdout } = run("show", "hostile");
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/\u001b\[31m|\u202e/);
    expect(stdout).toContain("Stated reason, unknown_rule");
  });

  it("are audited by the stated rule alone if that is asked for, at a cost that is said before", () => {
    const at = join(folder, "audited");
    mkdirSync(join(at, "rules"), { recursive: true });
    writeFileSync(join(at, "defensible.yaml"), "version: 1\n");
    writeFileSync(
      join(at, "rules", "plants.yaml"),
      `${rules("1", "2026-01-01", "R2")}  - id: R1\n    title: Be kind\n    description: Insults and personal attacks are removed.\n`,
    );
    const lines = [
      post("right", { cited_rule: "R2" }),
      post("wrong", { cited_rule: "R1" }),
      post("unknown", { cited_rule: "R9" }),
      post("unstated", {}),
      post("kept", { content: "My fern grows.", decision: "approve", cited_rule: "R2" }),
    ];
    writeFileSync(join(at, "decisions.jsonl"), `${lines.join("\n")}\n`);
    const audited = (...args: string[]) => cli(args, { cwd: at });
    const plan = audited("audit", "--stated-reasons", "--flip", "0", "--dry-run");
    expect(plan.stdout).toContain("7 audits planned (2 of them of stated reasons)");
    expect(audited("audit", "--stated-reasons", "--flip", "0").stdout).toContain("2 of 7 audits are of stated reasons");
    const report = JSON.parse(audited("report", "--json").stdout);
    expect(report.counts.attempted).toBe(5);
    expect(report.stated_reasons.audited).toMatchObject({
      counts: { carries_alone: 1, only_others: 1, unknown_rule: 1, needs_more: 0 },
      wrong_reason: { k: 2, n: 3, method: "wilson" },
    });
    expect(audited("report", "--verbose").stdout.replace(/\s+/g, " ")).toContain(
      "2 of 3 are right for a wrong reason, 67%",
    );
    expect(JSON.parse(audited("show", "wrong", "--json").stdout).audited_reason).toBe("only_others");
    expect(audited("show", "wrong").stdout).toContain("Audit of the decision by the stated rules alone: remove");
    expect(audited("certificate", "wrong", "--out", "c.json", "--html", "c.html").status).toBe(0);
    const certificate = JSON.parse(readFileSync(join(at, "c.json"), "utf8"));
    expect(certificate.reason).toEqual({ stated: "other_rule", audited: "only_others" });
    expect(certificate.stated_reason).toMatchObject({ cited_rule: "R1", rules: [{ id: "R1" }], level: 3 });
    expect(audited("verify", "c.json").status).toBe(0);
    expect(readFileSync(join(at, "c.html"), "utf8")).toContain("right for a wrong reason");
    // Without the flag everything is as before: another run, whose report does not speak of it.
    audited("audit", "--flip", "0");
    expect(JSON.parse(audited("report", "--json").stdout).stated_reasons).not.toHaveProperty("audited");
    expect(audited("certificate", "wrong", "--out", "d.json").status).toBe(0);
    expect(JSON.parse(readFileSync(join(at, "d.json"), "utf8"))).not.toHaveProperty("stated_reason");
    const prompts = audited("prompts", "--stated-reasons", "--flip", "0", "--out", "p.jsonl");
    expect(prompts.status).toBe(0);
    const asked = readFileSync(join(at, "p.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [alone] = asked.filter(({ arm, decision_id }) => arm === "stated" && decision_id === "wrong");
    expect(alone.messages[1].content).toContain("Be kind");
    expect(alone.messages[1].content).not.toContain("No shop links");
  });

  it("are null with a reason for an audits file", () => {
    expect(run("export", "--out", "audits.csv").status).toBe(0);
    const { stated_reasons: found } = JSON.parse(run("report", "--audits", "audits.csv", "--json").stdout);
    expect(found).toMatchObject({
      counts: null,
      accuracy: { estimate: null, reason: expect.stringContaining("no decisions") },
    });
  });
});

function runs(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(3).map((_, i) => words.slice(i, i + 4).join(" "));
}
