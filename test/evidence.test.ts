import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ChainCheck } from "../src/evidence/chain.js";
import { CLI, cli, temporaryFolder } from "./support/cli.js";

const PAGE = readFileSync(join(import.meta.dirname, "..", "docs", "evidence.md"), "utf8");
const home = temporaryFolder();
const cwd = join(home, "try");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const SIGNED = { DEFENSIBLE_SIGNING_KEY: privateKey.export({ type: "pkcs8", format: "pem" }) as string };

/** Runs the commands of a part of the page word for word. */
function follow(title: string, folder: string): void {
  const section = PAGE.split(`## ${title}`)[1]!.split(/^## /m)[0]!;
  const [, commands] = /^```sh\n([\s\S]*?)^```$/m.exec(section)!;
  const script = `set -eo pipefail\ndefensible() { node ${CLI} "$@"; }\n${commands}`;
  const { status, stderr } = spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
  expect(status, stderr).toBe(0);
}

beforeAll(() => follow("Certificate of a decision", home), 120_000);

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

  beforeAll(() => {
    follow("Sealed logs", cwd);
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

it("erasure follows the page: the certificate goes, and the chain holds", () => {
  const other = temporaryFolder();
  const folder = join(other, "try");
  follow("Certificate of a decision", other);
  follow("Sealed logs", folder);
  follow("Erasure", folder);
  expect(readdirSync(folder).filter((name) => name.startsWith("certificate"))).toEqual([]);
  expect(cli(["certificate", "trail-hiking-1024"], { cwd: folder }).stderr).toContain("content");
}, 120_000);
