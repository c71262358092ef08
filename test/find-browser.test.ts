import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBrowser } from "../scripts/find-browser.mjs";
import { temporaryFolder } from "./support/cli.js";

const ROOT = join(import.meta.dirname, "..");

/** A folder with programs of these names, which end so when they are asked for their version. */
function folderWith(programs: Record<string, number>): string {
  const folder = temporaryFolder();
  for (const [name, status] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
  }
  return folder;
}

describe("the browser of the tests", () => {
  it("is the first on the path that runs: a stub that only says how to get one does not", () => {
    const path = folderWith({ "chromium-browser": 1, "google-chrome": 0, "google-chrome-stable": 0 });
    expect(findBrowser({ PATH: path })).toBe(join(path, "google-chrome"));
  });

  it("is the one that $DEFENSIBLE_BROWSER names, or none", () => {
    const path = folderWith({ chromium: 0, mine: 0 });
    expect(findBrowser({ PATH: path, DEFENSIBLE_BROWSER: join(path, "mine") })).toBe(join(path, "mine"));
    expect(findBrowser({ PATH: path, DEFENSIBLE_BROWSER: join(path, "nobody") })).toBeNull();
  });

  it("is asked for in one sentence with the remedy where the named one does not run, and nothing is installed instead", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts", "ensure-browser.mjs")], {
      encoding: "utf8",
      env: { ...process.env, DEFENSIBLE_BROWSER: "/nowhere/chrome" },
    });
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^DEFENSIBLE_BROWSER: no browser runs at \/nowhere\/chrome; .*unset it, and repeat `npm test`\.\n$/,
    );
  });
});
