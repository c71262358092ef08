import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { engineMissing, tinyModel } from "../src/auditors/gguf/engine.suite.js";
import { briefAndValid } from "../src/auditors/gguf/tiny-gguf.suite.js";
import { auditSchema } from "../src/core/records/audit.js";
import { manifestSchema } from "../src/core/records/manifest.js";
import {
  type Dialect,
  type FakeServer,
  type FakeServerOptions,
  outOfCredit,
  planAnswer,
  startFakeServer,
  traceText,
} from "./fake-models/index.js";
import { truncate } from "./fake-models/plan-answer.js";
import { cliOk, cliServed, startCli, temporaryFolder } from "./support/cli.js";

const KEY = "sk-test-right-key-0123456789";
const folder = temporaryFolder();
let count = 0;
let server: FakeServer;
afterEach(() => server?.close());

async function serve(options: Partial<FakeServerOptions> = {}, dialect: Dialect = "openai"): Promise<FakeServer> {
  const answer = await planAnswer(traceText());
  server = await startFakeServer({ dialect, key: KEY, answer: () => answer, ...options });
  return server;
}

/** A workspace of the sample with this many decisions. */
function workspaceOf(decisions: number, content: (i: number) => string = (i) => `Post number ${i}`): string {
  const path = join(folder, `ws${count++}`);
  cliOk(["init", path, "--example", "commons-hard"]);
  const lines = Array.from({ length: decisions }, (_, i) =>
    JSON.stringify({
      id: `d${i}`,
      community: i % 2 ? "film-club" : "study-hall",
      content: content(i),
      decision: i % 3 ? "remove" : "approve",
      decider: { kind: "model", id: "gpt-4o" },
    }),
  );
  writeFileSync(join(path, "decisions.jsonl"), `${lines.join("\n")}\n`);
  return path;
}

const run = (args: string[], key = KEY) => cliServed(args, { env: { OPENAI_API_KEY: key } });

const model = (workspace: string, ...flags: string[]) => [
  ...["audit", "--flip", "0", "--workspace", workspace, "--auditor", "openai-compatible:gpt-4.1-mini"],
  ...["--base-url", server.baseUrl, "--dialect", "openai", ...flags],
];

function audits(workspace: string) {
  const out = join(workspace, `out${count++}.jsonl`);
  cliOk(["export", "--workspace", workspace, "--format", "jsonl", "--out", out]);
  return readFileSync(out, "utf8")
    .trim()
    .split("\n")
    .map((line) => auditSchema.parse(JSON.parse(line)));
}

function manifest(workspace: string) {
  const runs = readdirSync(join(workspace, "runs")).sort();
  const text = readFileSync(join(workspace, "runs", runs.at(-1)!, "manifest.json"), "utf8");
  expect(text).not.toContain(KEY);
  return manifestSchema.parse(JSON.parse(text));
}

describe("an audit with a model behind a server", () => {
  it("asks once for each decision, keeps prefixes together, and records what it cost", async () => {
    await serve();
    const workspace = workspaceOf(30);
    const { status, stdout, stderr } = await run(model(workspace, "--concurrency", "1"));
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/Finished run \S+: 30 verdicts, 0 unscored, 0 errors/);
    expect(stderr).toMatch(/30 calls: about .* tokens in \(counted with o200k on a sample of 30/);
    const rows = audits(workspace);
    expect(rows).toHaveLength(30);
    expect(rows[0]).toMatchObject({ outcome: "verdict", level: 2, inverse: false, signal: "logprobs", attempts: 1 });
    expect(rows[0]!.prompt_version).toMatch(/^guided-\d+#[0-9a-f]{8}$/);
    expect(rows.every((row) => row.pds !== null && row.flags.includes("same_family"))).toBe(true);
    const asked = server.questions.slice(-30).map(({ user }) => (user.includes("film-club") ? "f" : "s"));
    expect(asked.filter((one, i) => i > 0 && one !== asked[i - 1]).length).toBe(1);
    const run30 = manifest(workspace);
    expect(run30).toMatchObject({ status: "sealed", same_family: { decisions: 30, of: 30 } });
    expect(run30.usage!.input_tokens).toBe(rows.reduce((sum, row) => sum + row.usage!.input_tokens!, 0));
    expect(run30.scheduler).toHaveLength(1);
    expect(JSON.stringify(server.requests)).not.toContain("human_label");
  });

  it("says what it would take and asks nothing with --dry-run", async () => {
    await serve();
    const { stdout, status } = await run(model(workspaceOf(10), "--dry-run", "--replicates", "3"));
    expect(status).toBe(0);
    expect(stdout).toMatch(/10 calls for 30 answers|30 calls/);
    expect(stdout).toMatch(/Nothing was done/);
    expect(server.questions).toHaveLength(0);
  });

  it("stops at --max-cost with 2, and goes on with more", async () => {
    await serve();
    const workspace = workspaceOf(60);
    const prices = "\nprices:\n  gpt-4.1-mini: {input: 1000, output: 1000}\n";
    const config = join(workspace, "defensible.yaml");
    writeFileSync(config, readFileSync(config, "utf8") + prices);
    const first = await run(model(workspace, "--max-cost", "20", "--no-cache"));
    expect(first.status, first.stderr).toBe(2);
    expect(first.stderr).toMatch(/limit of \$20\.00/);
    const spent = manifest(workspace).usage!.cost_usd!;
    expect(spent).toBeGreaterThan(5);
    expect(spent).toBeLessThanOrEqual(20);
    const second = await run(model(workspace, "--max-cost", "1000000"));
    expect(second.status, second.stderr).toBe(0);
    expect(audits(workspace)).toHaveLength(60);
  });

  it("refuses --max-cost for a model whose price nobody knows", async () => {
    await serve();
    const args = model(workspaceOf(1), "--max-cost", "1").map((arg) => arg.replace("gpt-4.1-mini", "my-own-model"));
    const { status, stderr } = await run(args);
    expect(status).toBe(1);
    expect(stderr).toMatch(/price of openai-compatible:my-own-model is not known/);
    expect(server.questions).toHaveLength(0);
  });

  it("ends at once when the credit is exhausted, keeps what is done and says so", async () => {
    const answer = await planAnswer(traceText());
    await serve({ answer: ({ index }) => (index > 12 ? outOfCredit() : answer) });
    const workspace = workspaceOf(200);
    const { status, stderr, stdout } = await run(model(workspace));
    expect(status).toBe(1);
    expect(stderr).toMatch(/quota|credit/i);
    expect(stdout).toMatch(/Stopped: run \S+ has \d+ of 200 audits\./);
    expect(server.questions.length).toBeLessThan(60);
  });

  it("tells a wrong key, a wrong model and a server that is not there in one sentence, and leaves no run", async () => {
    await serve({ models: ["gpt-4.1-mini"] });
    const workspace = workspaceOf(3);
    const wrongKey = await run(model(workspace), "sk-wrong-9876543210");
    expect(wrongKey.status).toBe(1);
    expect(wrongKey.stderr).toMatch(/key/i);
    expect(wrongKey.stderr).not.toContain("sk-wrong-9876543210");
    const wrongModel = await run(model(workspace).map((arg) => arg.replace("gpt-4.1-mini", "gpt-none")));
    expect(wrongModel).toMatchObject({ status: 1 });
    expect(wrongModel.stderr).toMatch(/gpt-none/);
    const { baseUrl } = server;
    await server.close();
    const nobody = await run(model(workspace));
    expect(nobody.status).toBe(1);
    expect(nobody.stderr).toContain(new URL(baseUrl).host);
    expect(readdirSync(join(workspace, "runs"))).toEqual([]);
  });

  it("says which modes there are when a model gives no probabilities, and works with those", async () => {
    await serve({ drops: ["logprobs", "top_logprobs"] });
    const workspace = workspaceOf(4);
    const refused = await run(model(workspace));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/--signal sampling, --signal none/);
    expect((await run(model(workspace, "--signal", "none"))).status).toBe(0);
    expect(audits(workspace)[0]).toMatchObject({ signal: "none", level: 2, pds: null, level_probs: null });
    const cold = await run(model(workspace, "--signal", "sampling", "--temperature", "0"));
    expect(cold.stderr).toMatch(/at 0 every draw is the same/);
  });

  it("draws samples of one decision and says how many and how sure", async () => {
    const drawn = await Promise.all(
      [1, 2, 2, 3, 2].map((level) => planAnswer(traceText({ defensibility_level: level }))),
    );
    await serve({ answer: () => drawn });
    const workspace = workspaceOf(2);
    const { status, stderr } = await run(
      model(workspace, "--signal", "sampling", "--samples", "5", "--temperature", "1"),
    );
    expect(status, stderr).toBe(0);
    const [row] = audits(workspace);
    expect(row).toMatchObject({ signal: "sampling", samples: 5, level: 1, level_map: 2, h_citation_bits: null });
    expect(row!.level_probs).toEqual([1.5 / 6.5, 3.5 / 6.5, 1.5 / 6.5].map((p) => expect.closeTo(p, 12)));
    expect(row!.se!.p_defensible).toBeGreaterThan(0);
    expect(row!.h_citation_sampled_bits).toBe(0);
  });

  it("uses several answers of one call for replicates", async () => {
    await serve();
    const workspace = workspaceOf(4);
    const { status, stderr } = await run(model(workspace, "--replicates", "6", "--temperature", "0.7"));
    expect(status, stderr).toBe(0);
    const rows = audits(workspace);
    expect(rows).toHaveLength(24);
    expect(server.questions.filter(({ answers }) => answers === 6)).toHaveLength(4);
    expect(rows.filter((row) => row.usage!.input_tokens! > 0)).toHaveLength(4);
  });

  it("does not pay twice for the same question, and marks what it did not pay for", async () => {
    await serve();
    const workspace = workspaceOf(5);
    await run(model(workspace));
    const before = server.paid;
    const again = await run(model(workspace, "--new"));
    expect(again.status, again.stderr).toBe(0);
    expect(server.paid - before).toBeLessThanOrEqual(2);
    const rows = audits(workspace);
    expect(rows.every((row) => row.flags.includes("cached") && row.usage!.cost_usd === 0)).toBe(true);
    expect(rows[0]!.pds).not.toBeNull();
    await run(model(workspace, "--new", "--no-cache"));
    expect(audits(workspace).some((row) => row.flags.includes("cached"))).toBe(false);
  });

  it("replays kept answers to the same numbers without a server", async () => {
    await serve();
    const workspace = workspaceOf(6);
    await run(model(workspace, "--keep-raw"));
    const first = audits(workspace);
    const [id] = readdirSync(join(workspace, "runs"));
    await server.close();
    const replay = ["audit", "--workspace", workspace, "--auditor", `replay:${join(workspace, "runs", id!)}`];
    const { status, stderr } = await run(replay);
    expect(status, stderr).toBe(0);
    const second = audits(workspace);
    const numbers = ({ pds, level_probs, h_citation_bits, inverse_log_odds, trace, citation }: (typeof first)[0]) =>
      JSON.stringify({ pds, level_probs, h_citation_bits, inverse_log_odds, trace, citation });
    expect(second.map(numbers)).toEqual(first.map(numbers));
  });

  it("sends no e-mail address, phone number, handle or listed name with --scrub, and can restore them", async () => {
    await serve();
    const workspace = workspaceOf(1, () => "Write to jo.doe@example.org or +49 170 1234567, says Jane Roe (@jroe_42).");
    const names = join(folder, "names.txt");
    writeFileSync(names, "Jane Roe\r\n");
    const { status, stderr } = await run(model(workspace, "--scrub-names", names, "--keep-raw"));
    expect(status, stderr).toBe(0);
    const sent = server.requests.map(({ text }) => text).join("\n");
    for (const secret of ["jo.doe", "1234567", "jroe_42", "Jane Roe"]) expect(sent).not.toContain(secret);
    const [row] = audits(workspace);
    expect(Object.values(row!.prompt!.scrubbed!)).toEqual(
      expect.arrayContaining(["jo.doe@example.org", "+49 170 1234567", "Jane Roe"]),
    );
  });

  it("stops within seconds on Ctrl-C although the server stalls, and goes on where it was", {
    timeout: 60_000,
  }, async () => {
    const answer = await planAnswer(traceText());
    let stall = true;
    await serve({
      answer: ({ index }) => (stall && index > 10 ? { fault: "stall", at: "start", answer } : answer),
    });
    const workspace = workspaceOf(40);
    const { child, done } = startCli(model(workspace), { env: { OPENAI_API_KEY: KEY } });
    while (server.questions.length < 13) await new Promise((resolve) => setTimeout(resolve, 10));
    const started = performance.now();
    child.kill("SIGINT");
    const result = await done;
    expect(result.status, result.stderr).toBe(130);
    expect(performance.now() - started).toBeLessThan(9000);
    stall = false;
    const again = await run(model(workspace));
    expect(again.status, again.stderr).toBe(0);
    expect(again.stdout).toMatch(/Continued and finished/);
    expect(audits(workspace)).toHaveLength(40);
  });
});

describe("money, keys and settings", () => {
  it("sends the workspace's base_url no key of another vendor", async () => {
    await serve();
    const workspace = workspaceOf(1);
    const config = join(workspace, "defensible.yaml");
    writeFileSync(config, `${readFileSync(config, "utf8")}\nbase_url: ${server.baseUrl}\n`);
    const { stdout } = await run(
      ["audit", "--flip", "0", "--workspace", workspace, "--auditor", "openai:gpt-4.1-mini", "--dry-run"],
      "",
    );
    expect(stdout).toMatch(/1 call/);
    expect((await run(["doctor", "--workspace", workspace, "--auditor", "openai:gpt-4.1-mini"], "")).stderr).toMatch(
      /OPENAI_API_KEY is not set/,
    );
    expect(server.requests).toHaveLength(0);
    await run([
      "audit",
      ...["--flip", "0"],
      "--workspace",
      workspace,
      "--auditor",
      "openai-compatible:gpt-4.1-mini",
      "--dialect",
      "openai",
    ]);
    expect(server.requests.length).toBeGreaterThan(0);
  });

  it("keeps a key that a server repeats out of every file and message", async () => {
    const leak = await planAnswer(traceText({ logic_chain: `Authorization: Bearer ${KEY} was sent.` }));
    const page = { fault: "status" as const, status: 200, body: `upstream said ${KEY}`, type: "text/plain" };
    await serve({ answer: ({ index }) => (index % 2 ? leak : page) });
    const workspace = workspaceOf(4);
    const { stdout, stderr } = await run(model(workspace, "--keep-raw"));
    expect(stdout + stderr).not.toContain(KEY);
    cliOk(["export", "--workspace", workspace, "--format", "jsonl", "--out", join(workspace, "out.jsonl")]);
    const files = readdirSync(workspace, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      expect(readFileSync(join(file.parentPath, file.name)).includes(KEY), file.name).toBe(false);
    }
    expect(readFileSync(join(workspace, "out.jsonl"), "utf8")).toContain("*".repeat(KEY.length));
  });

  it("keeps to --max-cost when answers before came from the cache", async () => {
    await serve();
    const workspace = workspaceOf(80);
    const config = join(workspace, "defensible.yaml");
    writeFileSync(config, `${readFileSync(config, "utf8")}\nprices:\n  gpt-4.1-mini: {input: 1000, output: 1000}\n`);
    await run(model(workspace, "--limit", "40"));
    const { status, stderr } = await run(model(workspace, "--max-cost", "12"));
    expect(status, stderr).toBe(2);
    const { usage } = manifest(workspace);
    expect(usage!.cost_usd).toBeLessThanOrEqual(12);
    expect(usage!.cost_usd).toBeGreaterThan(5);
  });

  it("replays under the settings of the answers, and only what was answered", async () => {
    await serve();
    const workspace = workspaceOf(6);
    await run(model(workspace, "--limit", "4", "--keep-raw", "--temperature", "0.7", "--tier", "sidebar"));
    const [id] = readdirSync(join(workspace, "runs"));
    const replay = ["audit", "--workspace", workspace, "--auditor", `replay:${join(workspace, "runs", id!)}`];
    const refused = await run([...replay, "--tier", "title"]);
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.stderr).toMatch(/tier: got title, but the answers .* were given with sidebar/);
    const { status, stderr, stdout } = await run(replay);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/4 verdicts, 0 unscored, 0 errors/);
    const rows = audits(workspace);
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({ tier: "sidebar", temperature: 0.7 });
    expect(rows[0]!.prompt_version).toMatch(/^guided-/);
  });

  it("ends soon on Ctrl-C while a silent server is asked what it gives", async () => {
    const answer = await planAnswer(traceText());
    await serve({ answer: () => ({ fault: "stall", at: "start", answer }) });
    const workspace = workspaceOf(2);
    const { child, done } = startCli(model(workspace), { env: { OPENAI_API_KEY: KEY } });
    while (server.questions.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGINT");
    const started = performance.now();
    expect((await done).status).toBe(130);
    expect(performance.now() - started).toBeLessThan(4000);
    expect(readdirSync(join(workspace, "runs"))).toEqual([]);
  });

  it("writes each replicate down as it comes, where a server gives one answer a call", async () => {
    const answer = await planAnswer(traceText());
    await serve({ traits: { maxAnswers: 1 }, answer: ({ index }) => (index > 9 ? outOfCredit() : answer) });
    const workspace = workspaceOf(1);
    await run(model(workspace, "--replicates", "40", "--concurrency", "1", "--temperature", "1"));
    const counts = manifest(workspace).counts;
    expect(counts.verdicts).toBeGreaterThanOrEqual(5);
    expect(server.delivered - counts.verdicts).toBeLessThanOrEqual(3);
  });

  it("tells why when nothing could be scored, with another exit code", async () => {
    const cut = truncate(await planAnswer(traceText()), 6);
    await serve({ answer: () => cut });
    const { status, stdout } = await run(model(workspaceOf(3)));
    expect(status).toBe(3);
    expect(stdout).toMatch(/0 verdicts, 3 unscored[\s\S]*3 without a verdict: 3 × truncated/);
  });

  it("says how many answers came from the cache, and starts another run for another server or seed", async () => {
    await serve();
    const workspace = workspaceOf(3);
    await run(model(workspace));
    expect((await run(model(workspace, "--new"))).stdout).toMatch(/3 from the cache \(--no-cache asks anew\)/);
    const before = server.paid;
    await run(model(workspace, "--seed", "2"));
    expect(server.paid - before).toBeGreaterThanOrEqual(3);
  });

  it("audits the others where the rules of one community do not fit", async () => {
    await serve();
    const workspace = workspaceOf(4);
    const long = `scope: community\ncommunity: huge\nversion: "1"\nrules:\n  - {id: R1, title: T, detail: "${"word ".repeat(9000)}"}\n`;
    writeFileSync(join(workspace, "rules", "huge.yaml"), long);
    const extra = JSON.stringify({ id: "x", community: "huge", content: "c", decision: "remove" });
    writeFileSync(
      join(workspace, "decisions.jsonl"),
      `${readFileSync(join(workspace, "decisions.jsonl"), "utf8")}${extra}\n`,
    );
    const { status, stdout } = await run(model(workspace, "--context", "8192"));
    expect(status).toBe(3);
    expect(stdout).toMatch(/4 verdicts, 0 unscored, 1 error/);
    expect(stdout).toMatch(/1 without a verdict: rules: too long for the model's prompt[\s\S]*--retry-errors/);
  });
});

describe("a provider's batch service", () => {
  it("costs half", { timeout: 60_000 }, async () => {
    await serve();
    const costs: number[] = [];
    for (const flags of [[], ["--batch"]]) {
      const workspace = workspaceOf(3);
      let last = await run(model(workspace, "--no-cache", ...flags));
      for (let i = 0; i < 6 && /to come/.test(last.stdout); i++)
        last = await run(model(workspace, "--no-cache", ...flags));
      expect(last.status, last.stderr).toBe(0);
      costs.push(audits(workspace).reduce((sum, row) => sum + row.usage!.cost_usd!, 0));
    }
    expect(costs[1]).toBeCloseTo(costs[0]! / 2, 12);
  });

  it("takes the questions, is followed, and its answers become the run", { timeout: 60_000 }, async () => {
    await serve({ batchPolls: 2 });
    const workspace = workspaceOf(8);
    const sent = await run(model(workspace, "--batch"));
    expect(sent.status, sent.stderr).toBe(0);
    expect(sent.stdout).toMatch(/8 questions sent; 8 answers to come/);
    const [id] = readdirSync(join(workspace, "runs"));
    const shown = await run(["runs", "show", id!, "--workspace", workspace]);
    expect(shown.stdout, shown.stderr).toMatch(/batch \S+: running, \d+ of 8 answered/);
    let last = await run(model(workspace, "--batch"));
    for (let i = 0; i < 5 && /to come/.test(last.stdout); i++) last = await run(model(workspace, "--batch"));
    expect(last.stdout, last.stderr).toMatch(/finished run .*: 8 verdicts/);
    const rows = audits(workspace);
    expect(rows).toHaveLength(8);
    expect(rows.every((row) => row.pds !== null)).toBe(true);
    expect(manifest(workspace).run_id).toBe(id);
  });

  it("is not paid twice when a process was killed between fetching and auditing", { timeout: 60_000 }, async () => {
    await serve();
    const workspace = workspaceOf(8);
    let last = await run(model(workspace, "--batch"));
    for (let i = 0; i < 5 && /to come/.test(last.stdout); i++) last = await run(model(workspace, "--batch"));
    expect(last.stdout, last.stderr).toMatch(/8 verdicts/);
    // As it stands on disk after such a kill: everything fetched, nothing audited.
    const folderOfRun = join(
      workspace,
      "runs",
      readdirSync(join(workspace, "runs")).filter((name) => !/lock/.test(name))[0]!,
    );
    const path = join(folderOfRun, "manifest.json");
    rmSync(join(folderOfRun, "audits.parquet"));
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), status: "open", sealed_at: null }));
    const before = server.paid;
    const again = await run(model(workspace));
    expect(again.stdout, again.stderr).toMatch(/8 verdicts/);
    expect(server.paid - before).toBeLessThanOrEqual(2);
  });

  it("that expires gives what it has, and the rest is asked again", { timeout: 60_000 }, async () => {
    await serve({ batchEnds: "expired", batchAnswers: 3 });
    const workspace = workspaceOf(8);
    await run(model(workspace, "--batch"));
    let last = await run(model(workspace));
    for (let i = 0; i < 5 && /to come/.test(last.stdout); i++) last = await run(model(workspace));
    expect(last.status, last.stderr).toBe(0);
    expect(audits(workspace)).toHaveLength(8);
  });
});

describe("doctor --auditor", () => {
  it("shows what a model gives in one cheap call", async () => {
    await serve();
    const flags = ["--base-url", server.baseUrl, "--workspace", workspaceOf(1)];
    const { status, stdout, stderr } = await run(["doctor", "--auditor", "openai-compatible:gpt-4.1-mini", ...flags]);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/token probabilities: 20 candidates a token/);
    expect(stdout).toMatch(/--signal logprobs, --signal sampling, --signal none/);
    expect(server.paid).toBeLessThanOrEqual(2);
  });

  it("says plainly that probabilities are missing although the server said 200", async () => {
    await serve({ drops: ["logprobs", "top_logprobs"] });
    const flags = ["--base-url", server.baseUrl, "--workspace", workspaceOf(1)];
    const { stdout } = await run(["doctor", "--auditor", "openai-compatible:gpt-4.1-mini", ...flags]);
    expect(stdout).toMatch(/✗ token probabilities: none/);
    expect(stdout).not.toMatch(/--signal logprobs/);
  });
});

describe("decide", () => {
  const deciding = (workspace: string, ...flags: string[]) => [
    ...["decide", "--workspace", workspace, "--decider", "openai-compatible:gpt-4.1-mini"],
    ...["--base-url", server.baseUrl, "--dialect", "openai", ...flags],
  ];

  it("proposes decisions that can be audited, from content and rules alone", async () => {
    const removal = await planAnswer('{"rationale":"R1 says so.","cited_rule":"R1","decision":"remove"}');
    await serve({ answer: () => removal });
    const workspace = workspaceOf(9);
    const into = join(folder, `proposed${count++}`);
    const { status, stdout, stderr } = await run(deciding(workspace, "--into", into));
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/9 decisions proposed .* 3 unlike the one before/);
    const first = JSON.parse(readFileSync(join(into, "decisions.jsonl"), "utf8").split("\n")[0]!);
    expect(first).toMatchObject({ decision: "remove", cited_rule: "R1", decider: { kind: "model" } });
    expect(first.decider.confidence).toBeGreaterThan(0);
    const audited = cliOk(["audit", "--workspace", into]);
    expect(audited).toMatch(/9 verdicts/);
  });

  it("asks again only what got no proposal", async () => {
    const good = await planAnswer('{"rationale":"x","cited_rule":null,"decision":"approve"}');
    const bad = await planAnswer('{"rationale":"x","cited_rule":null,"decision":"escalate"}');
    let broken = true;
    await serve({ answer: ({ user }) => (broken && user.includes("Post number 3") ? bad : good) });
    const workspace = workspaceOf(6);
    const out = join(folder, `proposals${count++}.jsonl`);
    const first = await run(deciding(workspace, "--out", out));
    expect(first.status).toBe(3);
    expect(first.stderr).toMatch(/1 decision got no proposal; the first: d3/);
    broken = false;
    const second = await run(deciding(workspace, "--out", out));
    expect(second.status, second.stderr).toBe(0);
    expect(second.stdout).toMatch(/1 decision proposed/);
    expect(readFileSync(out, "utf8").trim().split("\n")).toHaveLength(6);
    expect(existsSync(out)).toBe(true);
  });

  it("works with the baseline, which audits both actions", () => {
    const workspace = workspaceOf(5);
    const into = join(folder, `proposed${count++}`);
    cliOk(["decide", "--workspace", workspace, "--decider", "baseline", "--into", into]);
    expect(readFileSync(join(into, "decisions.jsonl"), "utf8").trim().split("\n")).toHaveLength(5);
  });
});

describe("a GGUF file in this process", () => {
  it("audits a workspace, reusing what decisions share, and says so in plain words", { timeout: 120_000 }, async () => {
    const missing = await engineMissing();
    if (missing !== null) return expect(process.platform === "linux" && process.arch === "x64", missing).toBe(false);
    const workspace = join(folder, `gguf${count++}`);
    cliOk(["init", workspace]);
    const rules = "scope: community\ncommunity: c\nversion: '1'\nrules:\n  - {id: R1, title: No links to shops}\n";
    writeFileSync(join(workspace, "rules", "c.yaml"), rules);
    const lines = ["one", "two"].map((content, i) =>
      JSON.stringify({ id: `d${i}`, community: "c", content, decision: "remove" }),
    );
    writeFileSync(join(workspace, "decisions.jsonl"), `${lines.join("\n")}\n`);
    const model = tinyModel({ bias: briefAndValid, context: 16_384 });
    // The shortest prompt: here every byte is a token.
    const flags = [
      "--auditor",
      `gguf:${model}`,
      "--context",
      "16384",
      "--temperature",
      "1",
      "--tier",
      "title",
      "--template",
      "paper",
    ];
    const { status, stdout, stderr } = await run(["audit", "--flip", "0", "--workspace", workspace, ...flags]);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/2 verdicts, 0 unscored, 0 errors/);
    const rows = audits(workspace);
    expect(rows[0]).toMatchObject({ entropy_support: "vocab", logprob_space: "raw" });
    for (const row of rows) expect(row.pds).not.toBeNull();
    const reused = rows.map((row) => row.usage!.cached_input_tokens!).sort((a, b) => a - b);
    expect(reused[0]).toBe(0);
    expect(reused[1]).toBeGreaterThan(rows[0]!.usage!.input_tokens! / 2);
    const probed = await run(["doctor", "--auditor", `gguf:${model}`, "--workspace", workspace]);
    expect(probed.stdout, probed.stderr).toMatch(/price: it costs nothing but time/);
  });
});
