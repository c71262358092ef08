import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, it } from "vitest";
import type { Erased } from "../src/app/evidence/erase.js";
import { decodeGeneration } from "../src/auditors/recorded/generation-codec.js";
import type { ChainCheck } from "../src/evidence/verify-chain.js";
import { openResponseCache } from "../src/store/files/response-cache.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const ID = "odd-post-1";
/** Words that are nowhere else, with characters that JSON, HTML and ASCII spell otherwise. */
const WORDS = ["zephyrquix", "wyvernjangle", "grüßwortel", "mondscheintarif"];
const TITLE = `Selling "${WORDS[0]}" tents <cheap> & good as new`;
const BODY = `My old ${WORDS[1]} is for sale, 50 €; ${WORDS[2]} from the hills.\nWrite to me about the ${WORDS[3]} any time.`;
const DECISION = {
  ...{ id: ID, community: "trail-hiking", decision: "remove", author: "author-77" },
  ...{ content: { title: TITLE, body: BODY }, rationale: `A shop: ${WORDS[1]}`, decided_at: "2026-03-03T10:00:00Z" },
};
const root = temporaryFolder();
const out = join(root, "out");
const pristine = join(root, "pristine");
const { privateKey } = generateKeyPairSync("ed25519");
const env = { DEFENSIBLE_SIGNING_KEY: privateKey.export({ type: "pkcs8", format: "pem" }) as string };

/** `KILLS=all` tries every change of a file. */
const STEP = process.env.KILLS === "all" ? 1 : 7;

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Every spelling of a word in which it is looked for. */
const spellings = (word: string) => [
  word,
  word.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  encodeURIComponent(word),
];

/** A file as bytes, and as everything that can be decoded from it. */
async function readings(path: string): Promise<string[]> {
  const bytes = readFileSync(path);
  const texts = [bytes.toString("utf8"), bytes.toString("latin1"), bytes.toString("utf16le")];
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) texts.push(gunzipSync(bytes).toString("utf8"));
  for (const text of [...texts])
    for (const [packed] of text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)) {
      const raw = Buffer.from(packed, "base64");
      texts.push(raw.toString("utf8"));
      if (raw[0] === 0x1f && raw[1] === 0x8b) {
        const unpacked = gunzipSync(raw).toString("utf8");
        texts.push(unpacked);
        // The text of an answer may be kept as its tokens alone.
        if (path.endsWith("raw.jsonl")) texts.push(decodeGeneration(unpacked).text);
      }
    }
  if (bytes.subarray(0, 4).toString() === "PAR1") {
    const db = await (await DuckDBInstance.create()).connect();
    const rows = await db.runAndReadAll(`SELECT to_json(a)::VARCHAR FROM read_parquet('${path}') AS a`);
    texts.push(rows.getRows().join("\n"));
    db.closeSync();
  }
  return texts;
}

/** Which files hold one of the words, in any reading. */
async function found(...folders: string[]): Promise<string[]> {
  const wanted = WORDS.flatMap(spellings);
  const hits: string[] = [];
  for (const path of folders.flatMap(files)) {
    const texts = await readings(path);
    if (texts.some((text) => wanted.some((word) => text.includes(word)))) hits.push(relative(root, path));
  }
  return hits.sort();
}

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function json<T>(args: readonly string[], cwd: string): { status: number | null } & T {
  const { status, stdout, stderr } = cli([...args, "--json"], { cwd, env });
  expect(stdout, stderr).not.toBe("");
  return { status, ...(JSON.parse(stdout) as T) };
}

const verify = (cwd: string) => json<ChainCheck>(["verify"], cwd);

/** Numbers of a run that must not change. */
function numbers(cwd: string): { report: unknown; gate: unknown } {
  const masked = (text: string) =>
    JSON.parse(text, (key, value) =>
      /^(gate_id|as_of|created_at|at|now|in_force|notes|notices|generated_at|content_hash)$/.test(key) ? null : value,
    );
  const report = cliOk(["report", "--json", "--against", "gold"], { cwd });
  const gate = cliOk(["gate", "--json", "--dry-run", "--slices", "language,tags"], { cwd });
  return { report: masked(report), gate: masked(gate) };
}

/** What is searched again and again is as small as it can be. */
function keepTwoCommunities(): void {
  const kept = ["trail-hiking", "film-club"];
  for (const name of ["decisions.jsonl", "precedents.jsonl"]) {
    const rows = readFileSync(join(pristine, name), "utf8").split("\n");
    writeFileSync(
      join(pristine, name),
      rows.filter((row) => kept.some((one) => row.includes(`"community":"${one}"`))).join("\n"),
    );
    appendFileSync(join(pristine, name), "\n");
  }
  for (const name of readdirSync(join(pristine, "rules")))
    if (![...kept, "platform"].some((one) => name.startsWith(one))) rmSync(join(pristine, "rules", name));
}

/** The first run, which has a verdict on the decision. */
const runOf = (cwd: string) => readdirSync(join(cwd, "runs")).sort()[0]!;

const ERASE = ["erase", ID, "--reason", "request of the author", "--person", "ann"];

beforeAll(async () => {
  cliOk(["init", pristine, "--example"]);
  const cwd = pristine;
  keepTwoCommunities();
  const at = (name: string) => join(pristine, name);
  writeFileSync(at("incoming.jsonl"), lines([DECISION, { ...DECISION, decision: "no such action" }]));
  cli(["import", "incoming.jsonl", "--as", "decisions"], { cwd });
  appendFileSync(at("precedents.jsonl"), lines([{ ...DECISION, author: undefined, rule_id: "R1" }]));
  appendFileSync(
    at("labels.jsonl"),
    lines([{ decision_id: ID, level: 1, rater: "rae", source: "human", note: WORDS[3] }]),
  );
  mkdirSync(out);
  cliOk(["prompts", "--filter", `id=${ID}`, "--out", join(out, "asked.jsonl")], { cwd });
  const trace = {
    logic_chain: `It sells a ${WORDS[1]}.`,
    ...{ policy_citation: "R1", precedent_weight: "Low", inverse_check: "No", defensibility_level: 1 },
  };
  const asked = readFileSync(join(out, "asked.jsonl"), "utf8").trim().split("\n");
  const answers = asked.map((line) => ({ id: JSON.parse(line).id, text: JSON.stringify(trace) }));
  writeFileSync(at("answers.jsonl"), lines(answers));
  const answered = ["--signal", "none", "--auditor", "answers:answers.jsonl", "--keep-raw"];
  cliOk(["audit", "--filter", `id=${ID}`, ...answered], { cwd });
  cliOk(["export", "--format", "parquet", "--out", join(out, "audits.parquet")], { cwd });
  cliOk(["audit", "--keep-raw"], { cwd });
  cliOk(["report", "--html", join(out, "report.html")], { cwd });
  for (const format of ["jsonl", "csv", "parquet"])
    cliOk(["export", "--what", "decisions", "--format", format, "--out", join(out, `decisions.${format}`)], { cwd });
  cliOk(["certificate", ID, "--out", at("certificate.json"), "--html", join(out, "certificate.html")], { cwd, env });
  cliOk(["prompts", "--out", join(out, "prompts.jsonl")], { cwd });
  cliOk(["gate", "apply", "--person", "ann", "--reason", "first gate"], { cwd });
  cliOk(["route", "decisions.jsonl", "--run", "newest", "--out", join(out, "routes.jsonl")], { cwd });
  writeFileSync(
    at("outcomes.jsonl"),
    lines([{ decision_id: ID, outcome: "uphold", at: "2026-11-15", note: `${WORDS[0]}!` }]),
  );
  writeFileSync(
    at("answers.jsonl.gz"),
    gzipSync(
      lines([
        { key: "k", text: TITLE },
        { key: "other", text: "kept" },
      ]),
    ),
  );
  mkdirSync(at("experiments"), { recursive: true });
  writeFileSync(at("experiments/probe.json"), JSON.stringify({ cases: [{ decision_id: ID, quote: BODY }], n: 1 }));
  const cache = openResponseCache(at("cache"));
  const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, cost_usd: null };
  await cache.put("a".repeat(64), {
    ...{
      text: WORDS[1]!,
      tokens: null,
      finish: "stop",
      space: "raw",
      temperature: 0,
      support: "top_k",
      model: "m",
      usage,
    },
  });
  await cache.close();
  cliOk(["seal"], { cwd, env });
}, 300_000);

describe("an erased decision", () => {
  let cwd = "";
  let erased = 0;
  const places = [
    ...[
      "answers.jsonl",
      "answers.jsonl.gz",
      "certificate.json",
      "decisions.jsonl",
      "experiments/probe.json",
      "incoming.jsonl",
    ],
    ...["labels.jsonl", "outcomes.jsonl", "precedents.jsonl"],
  ];
  beforeAll(() => {
    cwd = join(root, "erased");
    cpSync(pristine, cwd, { recursive: true });
  });

  it("is found before, is listed by a dry run, and is nowhere after", { timeout: 300_000 }, async () => {
    const before = await found(cwd, out);
    expect(before).toEqual(expect.arrayContaining(places.map((name) => `erased/${name}`)));
    for (const part of ["rejects/", "cache/", "raw.jsonl", "audits.parquet"])
      expect(
        before.some((name) => name.startsWith("erased/") && name.includes(part)),
        part,
      ).toBe(true);
    const outside = [
      "asked.jsonl",
      "audits.parquet",
      "certificate.html",
      "decisions.csv",
      "decisions.jsonl",
      "decisions.parquet",
      "prompts.jsonl",
      "report.html",
    ];
    expect(before.filter((name) => name.startsWith("out/"))).toEqual(outside.map((name) => `out/${name}`));
    const earlier = numbers(cwd);

    const dry = json<Erased>(["erase", ID, "--dry-run"], cwd);
    expect([dry.status, await found(cwd, out)]).toEqual([0, before]);
    expect(dry.places.map(({ place }) => place)).toContain("chain/chain.jsonl");
    const named = dry.places.map(({ place }) => relative(root, place.startsWith("/") ? place : join(cwd, place)));
    expect(before.filter((name) => !name.includes("/cache/") && !named.includes(name))).toEqual([]);

    const done = json<Erased>(ERASE, cwd);
    expect(done).toMatchObject({ status: 0, decisions: 1, dry_run: false });
    expect(await found(cwd, out)).toEqual([]);
    const check = verify(cwd);
    expect(check).toMatchObject({ status: 0, ok: true, unsealed: 0 });
    // Audits of two runs and an outcome.
    expect(check.erased).toBeGreaterThanOrEqual(3);
    erased = check.erased;
    expect(numbers(cwd)).toEqual(earlier);
    const [tombstone] = readFileSync(join(cwd, "chain/erasures.jsonl"), "utf8").trim().split("\n");
    expect(JSON.parse(tombstone!)).toMatchObject({ by: "ann", reason: "request of the author" });
    // Only this one: the file of answers keeps the others.
    expect(gunzipSync(readFileSync(join(cwd, "answers.jsonl.gz"))).toString()).toBe(
      lines([{ key: "other", text: "kept" }]),
    );
  });

  it("stays erased when it is imported or audited again, and erasing twice is fine", { timeout: 120_000 }, async () => {
    const again = json<Erased>(ERASE, cwd);
    expect(again).toMatchObject({ status: 0, places: [] });
    writeFileSync(join(root, "again.jsonl"), lines([DECISION]));
    for (const kind of ["decisions", "precedents"]) {
      const { stdout, stderr } = cli(["import", join(root, "again.jsonl"), "--as", kind], { cwd });
      expect(stdout + stderr).toContain("was erased; not taken again");
    }
    cliOk(["audit", "--new"], { cwd });
    expect(await found(cwd)).toEqual([]);
    expect(cliOk(["show", ID, "--run", runOf(cwd)], { cwd })).toMatch(/Erased: .*Reasoning: erased\./s);
    expect(cli(["certificate", ID], { cwd }).stderr).toContain("it was erased");
    const statements = [
      "export",
      "--as",
      "dsa-statements",
      "--run",
      runOf(cwd),
      "--out",
      join(root, "statements.jsonl"),
    ];
    expect(JSON.parse(cliOk([...statements, "--json"], { cwd })).refusals).toContainEqual({
      ...{ decision_id: ID, code: "erased" },
    });
    const unknown = cli(["erase", "no-such-post", "--reason", "x"], { cwd, env });
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('there is no "no-such-post"')]);
    expect(cli(["erase", ID], { cwd }).stderr).toContain("--reason");
    expect(cli(ERASE, { cwd }).stderr).toContain("DEFENSIBLE_SIGNING_KEY");
  });

  it("leaves a change of any erased record or tombstone to be found", () => {
    for (const file of ["chain/erasures.jsonl", "outcomes.jsonl"]) {
      const text = readFileSync(join(cwd, file), "utf8");
      writeFileSync(join(cwd, file), text.replace("2026-1", "2027-1"));
      expect(verify(cwd).status, file).toBe(2);
      writeFileSync(join(cwd, file), text);
    }
    expect(verify(cwd).status).toBe(0);
  });

  it("leaves files of others for a person, and says so", () => {
    const copy = join(root, "others");
    cpSync(pristine, copy, { recursive: true });
    writeFileSync(join(copy, "notes.txt"), `He wrote: ${BODY}`);
    const { status, stdout, stderr } = cli(ERASE, { cwd: copy, env });
    expect([status, stdout, stderr]).toEqual([
      2,
      expect.stringMatching(/^ {2}left {5}notes\.txt$[\s\S]*only an erased rationale stated counts as no rule stated/m),
      expect.stringContaining("1 place may still quote what was erased"),
    ]);
  });

  it("is erased to the end by a repetition after a kill at any change of a file", { timeout: 600_000 }, async () => {
    const unsealed: number[] = [];
    let kills = 0;
    for (let n = 1; ; n += n < 6 ? 1 : STEP) {
      const copy = join(root, `killed-${n}`);
      cpSync(pristine, copy, { recursive: true });
      const killed = cli(ERASE, { cwd: copy, env, kill: { KILL_AT_CHANGE: String(n) } });
      if (killed.signal !== "SIGKILL") break;
      kills += 1;
      // Between the tombstone and its seal `verify` asks for the repetition; nothing else is ever wrong.
      const problems = verify(copy).problems.map(({ code }) => code);
      expect([[], ["unknown_erasure"]], `after kill ${n}`).toContainEqual(problems);
      if (problems.length > 0) unsealed.push(n);
      expect(cli(ERASE, { cwd: copy, env }).status, `repetition ${n}`).toBe(0);
      expect(await found(copy), `kill ${n}`).toEqual([]);
      expect(verify(copy)).toMatchObject({ ok: true, unsealed: 0, erased });
    }
    expect(kills).toBeGreaterThan(5);
    expect(unsealed).not.toEqual([]);
    expect(Math.max(...unsealed)).toBeLessThan(7);
  });

  it("lets an open run go on: what was not audited yet is not asked about", { timeout: 120_000 }, () => {
    const copy = join(root, "open");
    cpSync(pristine, copy, { recursive: true });
    // A precedent that is erased changes what later audits read, and a run would begin anew.
    const precedents = readFileSync(join(copy, "precedents.jsonl"), "utf8").split("\n");
    writeFileSync(join(copy, "precedents.jsonl"), precedents.filter((line) => !line.includes(ID)).join("\n"));
    const audit = ["audit", "--tier", "title"];
    const killed = cli(audit, { cwd: copy, kill: { KILL_AT_BYTE: "300" } });
    expect(killed.signal).toBe("SIGKILL");
    const runs = readdirSync(join(copy, "runs")).sort();
    cliOk(ERASE, { cwd: copy, env });
    cliOk(audit, { cwd: copy });
    expect(readdirSync(join(copy, "runs")).sort()).toEqual(runs);
    cliOk(["export", "--out", join(root, "open.jsonl")], { cwd: copy });
    const rows = readFileSync(join(root, "open.jsonl"), "utf8").split("\n");
    const row = rows.find((line) => line.includes(ID))!;
    expect(JSON.parse(row)).toMatchObject({ outcome: "unscored", error: { code: "erased" } });
    expect(existsSync(join(copy, "runs", runs.at(-1)!, "audits.parquet"))).toBe(true);
  });
});

it("`gate history` shows who changed the gate, when and why", () => {
  cliOk(["gate", "close", "wrong rules", "--person", "ben"], { cwd: pristine });
  cliOk(["gate", "open", "--reason", "rules are right again"], { cwd: pristine });
  const text = cliOk(["gate", "history"], { cwd: pristine });
  expect(text).toMatch(/ann\s+first gate/);
  expect(text).toMatch(/closed\s+ben\s+wrong rules/);
  const user = spawnSync("id", ["-un"], { encoding: "utf8" }).stdout.trim();
  expect(text).toMatch(new RegExp(`opened\\s+${user}\\s+rules are right again`));
});
