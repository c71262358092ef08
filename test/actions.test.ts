import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gateSchema } from "../src/core/gate.js";
import { routeSchema } from "../src/core/records/route.js";
import { reportSchema } from "../src/core/results/report.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const ACTIONS = ["allow", "label", "limit", "remove", "ban"];
const root = join(temporaryFolder(), "forum");

const RULES = `scope: platform
version: "1"
rules:
  - id: P1
    title: No advertising
    description: Posts that sell goods or services are removed. Accounts that repeat it are banned.
    harm: 2
  - id: P2
    title: No insults
    description: Do not insult other people. Insulting posts are limited.
  - id: P3
    title: Graphic content is labelled
    description: Photos of wounds get a warning label.
`;

const POSTS = [
  ["Buy cheap watches in my shop, great discount", "remove"],
  ["How do I prune tomatoes?", "allow"],
  ["You are an idiot, nobody likes you", "limit"],
  ["My orchid has yellow leaves, what can I do?", "allow"],
  ["Photo of a deep wound, graphic", "label"],
] as const;

/** 150 decisions of two communities in threads of three; every tenth is a ban that nothing supports, every fifth label is one step off. */
const DECISIONS = Array.from({ length: 150 }, (_, i) => {
  const [text, usual] = POSTS[i % POSTS.length]!;
  const decision = i % 10 === 1 ? "ban" : usual;
  const place = ACTIONS.indexOf(decision);
  return {
    id: `d${i}`,
    community: i % 2 === 0 ? "garden" : "market",
    content: `${text} (${i})`,
    action_taken: decision === "ban" ? "Suspended" : decision.toUpperCase(),
    human_label: i % 5 === 0 ? ACTIONS[place === 0 ? 1 : place - 1]! : decision,
    decision,
    thread_id: `t${Math.floor(i / 3)}`,
    decided_at: new Date(Date.UTC(2026, 0, 1, i)).toISOString(),
  };
});

const run = (...args: string[]) => cliOk(args, { cwd: root });
const json = (...args: string[]) => JSON.parse(run(...args, "--json"));

interface Row {
  decision_id: string;
  arm: string;
  decision: string;
  level: number;
  community: string;
  citation: { rule_id: string | null } | null;
}

let audits: Row[] = [];

let made = "";

beforeAll(() => {
  made = cliOk(["init", root, "--actions", ACTIONS.join(",").replace("label,", "label/")]);
  writeFileSync(join(root, "..", "rules.yaml"), RULES);
  const columns = ["id", "community", "content", "action_taken", "human_label", "thread_id", "decided_at"] as const;
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = DECISIONS.map((one) => columns.map((name) => cell(one[name])).join(","));
  writeFileSync(join(root, "..", "decisions.csv"), [columns.join(","), ...rows, ""].join("\n"));
  run("import", "../rules.yaml");
});

describe("a workspace with five actions", () => {
  it("says how it reads the order of actions", () => {
    expect(made).toContain(
      "Actions, mildest first: allow, label, limit, remove, ban. Restricting: limit, remove, ban. Not restricting: allow, label.",
    );
    const two = cliOk(["init", join(root, "..", "loans"), "--actions", "deny,grant"]);
    expect(two).toContain("Actions: deny, grant. Restricting: deny. Not restricting: grant.");
  });

  it("says which of its actions a foreign word could be, and takes what it is told", () => {
    const refused = cli(["import", "../decisions.csv", "--map", "action_taken=decision", "--dry-run"], { cwd: root });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("expected allow, label, limit, remove or ban");
    const unsaid = ["import", "../decisions.csv", "--map", "action_taken=decision", "--yes"];
    const withYes = cli(unsaid, { cwd: root });
    expect(withYes.stderr).toContain("Rows of a word that you leave out are rejected; with --yes the whole file is:");
    const told = run("import", "../decisions.csv", "--map", "action_taken=decision", "--value", "Suspended=ban");
    expect(told).toContain("Imported 150 decisions");
    const config = readFileSync(join(root, "defensible.yaml"), "utf8");
    expect(config).toContain('all: ["allow","label","limit","remove","ban"]');
    const other = cli(["import", "../decisions.csv", "--actions", "remove,approve"], { cwd: root });
    expect(other.stderr).toContain("is written in allow/label/limit/remove/ban; got remove/approve");
  });

  it("shows what alternatives cost before they are audited, and audits the nearest ones", () => {
    const plan = run("audit", "--dry-run", "--flip", "0");
    expect(plan).toContain("150 audits planned. Nothing was done. No provider is called: 0 calls, $0.");
    expect(run("audit", "--dry-run", "--flip", "0", "--alternatives", "1")).toContain(
      "300 audits planned (150 of them of alternatives)",
    );
    const prompts = (more: string) => json("prompts", "--out", "p.jsonl", "--flip", "0", "--alternatives", more);
    expect(prompts("0").audits).toBe(150);
    expect(prompts("2").audits).toBe(450);
    const summary = json("audit", "--flip", "0", "--alternatives", "2");
    expect(summary.counts.verdicts).toBe(450);
    expect(run("audit", "--flip", "0", "--alternatives", "2")).toContain(
      "450 verdicts, 0 unscored, 0 errors; 300 of 450 audits are of alternatives",
    );
    run("export", "--format", "jsonl", "--out", "audits.jsonl");
    audits = readFileSync(join(root, "audits.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const arms = audits.filter(({ decision_id, arm }) => decision_id === "d2" && arm !== "");
    expect(arms.map(({ arm, decision }) => `${arm} ${decision}`).sort()).toEqual([
      "action=label label",
      "action=remove remove",
    ]);
  });

  it("is reported by every action, and by the line between restricting and not", () => {
    const report = json("report");
    reportSchema.parse(report);
    expect(Object.keys(report.by_decision).sort()).toEqual([...ACTIONS].sort());
    expect(report.counts.verdicts).toBe(150);
    const restricts = (action: string) => ACTIONS.indexOf(action) >= 2;
    const tp = DECISIONS.filter((one) => restricts(one.decision) && restricts(one.human_label)).length;
    expect(report.agreement.confusion.tp).toBe(tp);
    const same = DECISIONS.filter((one) => one.decision === one.human_label).length;
    const steps = DECISIONS.map(({ decision, human_label }) =>
      Math.abs(ACTIONS.indexOf(decision) - ACTIONS.indexOf(human_label)),
    );
    const { exact_agreement, severity_distance, alternatives } = report.several_actions;
    expect(exact_agreement).toMatchObject({ k: same, n: 150 });
    expect(severity_distance.estimate).toBeCloseTo(steps.reduce((sum, step) => sum + step, 0) / 150, 12);
    const own = new Map(audits.filter(({ arm }) => arm === "").map((row) => [row.decision_id, row]));
    for (const { decision, alternative, derivable } of alternatives.pairs) {
      const pairs = audits.filter(
        (row) => row.arm === `action=${alternative}` && own.get(row.decision_id)!.decision === decision,
      );
      expect(derivable).toMatchObject({ n: pairs.length, k: pairs.filter(({ level }) => level < 3).length });
    }
    const any = [...own.keys()].filter((id) =>
      audits.some((row) => row.decision_id === id && row.arm !== "" && row.level < 3),
    );
    expect(alternatives.any_derivable).toMatchObject({ k: any.length, n: 150 });
    const shown = run("report").replaceAll(/\s+/g, " ");
    expect(shown).toContain("Alternatives that can be derived too");
    expect(shown).toMatch(new RegExp(`At least one audited alternative can be derived for .* ${any.length} of 150\\.`));
    expect(shown).toContain("Its Ambiguity Index counts the other side alone");
    expect(shown).toContain("where another action follows from the rules too, or alone");
    const one = run("show", "d2").replaceAll(/\s+/g, " ");
    expect(one).toContain("Audit of the decision: limit");
    expect(one).toContain("Audit of an alternative: remove");
    for (const text of [shown, one, run("report", "--verbose")]) {
      expect(text).not.toMatch(/the other way|[Tt]he opposite (?!action)|open both ways/);
    }
  });

  it("says only what two actions can be asked where there are two", () => {
    const two = join(root, "..", "two");
    cliOk(["init", two, "--example"]);
    const refused = cli(["audit", "--alternatives", "1"], { cwd: two });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("the workspace has two actions");
    expect(refused.stderr).toContain("`defensible audit --flip all` audits the opposite of every decision.");
  });

  it("limits expected harm by the weights of actions and rules, in every mode", () => {
    const config = join(root, "defensible.yaml");
    writeFileSync(config, `${readFileSync(config, "utf8")}\nharm: {actions: {ban: 10, remove: 3}}\n`);
    const gate = json("gate", "--mode", "paper", "--harm", "0.4");
    gateSchema.parse(gate);
    expect(gate.thresholds.harm).toBe(0.4);
    expect(gate.harm).toMatchObject({ limit: 0.4, max: 20, actions: { ban: 10, remove: 3 } });
    for (const { community, n, harm, passes } of gate.communities) {
      const rows = audits.filter((row) => row.arm === "" && row.community === community);
      const weights: Record<string, number> = { ban: 10, remove: 3 };
      const total = rows
        .filter(({ level }) => level === 3)
        .reduce((sum, row) => sum + (weights[row.decision] ?? 1) * (row.citation?.rule_id === "P1" ? 2 : 1), 0);
      expect(n).toBe(rows.length);
      expect(harm.mean).toBeCloseTo(total / rows.length, 9);
      expect(harm.passes.paper).toBe(total / rows.length <= 0.4 + 1e-9);
      expect(harm.lower).toBeLessThanOrEqual(harm.upper);
      if (!harm.passes.paper) expect(passes.paper).toBe(false);
    }
    const without = json("gate", "--mode", "paper");
    expect(JSON.stringify(without.communities)).not.toContain('"harm"');
    expect(without.thresholds).toEqual({ di: 0.9, ai: 0.15, min_decisions: 25 });
    expect(run("gate", "--harm", "0.4").replaceAll(/\s+/g, " ")).toContain("`defensible gate apply --harm 0.4`");
    const unknown = cli(["gate", "--harm", "none"], { cwd: root });
    expect(unknown.stderr).toContain("expected a number above 0");
  });

  it("routes by the gate, and says where harm is the reason", () => {
    const all = ["--mode", "paper", "--di", "0.01", "--ai", "0.99"];
    const tiny = json("gate", "apply", ...all, "--harm", "0.000001");
    expect(tiny.communities.some((one: { harm: { mean: number } }) => one.harm.mean > 0)).toBe(true);
    const routes = run("route", "decisions.jsonl", "--run", "newest", "--mode", "paper")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(routes).toHaveLength(150);
    for (const route of routes) {
      routeSchema.parse(route);
      const own = tiny.communities.find((one: { community: string }) => one.community === route.community);
      expect(route.reasons.includes("harm_above_limit")).toBe(!own.harm.passes.paper);
      expect(route.reasons.includes("bad_decision")).toBe(false);
    }
    const page = join(root, "report.html");
    run("report", "--html", page);
    expect(readFileSync(page, "utf8")).toContain("defensible");
  });

  it("refuses weights of actions that it does not have", () => {
    const config = join(root, "defensible.yaml");
    writeFileSync(config, readFileSync(config, "utf8").replace("{ban: 10, remove: 3}", "{suspend: 10}"));
    const refused = cli(["gate", "--harm", "0.4"], { cwd: root });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('harm.actions: got "suspend", expected allow, label, limit, remove or ban');
    const given = readFileSync(config, "utf8");
    for (const [weights, message] of [
      ["{ban: 1.0e+308}", "harm: got a weight of 1e+308, expected at most 1e+100"],
      ["{__proto__: 5}", 'harm.actions: got "__proto__", expected the name of an action'],
    ] as const) {
      writeFileSync(config, given.replace("{suspend: 10}", weights));
      const { status, stderr } = cli(["gate", "--harm", "0.4"], { cwd: root });
      expect(status).toBe(1);
      expect(stderr).toContain(message);
    }
  });
});

describe("the commands of docs/actions.md", () => {
  it("work word for word, from the rules and decisions of a folder to a gate", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "rules.yaml"), RULES);
    const rows = DECISIONS.slice(0, 20).map(({ id, community, content, decision }) =>
      [id, community, `"${content}"`, decision].join(","),
    );
    writeFileSync(join(folder, "decisions.csv"), ["id,community,content,decision", ...rows, ""].join("\n"));
    const doc = readFileSync(join(import.meta.dirname, "..", "docs", "actions.md"), "utf8");
    const [, block] = /<!-- path -->\n```sh\n([\s\S]*?)^```$/m.exec(doc)!;
    let cwd = folder;
    let printed = "";
    for (const line of block!.trim().split("\n")) {
      const [command, ...args] = line.split(" ");
      if (command === "cd") cwd = join(cwd, args[0]!);
      else printed += cliOk(args, { cwd });
    }
    for (const text of ["Imported 20 decisions", "60 audits planned", "Alternatives", "Expected harm"]) {
      expect(printed).toContain(text);
    }
  });
});
