import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Tests that start the command line use `dist/`: build it once, before any test, so that they never see an old one. */
export default function buildOnce(project: TestProject): () => void {
  if (!process.env.DEFENSIBLE_SKIP_BUILD) execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  // While tests are written, what they share can be kept from run to run.
  const kept = process.env.DEFENSIBLE_PREPARED;
  const folder = kept ?? mkdtempSync(join(tmpdir(), "defensible-prepared-"));
  project.provide("prepared", folder);
  return () => {
    if (!kept) rmSync(folder, { recursive: true, force: true });
  };
}
