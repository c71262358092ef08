// The report's page is tested in a real browser. Where there is none it is installed, by the system's packages or by Playwright, else asked for.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { findBrowser } from "./find-browser.mjs";

const isRoot = process.getuid?.() === 0;
const run = (command, args) =>
  spawnSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }).status ===
  0;

function byPackages() {
  if (!isRoot || spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status !== 0) return;
  console.log("No browser was found. Installing chromium by the system's packages (apt-get).");
  run("apt-get", ["update"]);
  const install = (name) => run("apt-get", ["install", "-y", "--no-install-recommends", name]);
  if (!install("chromium-headless-shell")) install("chromium");
}

function byPlaywright() {
  console.log("No browser was found. Downloading Chromium by Playwright into its own folder.");
  const cli = fileURLToPath(new URL("../node_modules/playwright-core/cli.js", import.meta.url));
  const libraries = isRoot && process.platform === "linux" ? ["--with-deps"] : [];
  run(process.execPath, [cli, "install", ...libraries, "chromium"]);
}

const asked = process.env.DEFENSIBLE_BROWSER;
let found = findBrowser();
for (const install of asked ? [] : [byPackages, byPlaywright]) {
  if (found) break;
  install();
  found = findBrowser();
  if (found) console.log(`The tests will use ${found}.`);
}
if (!found) {
  console.error(
    asked
      ? `DEFENSIBLE_BROWSER: no browser runs at ${asked}; give the path of Chromium or Chrome, or unset it, and repeat \`npm test\`.`
      : "The tests need Chromium or Chrome, and none could be installed: install one, or give its path in DEFENSIBLE_BROWSER, and repeat `npm test`.",
  );
  process.exit(1);
}
