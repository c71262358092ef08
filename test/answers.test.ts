import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Audit, auditSchema } from "../src/core/records/audit.js";
import { type PromptLine, promptLineSchema } from "../src/core/records/prompt-line.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

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
  cliOk(["export", "--workspace", workspace, "--format", "jsonl", "--out", out]);
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
      JSON.stringify({ key: `p1-${"0".repeat(32)}`, text: "extra" }),
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
});
