import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
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
