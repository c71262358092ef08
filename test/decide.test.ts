import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeServer, type FakeServerOptions, planAnswer, startFakeServer } from "./fake-models/index.js";
import { cli, cliOk, cliServed, startCli, temporaryFolder } from "./support/cli.js";

const KEY = "sk-test-right-key-0123456789";
const APPROVAL = await planAnswer('{"rationale":"No rule speaks of it.","cited_rule":null,"decision":"approve"}');
const REMOVAL = await planAnswer('{"rationale":"A rule forbids it.","cited_rule":"R1","decision":"remove"}');
const NOTHING = await planAnswer('{"rationale":"I cannot say.","cited_rule":null,"decision":"perhaps"}');
const folder = temporaryFolder();
let count = 0;
let server: FakeServer;
afterEach(() => server?.close());

async function serve(answer: FakeServerOptions["answer"] = () => APPROVAL): Promise<void> {
  server = await startFakeServer({ dialect: "openai", key: KEY, answer });
}

/** A workspace of the sample with this many decisions; `prices` for the models asked here, USD per million tokens. */
function workspaceOf(decisions: number, { prices = "", content = "Post number" } = {}): string {
  const path = join(folder, `ws${count++}`);
  cliOk(["init", path, "--example", "commons-hard"]);
  const lines = Array.from({ length: decisions }, (_, i) =>
    JSON.stringify({ id: `d${i}`, community: "film-club", content: `${content} ${i}`, decision: "remove" }),
  );
  writeFileSync(join(path, "decisions.jsonl"), `${lines.join("\n")}\n`);
  const config = join(path, "defensible.yaml");
  if (prices) writeFileSync(config, `${readFileSync(config, "utf8")}\nprices:\n  ${prices}\n`);
  return path;
}

const newPath = (end = "") => join(folder, `proposed${count++}${end}`);
const recordsIn = (file: string) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const command = (workspace: string, flags: string[], model = "gpt-4.1-mini") => [
  ...["decide", "--workspace", workspace, "--decider", `openai-compatible:${model}`],
  ...["--base-url", server.baseUrl, "--dialect", "openai", ...flags],
];
const env = { OPENAI_API_KEY: KEY };
const start = (...args: Parameters<typeof command>) => startCli(command(...args), { env });
const decide = (...args: Parameters<typeof command>) => cliServed(command(...args), { env });

describe("what decide costs", () => {
  it("is told before, and what it was after", async () => {
    await serve();
    const out = newPath(".jsonl");
    const { status, stdout, stderr } = await decide(workspaceOf(9, { prices: "gpt-4.1-mini: {input: 1, output: 2}" }), [
      "--out",
      out,
    ]);
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/9 calls: about .* tokens in \(counted with o200k on a sample of 9.* about 1\.08 k out/);
    expect(stderr).toMatch(/Cost: about \$\d/);
    // Nine prompts of 1,200 tokens, by the server's count.
    expect(stdout).toMatch(/Used: 10\.8 k tokens in, \d+ out, \$0\.0\d+\./);
  });

  it("is called unknown where the price is, and cannot be limited then", async () => {
    await serve();
    const workspace = workspaceOf(2);
    const limited = await decide(workspace, ["--out", newPath(".jsonl"), "--max-cost", "1"], "my-own-model");
    expect(limited.status).toBe(1);
    expect(limited.stderr).toMatch(/price of openai-compatible:my-own-model is not known/);
    expect(server.questions).toHaveLength(0);
    const json = await decide(workspace, ["--out", newPath(".jsonl"), "--json"], "my-own-model");
    expect(json.stderr).toMatch(/price of this model is not known/);
    const { usage, estimate, proposed } = JSON.parse(json.stdout);
    expect({ usage, proposed }).toMatchObject({ usage: { input_tokens: 2400, cost_usd: null }, proposed: 2 });
    expect(estimate).toMatchObject({ calls: 2, output_tokens: 240, cost_usd: null });
    const text = await decide(workspace, ["--out", newPath(".jsonl")], "my-own-model");
    expect(text.stdout).toMatch(/Used: 2\.40 k tokens in, \d+ out, cost unknown\./);
  });

  it("is only estimated with --dry-run: nothing is asked, and nothing is made", async () => {
    await serve();
    const into = newPath();
    const { status, stdout } = await decide(workspaceOf(10), ["--into", into, "--dry-run"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^10 calls: about/);
    expect(stdout).toMatch(/10 decisions to be proposed\. Nothing was done/);
    expect(server.requests).toHaveLength(0);
    expect(existsSync(into)).toBe(false);
  });

  it("stays under --max-cost, and the rest is only what is left", async () => {
    await serve();
    const workspace = workspaceOf(40, { prices: "gpt-4.1-mini: {input: 1000, output: 1000}" });
    const out = newPath(".jsonl");
    const first = await decide(workspace, ["--out", out, "--max-cost", "20"]);
    expect(first.status, first.stderr).toBe(2);
    expect(first.stderr).toMatch(/limit of \$20\.00/);
    const done = recordsIn(out).length;
    expect(done).toBeGreaterThan(0);
    expect(first.stdout).toContain(`Stopped: ${done} of 40 decisions have a proposal. Repeat the command to continue.`);
    expect(Number(/Used: .*\$([\d.]+)\./.exec(first.stdout)![1])).toBeLessThanOrEqual(20);
    const rest = await decide(workspace, ["--out", out, "--dry-run", "--json"]);
    const { estimate, ...planned } = JSON.parse(rest.stdout);
    expect(planned).toMatchObject({ planned: 40, before: done, proposed: 0, dry_run: true });
    expect(estimate.calls).toBe(40 - done);
    expect(estimate.cost_usd).toBeCloseTo((estimate.input_tokens + estimate.output_tokens) / 1000, 9);
  });
});

describe("decide", () => {
  it("says after Ctrl-C how far it came, and goes on from there", { timeout: 60_000 }, async () => {
    let stall = true;
    await serve(({ index }) => (stall && index > 10 ? { fault: "stall", at: "start", answer: APPROVAL } : APPROVAL));
    const workspace = workspaceOf(30);
    const out = newPath(".jsonl");
    const { child, done } = start(workspace, ["--out", out]);
    while (server.questions.length < 13) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGINT");
    const stopped = await done;
    expect(stopped.status, stopped.stderr).toBe(130);
    const there = recordsIn(out).length;
    expect(stopped.stdout).toContain(`Stopped: ${there} of 30 decisions have a proposal. Repeat the command`);
    expect(stopped.stdout).not.toMatch(/proposed by/);
    stall = false;
    const again = await decide(workspace, ["--out", out]);
    expect(again.stdout, again.stderr).toContain(`${30 - there} decisions proposed by`);
    expect(recordsIn(out)).toHaveLength(30);
  });

  it("never writes into the workspace that the content comes from, however it is spelt", () => {
    const workspace = workspaceOf(2);
    const link = newPath();
    symlinkSync(workspace, link);
    const before = readFileSync(join(workspace, "decisions.jsonl"), "utf8");
    const own = join(link, "decisions.jsonl");
    for (const flags of [workspace, `${workspace}/`, `${workspace}/rules/..`, link].map((dir) => ["--into", dir])) {
      const refused = cli(["decide", "--workspace", workspace, "--decider", "baseline", ...flags]);
      expect(refused.status, flags.join(" ")).toBe(1);
      expect(refused.stderr).toMatch(/--into is the workspace itself/);
    }
    const refused = cli(["decide", "--workspace", workspace, "--decider", "baseline", "--out", own]);
    expect(refused.stderr).toMatch(/belongs to the workspace.s own files/);
    expect(readFileSync(own, "utf8")).toBe(before);
  });

  it("does not mix the proposals of two deciders, nor write behind what is none", async () => {
    await serve();
    const workspace = workspaceOf(4);
    const into = newPath();
    const baseline = ["decide", "--workspace", workspace, "--decider", "baseline"];
    cliOk([...baseline, "--into", into, "--limit", "2"]);
    const file = join(into, "decisions.jsonl");
    const before = readFileSync(file, "utf8");
    for (const flags of [
      ["--into", into],
      ["--out", file],
    ]) {
      const refused = await decide(workspace, flags);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(/by baseline, and the decider is openai-compatible:gpt-4\.1-mini/);
    }
    expect(server.requests).toHaveLength(0);
    expect(readFileSync(file, "utf8")).toBe(before);
    const letter = newPath(".txt");
    writeFileSync(letter, "Dear all");
    expect(cli([...baseline, "--out", letter]).stderr).toMatch(/is no file of proposals/);
    expect(readFileSync(letter, "utf8")).toBe("Dear all");
    writeFileSync(file, `${before}{"id":"d3","conte`);
    expect(cliOk([...baseline, "--into", into])).toMatch(/^2 decisions proposed by baseline \(2 were there\)/);
    expect(recordsIn(file).map(({ id }) => id)).toEqual(["d0", "d1", "d2", "d3"]);
  });

  it("puts back into reasons what --scrub hid from the model", async () => {
    const answer = await planAnswer('{"rationale":"It shows [EMAIL_1].","cited_rule":null,"decision":"remove"}');
    await serve(() => answer);
    const out = newPath(".jsonl");
    const { status, stderr } = await decide(workspaceOf(1, { content: "Write to jo.doe@example.org, number" }), [
      ...["--out", out, "--scrub"],
    ]);
    expect(status, stderr).toBe(0);
    expect(server.requests.map(({ text }) => text).join()).not.toContain("jo.doe");
    expect(recordsIn(out)[0].rationale).toBe("It shows jo.doe@example.org.");
  });

  it("names the commonest reason where answers are of no use, and counts what they cost", async () => {
    const cut = await planAnswer('{"rationale":"It goes on and', { finish: "length" });
    const refusal = await planAnswer("I cannot help with that.", { finish: "refusal" });
    await serve(({ user }) => (user.includes("number 0") ? cut : refusal));
    const out = newPath(".jsonl");
    const flags = ["--out", out, "--concurrency", "1"];
    const { status, stderr, stdout } = await decide(workspaceOf(6), flags);
    expect(status).toBe(3);
    expect(stderr).toMatch(/6 decisions got no proposal; the first: d0: the answer was cut off/);
    expect(stderr).toMatch(/The commonest reason \(5 of 6\): the model refused to answer/);
    expect(stdout).toMatch(/^0 decisions proposed/);
    expect(stdout).toMatch(/Used: 7\.20 k tokens in/);
  });

  it("says so when nothing is selected, and two at once do not write one file", { timeout: 60_000 }, async () => {
    const workspace = workspaceOf(30);
    const none = cli([
      "decide",
      "--workspace",
      workspace,
      "--decider",
      "baseline",
      "--out",
      newPath(),
      "--communities",
      "no",
    ]);
    expect(none.status).toBe(1);
    expect(none.stderr).toMatch(/no decision is of no\n/);
    await serve(() => ({ fault: "slow", ms: 700, answer: APPROVAL }));
    const out = newPath(".jsonl");
    const flags = ["--out", out, "--concurrency", "4"];
    const both = await Promise.all([start(workspace, flags).done, start(workspace, flags).done]);
    expect(both.map(({ status }) => status).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr).join()).toMatch(/another process is writing it/);
    expect(recordsIn(out)).toHaveLength(30);
  });
});

describe("decisions that are proposed several times", () => {
  it("say how often the action changes; the first proposal is the decision", async () => {
    // Of six answers about the first post two are removals, and one names no action.
    await serve(({ user }) =>
      user.includes("Post number 0") ? [APPROVAL, REMOVAL, APPROVAL, NOTHING, APPROVAL, REMOVAL] : APPROVAL,
    );
    const out = newPath(".jsonl");
    const flags = ["--out", out, "--replicates", "6", "--temperature", "0.7"];
    const { status, stdout, stderr } = await decide(workspaceOf(3), [...flags, "--json"]);
    expect(status, stderr).toBe(0);
    expect(recordsIn(out).map(({ id, decision, decider }) => [id, decision, decider.replicates])).toEqual([
      ["d0", "approve", { remove: 2, approve: 3 }],
      ["d1", "approve", { remove: 0, approve: 6 }],
      ["d2", "approve", { remove: 0, approve: 6 }],
    ]);
    const { replicates, proposed, flips } = JSON.parse(stdout);
    expect({ replicates, proposed }).toEqual({ replicates: 6, proposed: 3 });
    // Six of the ten pairs of d0's five proposals differ.
    expect(flips).toMatchObject({
      n: 3,
      of: 3,
      flip_rate: { estimate: expect.closeTo(0.2, 12) },
      off_dominant: { k: 2, n: 17 },
      flipped: { k: 1, n: 3 },
    });
    expect(flips.decisions).toEqual([
      {
        id: "d0",
        community: "film-club",
        decision: "approve",
        shares: { remove: 0.4, approve: 0.6 },
        proposals: 5,
        flip_rate: expect.closeTo(0.6, 12),
      },
    ]);
  });

  it("are counted again when the command is repeated, and asked no more", async () => {
    await serve();
    const workspace = workspaceOf(4);
    const out = newPath(".jsonl");
    await decide(workspace, ["--out", out, "--limit", "2"]);
    const flags = ["--out", out, "--replicates", "3", "--temperature", "1"];
    expect((await decide(workspace, flags)).stdout).toMatch(
      /2 of the 4 in the file were\s+proposed once and are left out/,
    );
    const asked = server.questions.length;
    const again = await decide(workspace, flags);
    expect(again.stdout).toMatch(/0 decisions proposed by .*4 were there.*[\s\S]*chance that two proposals/);
    expect(server.questions.length).toBe(asked);
  });

  it("are refused on a file with more proposals of a decision: its flips are of other proposals", () => {
    const workspace = workspaceOf(6);
    const out = newPath(".jsonl");
    const often = (replicates: string, ...more: string[]) =>
      cli([
        ...["decide", "--workspace", workspace, "--decider", "baseline", "--temperature", "1", "--json"],
        ...["--replicates", replicates, "--out", out, ...more],
      ]);
    expect(JSON.parse(often("8", "--limit", "4").stdout)).toMatchObject({
      replicates: 8,
      flips: { proposals: { least: 8, most: 8 } },
    });
    const before = readFileSync(out, "utf8");
    expect(often("5")).toMatchObject({ status: 1, stderr: expect.stringMatching(/decisions with 8 proposals/) });
    expect(readFileSync(out, "utf8")).toBe(before);
    // More than there are may be due to answers without an action: told, not refused.
    expect(JSON.parse(often("10").stdout)).toMatchObject({ flips: { proposals: { least: 8, most: 10 } } });
  });

  it("vary with the baseline as its temperature says, and not at all at 0", () => {
    const workspace = workspaceOf(6);
    const flips = (temperature: string) => {
      const { stdout, stderr } = cli([
        ...["decide", "--workspace", workspace, "--decider", "baseline", "--replicates", "10", "--json"],
        ...["--temperature", temperature, "--out", newPath(".jsonl")],
      ]);
      return { ...JSON.parse(stdout).flips, stderr };
    };
    expect(flips("0")).toMatchObject({ flipped: { k: 0, n: 6 }, stderr: expect.stringMatching(/repeats itself/) });
    expect(flips("1").off_dominant).toMatchObject({ n: 60 });
  });
});
