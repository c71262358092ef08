import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Tests that start the command line use `dist/`: build it once, before any test, so that they never see an old one. */
export default function buildOnce(project: TestProject): () => void {
  if (!process.env.DEFENSIBLE_SKIP_BUILD) execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  const temporary = makeTemporaryFolder();
  process.env.TMPDIR = temporary;
  // While tests are written, what they share can be kept from run to run.
  project.provide("prepared", process.env.DEFENSIBLE_PREPARED ?? mkdtempSync(join(temporary, "prepared-")));
  return () => rmSync(temporary, { recursive: true, force: true });
}

const MEMORY = "/dev/shm";
/** Bytes that a whole run needs, with room to spare. */
const NEEDED = 6 * 2 ** 30;

/** Where all tests keep their files: in memory where there is enough, since most of their waiting is for a disk that writes each change. */
function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), "defensible-tests-"));
  // The database of the tests runs as another user if they run as root.
  chmodSync(folder, 0o1777);
  return folder;
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > NEEDED;
  } catch {
    return false;
  }
}
