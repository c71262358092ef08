import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { type Audit, auditSchema } from "../src/core/records/audit.js";
import { type PromptLine, promptLineSchema } from "../src/core/records/prompt-line.js";
import { checkStrictSchema } from "./fake-models/check-strict-schema.js";
import { type FakeServer, type Planned, planAnswer, startFakeServer, traceText } from "./fake-models/index.js";
import { CLI, cli, cliOk, cliServed, startCli, temporaryFolder } from "./support/cli.js";
import { shell } from "./support/shell.js";

const folder = temporaryFolder();
let count = 0;

function sample(): string {
  const path = join(folder, `ws${count++}`);
  cliOk(["init", path, "--example"]);
  return path;
}

const newFile = (name = "file.jsonl") => join(folder, `${count++}-${name}`);

function prompts(workspace: string, ...flags: string[]): PromptLine[] {
  const out = newFile();
  cliOk(["prompts", "--workspace", workspace, "--out", out, ...flags]);
  const lines = readFileSync(out, "utf8").trim().split("\n").filter(Boolean);
  return lines.map((line) => promptLineSchema.parse(JSON.parse(line)));
}

/** A gateway with a model whose answer depends on the prompt and the draw alone. */
function answerTo({ key, id }: PromptLine, more: object = {}): string {
  const byte = createHash("sha256").update(id).digest()[0]!;
  const text = JSON.stringify({
    logic_chain: `because of ${id}`,
    policy_citation: "P1",
    precedent_weight: ["Low", "Medium", "High"][byte % 3],
    inverse_check: byte % 5 === 0 ? "Yes" : "No",
    defensibility_level: 1 + (byte % 3),
  });
  return JSON.stringify({ key, model: "house-model", text, ...more });
}

function answersFile(lines: readonly string[], name?: string): string {
  const path = newFile(name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

function audit(workspace: string, file: string, ...flags: string[]) {
  const { status, stdout, stderr } = cli([
    "audit",
    "--workspace",
    workspace,
    "--auditor",
    `answers:${file}`,
    "--json",
    ...flags,
  ]);
  return { status, stderr, result: stdout ? JSON.parse(stdout) : null };
}

function exported(workspace: string): Audit[] {
  const out = newFile();
  const [run] = readdirSync(join(workspace, "runs"));
  cliOk(["export", "--workspace", workspace, "--run", run!, "--format", "jsonl", "--out", out]);
  return readFileSync(out, "utf8")
    .trim()
    .split("\n")
    .map((line) => auditSchema.parse(JSON.parse(line)));
}

/** What an audit says, without when and how long. */
const said = (audits: readonly Audit[]) =>
  audits
    .map(({ run_id: _, created_at: __, latency_ms: ___, read: ____, ...rest }) => rest)
    .sort((a, b) => (`${a.decision_id} ${a.arm} ${a.replicate}` < `${b.decision_id} ${b.arm} ${b.replicate}` ? -1 : 1));

const FLAGS = ["--signal", "none", "--sample", "12", "--flip", "4"];

describe("prompts out, answers in", () => {
  it("audits what a gateway answered, opposites too", () => {
    const workspace = sample();
    const lines = prompts(workspace, ...FLAGS);
    expect(lines).toHaveLength(16);
    expect(lines.filter(({ arm }) => arm !== "")).toHaveLength(4);
    const { status, result } = audit(workspace, answersFile(lines.map((line) => answerTo(line))), ...FLAGS);
    expect(status).toBe(0);
    expect(result).toMatchObject({
      status: "sealed",
      counts: { verdicts: 12, unscored: 0, errors: 0 },
      flip: { verdicts: 4 },
    });
    expect(result.answers).toMatchObject({ answers: 16, used: 16, missing: 0, extra: 0, malformed: 0, foreign: 0 });
    const audits = exported(workspace);
    expect(new Set(audits.map(({ auditor }) => auditor))).toEqual(new Set(["answers:house-model"]));
    for (const { decision_id, arm, trace } of audits) {
      const line = lines.find((one) => one.decision_id === decision_id && one.arm === arm)!;
      expect(trace?.logic_chain).toBe(`because of ${line.id}`);
    }
  });

  it("leaves the run open where answers are missing, and goes on when the file has grown", () => {
    const workspace = sample();
    const answers = prompts(workspace, ...FLAGS).map((line) => answerTo(line));
    const first = audit(workspace, answersFile(answers.slice(0, 5)), ...FLAGS);
    expect(first.status).toBe(0);
    expect(first.result).toMatchObject({
      status: "waiting",
      counts: { verdicts: 5, errors: 0 },
      answers: { missing: 11 },
    });
    const second = audit(workspace, answersFile(answers, "elsewhere.jsonl"), ...FLAGS);
    expect(second.result).toMatchObject({
      status: "sealed",
      continued: true,
      run_id: first.result.run_id,
      answers: { used: 16 },
    });
    const whole = sample();
    audit(whole, answersFile(answers), ...FLAGS);
    expect(said(exported(workspace))).toEqual(said(exported(whole)));
  });

  it("reads gzip, a byte order mark and Windows line ends as the plain file", () => {
    const answers = (workspace: string) => prompts(workspace, ...FLAGS).map((line) => answerTo(line));
    const forms = ["plain", "windows", "gzip"].map((form) => {
      const workspace = sample();
      const file = newFile(form);
      const text = answers(workspace).join("\r\n");
      if (form === "plain") writeFileSync(file, text.replaceAll("\r", ""));
      else writeFileSync(file, form === "gzip" ? gzipSync(text) : `\ufeff${text}\r\n`);
      expect(audit(workspace, file, ...FLAGS).result).toMatchObject({ status: "sealed" });
      return said(exported(workspace));
    });
    expect(forms[1]).toEqual(forms[0]);
    expect(forms[2]).toEqual(forms[0]);
  });

  it("counts what is of no use, with its first line", () => {
    const workspace = sample();
    const lines = prompts(workspace, ...FLAGS);
    const answers = lines.slice(1).map((line) => answerTo(line));
    const file = answersFile([
      "{ torn",
      '{"text":"no key"}',
      '{"key":"42","text":"foreign"}',
      JSON.stringify({ key: lines[0]!.key, error: "rate limited" }),
      JSON.stringify({ key: `p1${"0".repeat(32)}`, text: "extra" }),
      answers[0]!,
      ...answers,
    ]);
    const { result } = audit(workspace, file, ...FLAGS);
    expect(result.status).toBe("waiting");
    expect(result.answers).toMatchObject({
      ...{ answers: 17, used: 15, missing: 1, extra: 1, spare: 1, malformed: 2, foreign: 1, failed: 1 },
      first: { malformed: { line: 1 }, foreign: { line: 3 }, failed: { line: 4, words: "rate limited" } },
    });
  });

  it("leaves out what is answered, and says so", () => {
    const workspace = sample();
    const lines = prompts(workspace, ...FLAGS);
    const file = answersFile(lines.slice(0, 10).map((line) => answerTo(line)));
    const open = prompts(workspace, ...FLAGS, "--answers", file);
    expect(open.map(({ id }) => id)).toEqual(lines.slice(10).map(({ id }) => id));
    const out = newFile();
    const { result, stderr } = audit(workspace, file, ...FLAGS, "--prompts", out);
    expect(result).toMatchObject({ status: "waiting", prompts: { written: 6, answered: 10 } });
    expect(stderr).toContain("Wrote 6 prompts");
    const asked = readFileSync(out, "utf8").trim().split("\n");
    expect(asked.map((line) => (JSON.parse(line) as PromptLine).id)).toEqual(open.map(({ id }) => id));
    const whole = answersFile(lines.map((line) => answerTo(line)));
    expect(audit(workspace, whole, ...FLAGS, "--prompts", out).result).toMatchObject({ status: "sealed" });
    expect(readFileSync(out, "utf8")).toBe("");
  });

  it("writes no prompt twice: equal decisions are answered together", () => {
    const workspace = sample();
    const text = readFileSync(join(workspace, "decisions.jsonl"), "utf8").trim().split("\n").slice(0, 3);
    const twins = text.map((line) => JSON.stringify({ ...JSON.parse(line), id: `twin-${JSON.parse(line).id}` }));
    writeFileSync(join(workspace, "decisions.jsonl"), `${[...text, ...twins].join("\n")}\n`);
    const flags = ["--signal", "none", "--flip", "0"];
    const lines = prompts(workspace, ...flags);
    expect(lines).toHaveLength(3);
    const { result } = audit(workspace, answersFile(lines.map((line) => answerTo(line))), ...flags);
    expect(result).toMatchObject({ status: "sealed", counts: { verdicts: 6 }, answers: { used: 3 } });
  });

  it("takes draws for replicates, and leaves an audit open until its own draw is there", () => {
    const workspace = sample();
    const flags = ["--signal", "none", "--flip", "0", "--limit", "3", "--replicates", "4"];
    const lines = prompts(workspace, ...flags);
    expect(lines.map(({ draw, replicate }) => draw - replicate)).toEqual(lines.map(() => 1));
    expect(new Set(lines.map(({ key }) => key)).size).toBe(3);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(12);
    // Without their numbers, draws are those of the file's order.
    const part = audit(
      workspace,
      answersFile(lines.filter(({ draw }) => draw < 3).map((line) => answerTo(line))),
      ...flags,
    );
    expect(part.result).toMatchObject({ status: "waiting", counts: { verdicts: 6 }, answers: { missing: 6 } });
    const file = answersFile(lines.toReversed().map((line) => answerTo(line, { key: line.id })));
    expect(audit(workspace, file, ...flags).result).toMatchObject({ status: "sealed", counts: { verdicts: 12 } });
    for (const { decision_id, replicate, trace } of exported(workspace)) {
      const line = lines.find((one) => one.decision_id === decision_id && one.replicate === replicate)!;
      expect(trace?.logic_chain).toBe(`because of ${line.id}`);
    }
  });

  it("does not care for settings that a gateway may not give, and records those that were asked for", () => {
    const workspace = sample();
    const lines = prompts(workspace, ...FLAGS, "--temperature", "1.5");
    expect(lines[0]!.settings.temperature).toBe(1.5);
    const file = answersFile(lines.map((line) => answerTo(line)));
    expect(audit(workspace, file, ...FLAGS, "--temperature", "0").result).toMatchObject({ status: "sealed" });
    expect(exported(workspace)[0]!.temperature).toBe(0);
  });

  it("never takes an answer for another question: other rules have other keys", () => {
    const workspace = sample();
    const file = answersFile(prompts(workspace, ...FLAGS).map((line) => answerTo(line)));
    const { result } = audit(workspace, file, ...FLAGS, "--tier", "title");
    expect(result).toMatchObject({ status: "waiting", counts: { verdicts: 0 }, answers: { extra: 16, missing: 16 } });
  });

  it("hides what --scrub hides, and finds the answers under the same flag alone", () => {
    const workspace = sample();
    const [first] = readFileSync(join(workspace, "decisions.jsonl"), "utf8").split("\n");
    const decision = { ...JSON.parse(first!), id: "mail", content: "Write to ann@example.org now" };
    writeFileSync(join(workspace, "decisions.jsonl"), `${JSON.stringify(decision)}\n`);
    const flags = ["--signal", "none", "--flip", "0"];
    const [line] = prompts(workspace, ...flags, "--scrub");
    expect(JSON.stringify(line)).not.toContain("ann@example.org");
    const file = answersFile([answerTo(line!)]);
    expect(audit(workspace, file, ...flags).result).toMatchObject({ status: "waiting" });
    expect(audit(workspace, file, ...flags, "--scrub").result).toMatchObject({ status: "sealed" });
  });

  it("scores only what fits the schema", () => {
    const workspace = sample();
    const flags = ["--signal", "none", "--flip", "0", "--limit", "3"];
    const [a, b, c] = prompts(workspace, ...flags).map(({ key }) => key);
    const file = answersFile([
      JSON.stringify({ key: a, text: "I think it is fine." }),
      JSON.stringify({ key: b, answer: { defensibility_level: 7 } }),
      JSON.stringify({ key: c, text: "", finish_reason: "content_filter" }),
    ]);
    const { status, result } = audit(workspace, file, ...flags);
    expect(result).toMatchObject({ status: "sealed", counts: { verdicts: 0, unscored: 3, errors: 0 } });
    expect(status).toBe(3);
  });

  it("refuses probabilities that the answers do not have, with what they can give", () => {
    const workspace = sample();
    const flags = ["--flip", "0", "--limit", "2"];
    const lines = prompts(workspace, ...flags);
    expect(lines[0]!.settings).toMatchObject({ logprobs: true, top_logprobs: 20 });
    const { status, stderr } = audit(workspace, answersFile(lines.map((line) => answerTo(line))), ...flags);
    expect(status).toBe(1);
    expect(stderr).toContain('answers:house-model cannot give "logprobs"');
    expect(stderr).toContain("--signal sampling, --signal none");
  });

  it("writes prompts into a pipe, and leaves nothing behind when it is stopped", async () => {
    const workspace = sample();
    const args = ["prompts", "--workspace", workspace, "--signal", "none", "--flip", "0"];
    const script = (rest: string) =>
      spawnSync("bash", ["-c", `node ${CLI} ${args.join(" ")} ${rest}`], { encoding: "utf8" });
    expect(script("--limit 3 --out /dev/stdout | wc -l").stdout.trim()).toBe("3");
    const closed = script("--out /dev/stdout | head -c 10");
    expect(closed.stderr).toContain("its reader has gone");
    const out = join(workspace, "prompts.jsonl");
    const { child, done } = startCli([...args, "--replicates", "1000", "--out", out]);
    const begun = () =>
      readdirSync(workspace).some((name) => /tmp$/.test(name) && statSync(join(workspace, name)).size > 0);
    while (!begun()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    expect(await done).toMatchObject({ status: 130, stderr: expect.stringContaining("Nothing was written.") });
    expect(readdirSync(workspace).filter((name) => /prompts/.test(name))).toEqual([]);
  });

  it("survives kill -9 at any byte of the run", () => {
    const template = sample();
    writeFileSync(join(template, "content.key"), `${"5a".repeat(32)}\n`);
    const flags = ["--signal", "none", "--flip", "10"];
    const answers = prompts(template, ...flags).map((line) => answerTo(line));
    const file = newFile("packed.gz");
    writeFileSync(file, gzipSync(answers.join("\n")));
    const whole = sample();
    audit(whole, file, ...flags);
    for (const byte of ["1", "30000", "250001"]) {
      const workspace = sample();
      const args = ["audit", "--workspace", workspace, "--auditor", `answers:${file}`, ...flags];
      expect(cli(args, { kill: { KILL_AT_BYTE: byte } }).signal).toBe("SIGKILL");
      expect(audit(workspace, file, ...flags).result).toMatchObject({ status: "sealed", continued: true });
      expect(said(exported(workspace))).toEqual(said(exported(whole)));
    }
  });
});

describe("experiments with answers from a file", () => {
  it("compare both sides of a rewrite; the old one is answered by the audit's own answers", () => {
    const workspace = sample();
    const rules = readdirSync(join(workspace, "rules")).find((name) => /ask-anything/.test(name))!;
    const text = readFileSync(join(workspace, "rules", rules), "utf8");
    const rewritten = newFile("new-rules.yaml");
    writeFileSync(rewritten, text.replace(/title: (.*)/, "title: $1, and nothing else"));
    const flags = ["--signal", "none"];
    const both = prompts(workspace, ...flags, "--rules", rewritten);
    const arms = [...new Set(both.map(({ arm }) => arm))];
    expect(arms).toHaveLength(2);
    const own = prompts(workspace, ...flags, "--flip", "0").map((line) => answerTo(line));
    const open = prompts(workspace, ...flags, "--rules", rewritten, "--answers", answersFile(own));
    expect(new Set(open.map(({ arm }) => arm)).size).toBe(1);
    expect(open).toHaveLength(both.length / 2);
    const direct = newFile();
    cliOk(["rules", "diff", rewritten, "--workspace", workspace, ...flags, "--prompts", direct]);
    const listed = readFileSync(direct, "utf8").trim().split("\n");
    expect(listed.map((line) => JSON.parse(line).id)).toEqual(both.map(({ id }) => id));
    const args = (file: string) => [
      "rules",
      "diff",
      rewritten,
      "--workspace",
      workspace,
      ...flags,
      "--auditor",
      `answers:${file}`,
    ];
    const waiting = cli(args(answersFile(own)));
    expect(waiting.status).toBe(0);
    expect(waiting.stderr).toContain("is waiting for answers");
    const file = answersFile([...own, ...open.map((line) => answerTo(line))]);
    const stdout = cliOk([...args(file), "--json"]);
    const result = JSON.parse(stdout);
    expect(result.experiment).toBe("diff");
    expect(result.runs).toEqual(readdirSync(join(workspace, "runs")));
  });

  it("compare tiers", () => {
    const workspace = sample();
    const flags = ["--signal", "none", "--limit", "8"];
    const lines = prompts(workspace, ...flags, "--tiers", "title,wiki");
    expect(new Set(lines.map(({ tier }) => tier))).toEqual(new Set(["title", "wiki"]));
    const file = answersFile(lines.map((line) => answerTo(line)));
    const stdout = cliOk([
      "rules",
      "tiers",
      "--tiers",
      "title,wiki",
      "--workspace",
      workspace,
      ...flags,
      "--auditor",
      `answers:${file}`,
      "--json",
    ]);
    expect(JSON.parse(stdout).experiment).toBe("tiers");
  });

  it("go from pass to pass where later questions depend on earlier answers, each arm with its own draws", () => {
    const workspace = sample();
    const file = newFile("answers.jsonl");
    const open = newFile();
    const args = [
      ...["stability", "--workspace", workspace, "--signal", "none", "--limit", "6", "--cases", "2", "--pilot", "3"],
      ...["--temperatures", "0.3,1", "--replicates", "6", "--prompts", open],
      ...["--auditor", `answers:${file}`, "--json"],
    ];
    // Before the first answer there is no file yet.
    cliOk(args);
    const rounds: number[] = [];
    for (let round = 0; round < 20; round++) {
      const lines = readFileSync(open, "utf8")
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as PromptLine);
      if (lines.length === 0) break;
      rounds.push(lines.length);
      for (const line of lines) appendFileSync(file, `${answerTo(line, { key: line.id })}\n`);
      cliOk(args);
    }
    expect(rounds.length).toBeGreaterThan(1);
    const audits = exported(workspace);
    expect(new Set(audits.map(({ arm }) => arm)).size).toBe(3);
    // No answer serves two of the pilot and the temperatures: cases must not be chosen by the draws that measure them.
    expect(new Set(audits.map(({ trace }) => trace!.logic_chain)).size).toBe(audits.length);
  });
});

describe("other commands with answers from a file", () => {
  const flags = ["--signal", "none", "--limit", "6"];

  it("experiment dual corrects an audit of the same answers, whatever their files are called", () => {
    const workspace = sample();
    const out = newFile();
    const dual = ["experiment", "dual", "--workspace", workspace, ...flags];
    cliOk([...dual, "--prompts", out]);
    const lines = readFileSync(out, "utf8").trim().split("\n");
    const answers = lines.map((line) => answerTo(JSON.parse(line)));
    const { result } = audit(workspace, answersFile(answers), ...flags, "--flip", "0");
    expect(result).toMatchObject({ status: "sealed", answers: { extra: 6 } });
    const corrected = cliOk([
      ...dual,
      "--auditor",
      `answers:${answersFile(answers)}`,
      "--correct",
      result.run_id,
      "--json",
    ]);
    expect(JSON.parse(corrected).experiment).toBe("dual");
  });

  it("decide refuses them, and the second question of attack run is not asked", () => {
    const workspace = sample();
    const file = answersFile(prompts(workspace, ...flags, "--flip", "0").map((line) => answerTo(line)));
    const decide = cli(["decide", "--decider", `answers:${file}`, "--workspace", workspace, "--out", newFile()]);
    expect(decide.status).toBe(1);
    expect(decide.stderr).toContain("are audits, not decisions");
    audit(workspace, file, ...flags, "--flip", "0");
    const cases = newFile("cases.jsonl");
    cliOk(["attack", "build", "--workspace", workspace, "--out", cases]);
    const out = newFile();
    const attack = ["attack", "run", cases, "--workspace", workspace, "--signal", "none", "--ask-scope"];
    cliOk([...attack, "--prompts", out]);
    const lines = readFileSync(out, "utf8").trim().split("\n");
    const answers = answersFile(lines.map((line) => answerTo(JSON.parse(line))));
    const { status, stderr } = cli([...attack, "--auditor", `answers:${answers}`]);
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("Second question: not asked.");
  });

  it("doctor says what a file holds, and a pipe is read as a file", () => {
    const workspace = sample();
    const file = answersFile(
      prompts(workspace, ...flags, "--flip", "0").map((line) => answerTo(line, { model: undefined })),
    );
    const doctor = cli(["doctor", "--auditor", `answers:${file}`, "--workspace", workspace]);
    expect(`${doctor.stdout}${doctor.stderr}`).toContain("do not name their model");
    const script = `node ${CLI} audit --workspace ${workspace} ${flags.join(" ")} --flip 0 --auditor answers:<(cat ${file})`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("6 verdicts");
  });

  it("the library gives what is answered, then says how much is not", async () => {
    const workspace = sample();
    const lines = prompts(workspace, ...flags, "--flip", "0");
    const file = answersFile(lines.slice(0, 4).map((line) => answerTo(line)));
    const { defensible } = await import("../src/index.js");
    const decisions = readFileSync(join(workspace, "decisions.jsonl"), "utf8")
      .split("\n")
      .slice(0, 6)
      .map((line) => JSON.parse(line));
    const d = await defensible({ workspace, auditor: `answers:${file}`, signal: "none" });
    const given: string[] = [];
    const all = async () => {
      for await (const { decision_id } of d.auditAll(decisions)) given.push(decision_id);
    };
    await expect(all()).rejects.toMatchObject({ code: "answer_pending", message: expect.stringContaining("2 audits") });
    expect(given).toHaveLength(4);
    await d.close();
  });
});

describe("answers by file and answers by call", () => {
  const KEY = "sk-test-right-key-0123456789";
  let server: FakeServer;
  afterEach(() => server.close());

  /** What the model says depends on the question, and on which of several answers it is. */
  async function say(user: string, draw: number): Promise<Planned> {
    const [level, weight, inverse] = createHash("sha256").update(`${user} ${draw}`).digest();
    const text = traceText({
      logic_chain: `Because of ${level}.`,
      precedent_weight: ["Low", "Medium", "High"][weight! % 3]!,
      inverse_check: inverse! % 4 === 0 ? "Yes" : "No",
      defensibility_level: 1 + (level! % 3),
    });
    return planAnswer(text, { seed: `${level} ${weight}` });
  }

  interface ChatBody {
    model: string;
    usage: object;
    choices: [{ message: { content: string }; logprobs: object; finish_reason: string }];
  }

  /** Sends prompts on to the model, as a gateway of one's own does. */
  async function gateway(lines: readonly PromptLine[]): Promise<string[]> {
    const answers: string[] = [];
    for (const { key, messages, settings, response_name, response_schema } of lines) {
      const response = await fetch(`${server.baseUrl}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
        body: JSON.stringify({
          ...{ model: "gpt-4.1-mini", messages, temperature: settings.temperature, logprobs: settings.logprobs },
          ...{ top_logprobs: settings.top_logprobs, max_completion_tokens: settings.max_tokens },
          response_format: {
            type: "json_schema",
            json_schema: { name: response_name, schema: response_schema, strict: true },
          },
        }),
      });
      expect(response.status, await response.clone().text()).toBe(200);
      const { model, usage, choices } = (await response.json()) as ChatBody;
      const [{ message, logprobs, finish_reason }] = choices;
      answers.push(
        JSON.stringify({ key, model, usage, finish_reason, text: message.content, logprobs, logprob_space: "raw" }),
      );
    }
    return answers;
  }

  const call = (workspace: string, ...flags: string[]) =>
    cliServed(
      [
        ...["audit", "--workspace", workspace, "--auditor", "openai-compatible:gpt-4.1-mini"],
        ...["--base-url", server.baseUrl, "--dialect", "openai", ...flags],
      ],
      { env: { OPENAI_API_KEY: KEY } },
    );

  /** Without who audited, how long it took and what it cost. */
  const bare = (workspace: string) =>
    said(exported(workspace)).map(({ auditor: _, auditor_version: __, attempts: ___, usage, ...rest }) => ({
      ...rest,
      usage: usage && { ...usage, cost_usd: null },
    }));

  it("are equal audits, with probabilities", async () => {
    server = await startFakeServer({ dialect: "openai", key: KEY, answer: ({ user }) => say(user, 0) });
    const flags = ["--sample", "10", "--flip", "3", "--temperature", "0.7"];
    const [called, read] = [sample(), sample()];
    const { status, stderr } = await call(called, ...flags);
    expect(status, stderr).toBe(0);
    const file = answersFile(await gateway(prompts(read, ...flags)));
    expect(audit(read, file, ...flags).result).toMatchObject({ status: "sealed", counts: { verdicts: 10 } });
    const audits = bare(read);
    expect(audits).toEqual(bare(called));
    expect(audits.every(({ level_probs, pds }) => level_probs !== null && pds !== null)).toBe(true);
  });

  it("are equal audits over several draws", async () => {
    server = await startFakeServer({
      ...{ dialect: "openai", key: KEY },
      answer: ({ user, answers }) => Promise.all(Array.from({ length: answers }, (_, draw) => say(user, draw))),
    });
    const flags = ["--sample", "5", "--flip", "0", "--temperature", "0.7", "--signal", "sampling", "--samples", "6"];
    const [called, read] = [sample(), sample()];
    expect((await call(called, ...flags)).status).toBe(0);
    const lines = prompts(read, ...flags);
    expect(lines).toHaveLength(30);
    const drawn = async ({ key, draw, messages }: PromptLine) =>
      JSON.stringify({ key, text: (await say(messages[1]!.content, draw - 1)).text });
    const answers = await Promise.all(lines.map(drawn));
    expect(audit(read, answersFile(answers.slice(0, -1)), ...flags).result).toMatchObject({ answers: { missing: 1 } });
    expect(audit(read, answersFile(answers), ...flags).result).toMatchObject({ status: "sealed" });
    const ofBoth = [read, called].map((workspace) => bare(workspace).map(({ usage: _, ...rest }) => rest));
    expect(ofBoth[0]).toEqual(ofBoth[1]);
    expect(ofBoth[0]!.every(({ samples, level_probs }) => samples === 6 && level_probs !== null)).toBe(true);
  });
});

describe("docs/answers.md", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "docs", "answers.md"), "utf8");
  const blocks = [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    language,
    text: text!,
  }));
  const jq = blocks.filter(({ text }) => text.startsWith("jq"));
  const hasJq = spawnSync("jq", ["--version"]).status === 0;

  it("leads from prompts through a gateway to a report", async () => {
    const plan = await planAnswer(traceText());
    const server = await startFakeServer({ dialect: "openai", key: "token", answer: () => plan });
    const workspace = sample();
    const script = blocks.find(({ language }) => language === "js")!.text;
    writeFileSync(join(workspace, "gateway.mjs"), script);
    try {
      const env = { GATEWAY_URL: server.baseUrl, GATEWAY_TOKEN: "token" };
      const output = await shell(blocks[0]!.text, workspace, { env });
      expect(output).toMatch(/Finished run \S+: 20 verdicts, 0 unscored, 0 errors/);
      expect(output).toContain("auditor answers:gpt-4.1-mini");
    } finally {
      await server.close();
    }
  });

  const trace = (id: string) => JSON.parse(JSON.parse(answerTo({ key: id, id } as PromptLine)).text) as object;

  /** What a batch service gives back for each block of jq. */
  const services = {
    "requests.json": (text: string) =>
      (JSON.parse(text).requests as { custom_id: string; params: { model: string; messages: object[] } }[]).map(
        ({ custom_id, params: { model, messages } }) => ({
          custom_id,
          result: {
            type: "succeeded",
            message: {
              model,
              content: [{ type: "text", text: JSON.stringify(trace(custom_id)) }],
              asked: messages.length,
            },
          },
        }),
      ),
    "records.jsonl": (text: string) =>
      lines(text).map(({ recordId, modelInput }) => ({
        ...{ recordId, modelInput },
        modelOutput: { model: "claude-x", content: [{ type: "text", text: JSON.stringify(trace(recordId)) }] },
      })),
    "batch.jsonl": (text: string) =>
      lines(text).map(({ custom_id, body }) => {
        expect(checkStrictSchema(body.response_format.json_schema)).toBeNull();
        const message = { role: "assistant", content: JSON.stringify(trace(custom_id)) };
        const answer = { model: body.model, choices: [{ index: 0, message, finish_reason: "stop" }] };
        return { id: "batch_req_1", custom_id, response: { status_code: 200, body: answer }, error: null };
      }),
  };

  // biome-ignore lint/suspicious/noExplicitAny: whatever a provider's line holds
  const lines = (text: string): any[] =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  it.skipIf(!hasJq)("makes requests for batch services, whose output files are answers", async () => {
    const flags = ["--signal", "none", "--flip", "2", "--limit", "4", "--replicates", "2"];
    for (const [file, service] of Object.entries(services)) {
      const workspace = sample();
      cliOk(["prompts", "--workspace", workspace, "--out", join(workspace, "prompts.jsonl"), ...flags]);
      await shell(jq.find(({ text }) => text.includes(`> ${file}`))!.text, workspace);
      const results = service(readFileSync(join(workspace, file), "utf8"));
      const { result } = audit(workspace, answersFile(results.map((one) => JSON.stringify(one))), ...flags);
      expect(result, file).toMatchObject({ status: "sealed", counts: { verdicts: 8 }, flip: { verdicts: 2 } });
      for (const { trace, replicate } of exported(workspace)) expect(trace!.logic_chain).toMatch(`n${replicate + 1}`);
    }
  });

  it.skipIf(!hasJq)("prints a prompt for a person", async () => {
    const workspace = sample();
    const [line] = prompts(workspace, "--signal", "none", "--flip", "0", "--limit", "1");
    writeFileSync(join(workspace, "prompts.jsonl"), `${JSON.stringify(line)}\n`);
    const text = await shell(jq.at(-1)!.text, workspace);
    expect(text).toContain(`${line!.key}\n${line!.messages[0]!.content}\n\n${line!.messages[1]!.content}`);
  });
});
