// The documentation as a static site in build/docs. VitePress has a folder and a lock file of its own, so that `npm ci` does not install it.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const site = join(root, "site");
const run = (...args) =>
  execFileSync("npm", args, { cwd: site, stdio: "inherit", shell: process.platform === "win32" });

run("ci", "--no-audit", "--no-fund");
// Pages find the site's packages only from inside its folder.
rmSync(join(site, "pages"), { recursive: true, force: true });
cpSync(join(root, "docs"), join(site, "pages"), { recursive: true });
run("run", "build");
