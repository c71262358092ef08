import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../src/core/results/report.js";
import { redactReport } from "../src/present/page/redact-report.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";
import { pageData } from "./support/page-data.js";
import { demoReport } from "./web/reports.js";

const folder = temporaryFolder();
const root = join(folder, "ws");
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** A word for each place that somebody may write into; which one is found says where it came through. */
const marks: string[] = [];
function mark(place: string): string {
  const word = `Zq${place.replace(/[^a-z]/gi, "")}xq`;
  marks.push(word.toLowerCase());
  return word;
}

/** One word in some places, a sentence in others. */
const said = {
  title: `${mark("title")} is the title`,
  body: `${mark("body")} is what was posted about sails and engines`,
  kind: mark("kind"),
  language: mark("language"),
  context: [`${mark("context")} above`],
  url: `https://example.org/${mark("url")}`,
  media: [{ caption: mark("media") }],
  byline: mark("byline"),
};
const person = mark("person");
const tag = mark("tag");
const record = {
  decided_at: `${mark("decidedat")}, said Jane`,
  rationale: `because of ${mark("rationale")}`,
  cited_rule: `rule of ${mark("citedrule")}`,
  ruleset_version: mark("rulesetversion"),
  thread_id: mark("thread"),
  author: mark("author"),
  appeal: { filed_at: mark("filed"), text: `${mark("appeal")} is unfair`, outcome: "pending" },
  gold: { level: 3, inverse: true, rule_ids: ["R1", mark("goldrule")], note: `${mark("note")} of gold` },
  tags: [tag],
};
const deciders = [
  { kind: "human", id: person },
  { kind: "model", id: mark("bot") },
  { kind: "rule", id: `a rule of ${mark("ruledecider")}` },
];

function decisions(): object[] {
  return ["boats", "kites"].flatMap((community, c) =>
    Array.from({ length: 30 }, (_, i) => {
      const bare = {
        id: `${community}-${i}`,
        community,
        decision: i % 3 ? "approve" : "remove",
        human_label: "approve",
      };
      const text = i % 2 ? "Engines are loud, remove them" : "I like sails, and my boat";
      if (i % 5) return { ...bare, content: text, tags: [tag], gold: { level: 1, inverse: false, rule_ids: ["R1"] } };
      const content = {
        ...said,
        body: `${said.body} ${i}`,
        language: i % 10 ? `${said.language} ${c}` : said.language,
      };
      return {
        ...bare,
        ...record,
        content,
        decider: deciders[i % 3],
        decided_at: i ? record.decided_at : "2026-03-01",
      };
    }),
  );
}

function attacks(): object[] {
  const [archetype, ruleKind, language] = [mark("archetype"), mark("rulekind"), mark("attacklanguage")];
  const attack = { what: `${mark("what")} was changed`, text: `${mark("attacktext")} was put in` };
  return Array.from({ length: 100 }, (_, i) => ({
    id: `attack-${i}`,
    kind: i < 80 ? "clean" : "action_flip",
    community: "boats",
    content: { body: `${said.body} ${i}`, language: said.language },
    decision: i % 2 ? "approve" : "remove",
    rule_kind: i % 2 ? ruleKind : `${ruleKind}_of jane`,
    language,
    archetype: i % 2 ? archetype : `${archetype} said Jane`,
    decided_at: record.decided_at,
    ruleset_version: record.ruleset_version,
    ...(i < 80 ? {} : { attack }),
  }));
}

/** Everything that a command wrote, by what it is. */
function written(...flags: string[]): Record<string, string> {
  const at = (name: string) => join(folder, name);
  const out = ["--html", at("r.html"), `--json=${at("r.json")}`, `--md=${at("r.md")}`, "--figures", at("figures")];
  const { status, stdout, stderr } = cli(["report", ...out, ...flags]);
  expect([status, stdout]).toEqual([0, ""]);
  const read = (name: string) => readFileSync(at(name), "utf8");
  const { decisions: listed, ...page } = pageData(at("r.html"));
  return {
    terminal: stderr,
    html: read("r.html"),
    page: JSON.stringify(page),
    decisions: JSON.stringify(listed),
    json: read("r.json"),
    markdown: read("r.md"),
    ...Object.fromEntries(readdirSync(at("figures")).map((name) => [name, read(join("figures", name))])),
  };
}

function found(texts: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const lower = text.toLowerCase();
    return marks.filter((word) => lower.includes(word)).map((word) => `${name}: ${word}`);
  });
}

describe("a redacted report of a workspace with a word of its own in every field", () => {
  beforeAll(() => {
    cliOk(["init", root]);
    const run = (...args: string[]) => cliOk([...args, "--workspace", root]);
    for (const community of ["boats", "kites"]) {
      writeFileSync(
        join(root, "rules", `${community}.json`),
        JSON.stringify({
          scope: "community",
          community,
          version: mark("version"),
          rules: [{ id: "R1", title: "Sails only", description: "Engines are removed.", url: mark("ruleurl") }],
        }),
      );
    }
    writeFileSync(
      join(root, "rules", "platform.json"),
      JSON.stringify({
        scope: "platform",
        version: mark("platformversion"),
        rules: [{ id: "P1", title: "No threats", description: "Threats are removed.", url: mark("platformurl") }],
      }),
    );
    const give = (name: string, rows: readonly object[], as: string) => {
      writeFileSync(join(folder, name), lines(rows));
      run("import", join(folder, name), "--as", as);
    };
    give("decisions.jsonl", decisions(), "decisions");
    const precedent = { id: "p1", community: "boats", content: `${mark("precedent")} on engines`, decision: "remove" };
    give(
      "precedents.jsonl",
      [{ ...precedent, rationale: mark("precedentrationale"), decided_at: mark("precedentdate") }],
      "precedents",
    );
    const label = { level: 1, inverse: false, rater: person, source: "human", rated_at: mark("ratedat") };
    give(
      "labels.jsonl",
      Array.from({ length: 30 }, (_, i) => ({ ...label, decision_id: `boats-${i}` })),
      "labels",
    );
    run("audit", "--filter", `tags=${tag}`);
    cli(["calibrate", "--name", mark("calibration"), "--workspace", root]);
    run("gate", "--by", "community,language", "--apply");
    run("gate", "--close", `${mark("closed")} happened`);
    const routes = decisions().map((row, i) => ({
      ...{ at: "2026-03-01T00:00:00.000Z", decision_id: (row as { id: string }).id, route: "review", sampled: true },
      ...{ community: i % 3 ? "boats" : mark("routedcommunity"), decision: "remove", language: mark("routedlanguage") },
      ...{ would_automate: true, review_share: 0.1, thread_id: mark("routedthread") },
    }));
    writeFileSync(join(root, "gate", "routes.jsonl"), lines(routes));
    const reviews = routes.map(({ decision_id, at }) => {
      return { decision_id, outcome: "uphold", level: 1, reviewer: mark("reviewer"), at, note: mark("reviewnote") };
    });
    writeFileSync(join(folder, "reviews.jsonl"), lines(reviews));
    run("outcomes", "import", join(folder, "reviews.jsonl"));
    const file = join(folder, `${mark("file")}.jsonl`);
    writeFileSync(file, lines(attacks()));
    run("attack", "run", file);
    for (const name of ["gap", "signal", "dual"]) run("experiment", name);
    run("rules", "tiers");
    run("rules", "scopes");
    run("stability", "--replicates", "5", "--sample", "4");
    run("experiment", "circularity");
  }, 120_000);

  it("holds none of them, in anything that the command writes", () => {
    // What the search would find is there otherwise: texts, names, what attacks, gates and filters are called.
    const open = found(written("--workspace", root)).map((one) => one.split(": ")[1]!);
    for (const place of ["body", "person", "bot", "tag", "language", "kind", "decidedat", "version", "closed"])
      expect(open).toContain(`zq${place}xq`);
    for (const place of ["archetype", "rulekind", "attacklanguage", "file", "rationale", "note", "appeal"])
      expect(open).toContain(`zq${place}xq`);
    for (const place of ["routedcommunity", "routedlanguage"]) expect(open).toContain(`zq${place}xq`);
    expect(open).not.toContain("zqreviewnotexq");
    expect(found(written("--workspace", root, "--redact"))).toEqual([]);
    expect(found(written("--workspace", root, "--redact", "--no-decisions"))).toEqual([]);
  });

  it("nor does one of exported audits, whatever the file and its columns say", () => {
    const exported = join(folder, "exported.jsonl");
    cliOk(["export", "--workspace", root, "--out", exported]);
    const rows: object[] = JSON.parse(`[${readFileSync(exported, "utf8").trim().split("\n").join(",")}]`);
    const file = join(folder, `${mark("audits")} of jane.jsonl`);
    const more = { decided_at: record.decided_at, ruleset_version: record.ruleset_version, language: said.language };
    writeFileSync(file, lines(rows.map((row) => ({ ...row, ...more }))));
    expect(found(written("--audits", file)).length).toBeGreaterThan(3);
    expect(found(written("--audits", file, "--redact"))).toEqual([]);
  });

  it("has one name for a language wherever it stands", () => {
    written("--workspace", root, "--redact");
    const { report, gate_input } = pageData(join(folder, "r.html"));
    const names = Object.keys(report.by_language).filter((name) => name.startsWith("redacted"));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(gate_input.cohorts.some(({ key }) => key.endsWith(` × ${name}`))).toBe(true);
  });

  it("hashes what an author may write apart from names", () => {
    const other = join(folder, "other");
    cliOk(["init", other]);
    mkdirSync(join(folder, "one"));
    const one = { community: "boats", decision: "remove", human_label: "remove" };
    const rows = [
      { ...one, id: "a", content: person },
      { ...one, id: "b", content: "engines", decider: { kind: "human", id: person }, rationale: person },
    ];
    writeFileSync(join(folder, "one", "decisions.jsonl"), lines(rows));
    cliOk(["import", join(folder, "one", "decisions.jsonl"), "--as", "decisions", "--workspace", other]);
    writeFileSync(
      join(other, "rules", "boats.json"),
      JSON.stringify({
        scope: "community",
        community: "boats",
        version: "1",
        rules: [{ id: "R1", title: "Sails only" }],
      }),
    );
    cliOk(["audit", "--workspace", other]);
    written("--workspace", other, "--redact");
    const page = pageData(join(folder, "r.html"));
    const of = (id: string) => page.decisions.find((decision) => decision.id === id)!;
    const hash = of("a").body!.hash!;
    expect(of("b").decider!.id).toMatch(/^person [0-9a-f]{8}$/);
    expect(of("b").decider!.id).not.toContain(hash.slice(0, 8));
    expect(of("b").rationale!.hash).not.toBe(hash);
  });
});

describe("the list of what may leave a redacted report", () => {
  const hashOf = () => "0".repeat(16);
  const read = async () => JSON.parse(readFileSync((await demoReport()).json, "utf8")) as Report;

  it("has every word of the program's own in results of experiments", async () => {
    const report = await read();
    expect(Object.keys(report.experiments!).length).toBeGreaterThan(6);
    const { experiments, stability, calibration } = redactReport({ ...report, gate_findings: undefined }, hashOf);
    expect({ experiments, stability, calibration }).toEqual({
      experiments: report.experiments,
      stability: report.stability,
      calibration: report.calibration,
    });
  });

  it("lets no canary through that any object of the report was given under a member of its own, or as content", async () => {
    let birds = 0;
    const bird = () => `canary ${birds++}`;
    const withBirds = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(withBirds);
      if (typeof value !== "object" || value === null) return value;
      const members = Object.entries(value).map(([name, one]) => [name, withBirds(one)]);
      const content = { title: bird(), text: [bird()], rule: { name: bird() } };
      return {
        ...Object.fromEntries(members),
        remark: bird(),
        seen: [bird(), { by_whom: bird() }],
        content,
        rationale: bird(),
      };
    };
    const redacted = redactReport(withBirds(await read()) as Report, hashOf);
    expect(birds).toBeGreaterThan(10_000);
    expect(JSON.stringify(redacted)).not.toContain("canary");
  });
});
