import { createHash, generateKeyPairSync } from "node:crypto";
import { appendFileSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ChainCheck } from "../src/evidence/verify-chain.js";
import { sealed } from "../src/store/records/suspensions.js";
import { cli, temporaryFolder } from "./support/cli.js";
import { shell } from "./support/shell.js";

const PAGE = readFileSync(join(import.meta.dirname, "..", "docs", "evidence.md"), "utf8");
const home = temporaryFolder();
const cwd = join(home, "try");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const SIGNED = { DEFENSIBLE_SIGNING_KEY: privateKey.export({ type: "pkcs8", format: "pem" }) as string };

/** Runs the commands of a part of the page word for word. */
async function follow(title: string, folder: string): Promise<void> {
  const section = PAGE.split(`## ${title}`)[1]!.split(/^## /m)[0]!;
  const [, commands] = /^```sh\n([\s\S]*?)^```$/m.exec(section)!;
  await shell(commands!, folder);
}

/** The workspace as the first part of the page leaves it. */
const untouched = join(temporaryFolder(), "try");

beforeAll(async () => {
  await follow("Certificate of a decision", home);
  cpSync(cwd, untouched, { recursive: true });
}, 120_000);

/** What is changed of files of the gate. */
interface GateFile {
  content_hash?: string;
  gate: { mode: string; communities: { passes: Record<string, boolean> }[] };
}

describe("certificates on the command line", () => {
  const read = (name: string) => readFileSync(join(cwd, name), "utf8");

  it("hold as they were written, and fail with exit code 2 when a word was changed", () => {
    const text = read("certificate.json");
    expect(JSON.parse(text).decision.id).toBe("trail-hiking-1024");
    expect(read("certificate.html")).toContain("Derivation certificate");
    writeFileSync(join(cwd, "changed.json"), text.replace('"temperature": 0.2', '"temperature": 0.3'));
    const { status, stdout } = cli(["verify", "changed.json"], { cwd });
    expect(status).toBe(2);
    expect(stdout).toContain("another hash");
    expect(stdout).toContain("changed.json: audit: changed after the certificate was made");
  });

  it("are not looked for in a head or in a log", () => {
    const head = { day: "2026-11-18", at: "x", size: 1, root: "0", previous: null, signature: null };
    writeFileSync(join(cwd, "a-head.json"), JSON.stringify({ added: 1, head }));
    const given = cli(["verify", "a-head.json"], { cwd });
    expect([given.status, given.stdout]).toEqual([1, ""]);
    expect(given.stderr).toContain("verify --head a-head.json");
    const log = cli(["verify", "decisions.jsonl"], { cwd });
    expect([log.status, log.stdout]).toEqual([2, expect.stringContaining("not a certificate: not JSON")]);
    expect(cli(["verify", "package.json"], { cwd: join(import.meta.dirname, "..") }).stdout).toBe(
      "package.json: not a certificate. Expected a file of `defensible certificate --out FILE`\n",
    );
  });

  it("are signed by the key of the environment, and checked against a key from elsewhere", () => {
    expect(cli(["certificate", "trail-hiking-1024", "--out", "signed.json"], { cwd, env: SIGNED }).status).toBe(0);
    writeFileSync(join(cwd, "key.pem"), publicKey.export({ type: "spki", format: "pem" }));
    expect(cli(["verify", "signed.json", "--public-key", "key.pem"], { cwd }).status).toBe(0);
    expect(cli(["verify", "certificate.json", "--public-key", "key.pem"], { cwd }).stdout).toContain("not signed");
    const bad = cli(["certificate", "trail-hiking-1024"], { cwd, env: { DEFENSIBLE_SIGNING_KEY: "hunter2" } });
    expect(bad.status).toBe(1);
    expect(bad.stderr).not.toContain("hunter2");
  });

  it("are refused once the rules or the content are not those of the audit", () => {
    const lines = read("decisions.jsonl");
    writeFileSync(
      join(cwd, "decisions.jsonl"),
      lines.replace(/("id":\s*"trail-hiking-1024".*?"body":\s*")/, "$1Changed. "),
    );
    const { status, stderr } = cli(["certificate", "trail-hiking-1024"], { cwd });
    writeFileSync(join(cwd, "decisions.jsonl"), lines);
    expect(status).toBe(1);
    expect(stderr).toContain("its content was changed after the audit");
  });
});

describe("sealed logs on the command line", () => {
  const path = (name: string) => join(cwd, name);
  const verify = (...flags: string[]) => {
    const { status, stdout } = cli(["verify", "--json", ...flags], { cwd });
    return { status, ...(JSON.parse(stdout) as ChainCheck) };
  };

  beforeAll(async () => {
    const none = cli(["verify"], { cwd });
    expect([none.status, none.stdout]).toEqual([2, "Nothing is sealed: there is no chain.\n"]);
    expect(none.stderr).toContain("Seal the logs with `defensible seal`");
    await follow("Sealed logs", cwd);
    const outcome = (n: number) => `${JSON.stringify({ decision_id: `d${n}`, outcome: "uphold", at: "2026-11-15" })}\n`;
    writeFileSync(path("outcomes.jsonl"), [1, 2, 3].map(outcome).join(""));
    expect(verify().unsealed).toBe(3);
    expect(cli(["seal"], { cwd }).stdout).toContain("Sealed 3 records");
  }, 120_000);

  it("hold, and one changed byte of a log is found, with its record", () => {
    expect(verify()).toMatchObject({ status: 0, ok: true, heads: 2, unsigned: 2, unsealed: 0 });
    const logs = { routes: "gate/routes.jsonl", gate: "gate/history.jsonl", outcomes: "outcomes.jsonl" };
    for (const [source, file] of Object.entries(logs)) {
      const text = readFileSync(path(file), "utf8");
      const last = text.trimEnd().split("\n").length - 1;
      const at = text.indexOf('"', text.trimEnd().lastIndexOf("\n") + 1) + 1;
      writeFileSync(path(file), `${text.slice(0, at)}X${text.slice(at + 1)}`);
      expect(verify()).toMatchObject({ status: 2, problems: [{ code: "changed", source, n: last }] });
      writeFileSync(path(file), text.slice(0, text.trimEnd().lastIndexOf("\n") + 1));
      expect(verify()).toMatchObject({ status: 2, problems: [{ code: "removed", source, n: last }] });
      writeFileSync(path(file), text);
    }
    const chain = readFileSync(path("chain/chain.jsonl"), "utf8");
    writeFileSync(path("chain/chain.jsonl"), chain.replace('"n":1', '"n":2'));
    expect(verify().status).toBe(2);
    writeFileSync(path("chain/chain.jsonl"), chain);
  });

  it("are named by file, line and decision, with a remedy, and are not sealed over", () => {
    const file = path("gate/routes.jsonl");
    const text = readFileSync(file, "utf8");
    const lines = text.split("\n");
    const { decision_id } = JSON.parse(lines[4]!);
    lines[4] = lines[4]!.replace('"route":"', '"route":"x');
    writeFileSync(file, lines.join("\n"));
    const { stdout, stderr } = cli(["verify"], { cwd });
    expect(stdout).toContain(`gate/routes.jsonl:5: changed (decision ${decision_id})\n`);
    expect(stderr).toContain("Compare with a backup");
    const refused = cli(["seal"], { cwd });
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("gate/routes.jsonl:5: changed")]);
    expect(refused.stderr).toContain("seal --force");
    writeFileSync(path("chain/chain.jsonl.bak"), readFileSync(path("chain/chain.jsonl")));
    appendFileSync(path("outcomes.jsonl"), `${JSON.stringify({ decision_id: "d4", outcome: "uphold" })}\n`);
    const forced = cli(["seal", "--force"], { cwd });
    expect(forced.stdout).toContain("Sealed 1 record");
    expect(forced.stderr).toContain(`Passed over: gate/routes.jsonl:5: changed (decision ${decision_id})\n`);
    expect(JSON.parse(cli(["seal", "--force", "--json"], { cwd }).stdout)).toMatchObject({
      ...{ added: 0, head: null, passed_over: [{ code: "changed", source: "routes", n: 4 }] },
    });
    expect(verify()).toMatchObject({ status: 2, problems: [{ code: "changed", source: "routes", n: 4 }] });
    writeFileSync(file, text);
    expect(cli(["verify"], { cwd }).stdout).toContain(
      "Not sealed: decisions, rules, labels, calibrations, manifests of runs.",
    );
    // A chain that lost a line is not built on, not even so.
    const chain = readFileSync(path("chain/chain.jsonl"), "utf8");
    writeFileSync(path("chain/chain.jsonl"), chain.split("\n").toSpliced(9, 1).join("\n"));
    for (const flags of [[], ["--force"]]) {
      const broken = cli(["seal", ...flags], { cwd });
      expect([broken.status, broken.stderr]).toEqual([2, expect.stringContaining("Restore chain/chain.jsonl")]);
    }
    writeFileSync(path("chain/chain.jsonl"), chain);
  });

  it("find a changed value inside the Parquet file of a run, and a run that is gone", async () => {
    const [run] = readdirSync(path("runs")).filter((name) => /^\d/.test(name));
    const file = path(`runs/${run}/audits.parquet`);
    const before = readFileSync(file);
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const db = await (await DuckDBInstance.create()).connect();
    const rows = `SELECT * REPLACE (CASE WHEN decision_id = 'trail-hiking-1024' THEN 0.5 ELSE p_defensible END AS p_defensible) FROM read_parquet('${file}')`;
    await db.run(`COPY (${rows}) TO '${file}.new' (FORMAT parquet)`);
    db.closeSync();
    renameSync(`${file}.new`, file);
    const { status, problems } = verify();
    expect([status, problems.map(({ code }) => code)]).toEqual([2, ["changed"]]);
    writeFileSync(file, before);
    expect(verify().ok).toBe(true);
    renameSync(path(`runs/${run}`), path("moved"));
    expect(verify().problems.every(({ code }) => code === "removed")).toBe(true);
    renameSync(path("moved"), path(`runs/${run}`));
  });

  it("find a tail that was cut off everywhere by a head that was kept", () => {
    cli(["seal", "--json=last.json"], { cwd });
    const chain = readFileSync(path("chain/chain.jsonl"), "utf8");
    const heads = chain.split("\n").filter((line) => line.includes('"root"'));
    writeFileSync(path("kept.json"), JSON.stringify({ head: JSON.parse(heads.at(-1)!) }));
    expect(verify("--head", "kept.json").ok).toBe(true);
    writeFileSync(path("chain/chain.jsonl"), chain.slice(0, chain.indexOf(heads[0]!) + heads[0]!.length + 1));
    writeFileSync(path("outcomes.jsonl"), "");
    expect(verify().ok).toBe(true);
    expect(verify("--head", "kept.json").problems).toMatchObject([{ code: "head_not_found" }]);
  });
});

it("erasure follows the page: the certificate goes, and the chain holds", async () => {
  await follow("Sealed logs", untouched);
  await follow("Erasure", untouched);
  expect(readdirSync(untouched).filter((name) => name.startsWith("certificate"))).toEqual([]);
  expect(cli(["certificate", "trail-hiking-1024"], { cwd: untouched }).stderr).toContain("content");
}, 120_000);

it("a sealed run that is deleted is announced, and does not hide a change from `seal --force`", () => {
  const folder = join(temporaryFolder(), "try");
  cpSync(cwd, folder, { recursive: true });
  rmSync(join(folder, "chain"), { recursive: true });
  const run = (...args: string[]) => cli(args, { cwd: folder });
  expect(run("seal").status).toBe(0);
  const deleted = run("runs", "delete", "newest", "--yes");
  expect([deleted.status, deleted.stderr]).toEqual([0, expect.stringContaining("`defensible verify` reports them")]);
  const file = join(folder, "gate/history.jsonl");
  writeFileSync(file, readFileSync(file, "utf8").replace('"type":"gate"', '"type":"evil"'));
  for (const { stdout, stderr } of [run("seal"), run("seal", "--force"), run("verify")]) {
    expect(stdout + stderr).toMatch(/audits\.parquet, row 1: removed, and \d+ more of this log/);
    expect(stdout + stderr).toContain("gate/history.jsonl:1: changed");
  }
}, 120_000);

it("an active gate, kill switch or suspension that the history does not have is found, whatever its hash", () => {
  const folder = join(temporaryFolder(), "try");
  cpSync(cwd, folder, { recursive: true });
  rmSync(join(folder, "chain"), { recursive: true, force: true });
  const run = (...args: string[]) => cli(args, { cwd: folder });
  const path = (name: string) => join(folder, "gate", name);
  const found = () => {
    const { status, stdout } = run("verify", "--json");
    return [status, (JSON.parse(stdout) as ChainCheck).problems];
  };
  const part = (name: string) => [2, [{ code: "gate_not_in_history", part: name }]];
  const rewrite = (name: string, change: (value: GateFile) => unknown) => {
    const before = readFileSync(path(name), "utf8");
    writeFileSync(path(name), JSON.stringify(change(JSON.parse(before))));
    return () => writeFileSync(path(name), before);
  };
  expect(run("seal").status).toBe(0);
  expect(found()).toEqual([0, []]);
  const undoGate = rewrite("current.json", ({ content_hash: _, ...record }) => {
    for (const one of record.gate.communities) one.passes[record.gate.mode] = !one.passes[record.gate.mode];
    return sealed(record);
  });
  expect(found()).toEqual(part("gate"));
  expect(run("verify").stderr).toContain("gate history");
  undoGate();
  const suspended = { community: "forged", since: "2026-11-18", reason: "x", after: null };
  const undoState = rewrite("state.json", (state) => ({ ...state, suspended: [suspended] }));
  // What is suspended in either file is suspended, so that the gate as `route` reads it is still the one of the history.
  expect(found()).toEqual(part("suspensions"));
  undoState();
  expect(run("gate", "close", "a test").status).toBe(0);
  expect(run("seal").status).toBe(0);
  expect(found()).toEqual([0, []]);
  rmSync(path("closed.json"));
  expect(found()).toEqual(part("closure"));
  // A history of an earlier version.
  rmSync(join(folder, "chain"), { recursive: true, force: true });
  writeFileSync(
    path("history.jsonl"),
    readFileSync(path("history.jsonl"), "utf8").replace(/,"content_hash":"\w+"/g, ""),
  );
  expect([run("gate", "close", "again").status, run("gate", "open").status]).toEqual([0, 0]);
  expect(run("seal").status).toBe(0);
  undoGate();
  const { status, stdout } = run("verify");
  expect([status, stdout]).toEqual([0, expect.stringContaining("was not compared with its history")]);
}, 120_000);

it("a tombstone that no erasure wrote covers no forgery, and is not sealed", () => {
  const folder = join(temporaryFolder(), "try");
  cpSync(cwd, folder, { recursive: true });
  rmSync(join(folder, "chain"), { recursive: true });
  const run = (...args: string[]) => cli(args, { cwd: folder, env: SIGNED });
  expect(run("seal", "--json=head.json").status).toBe(0);
  const signed = cli(["verify"], { cwd: folder }).stdout;
  expect(signed).toMatch(/signed by key [0-9a-f]{16}\.\nNo key was given/);
  const file = join(folder, "gate/routes.jsonl");
  const lines = readFileSync(file, "utf8").split("\n");
  const whole = lines[3]!;
  const forged = whole.replace(/"route":"\w+"/, '"route":"forged"');
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const erasures = join(folder, "chain/erasures.jsonl");
  for (const decision of ["anything", JSON.parse(forged).decision_id]) {
    writeFileSync(file, lines.with(3, forged).join("\n"));
    const who = { at: "2026-11-18T12:00:00.000Z", by: "mallory", reason: "x" };
    const records = [{ source: "routes", n: 3, hash: hash(forged) }];
    writeFileSync(erasures, `${JSON.stringify({ decision: hash(decision), ...who, records })}\n`);
    const { status, stdout } = run("verify", "--head", "head.json");
    expect([status, stdout]).toEqual([2, expect.stringContaining("gate/routes.jsonl:4: changed")]);
    expect(stdout).toContain("1 record not sealed yet, 1 of them tombstones");
    for (const text of [forged, whole]) {
      writeFileSync(file, lines.with(3, text).join("\n"));
      const refused = run("seal");
      expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("by mallory: x")]);
    }
    // The records are whole: `verify` gives the same reason, and an erasure writes nothing.
    const found = run("verify");
    expect([found.status, found.stdout]).toEqual([2, expect.stringContaining("chain/erasures.jsonl:1: not sealed by")]);
    expect([found.stdout, found.stderr]).toEqual([
      expect.not.stringContaining("`defensible seal` adds"),
      expect.stringContaining("repeat `defensible erase`"),
    ]);
    const before = readFileSync(erasures, "utf8");
    expect(run("erase", "trail-hiking-1024", "--reason", "asked").status).toBe(2);
    expect(readFileSync(erasures, "utf8")).toBe(before);
  }
}, 120_000);
