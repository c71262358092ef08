// Which browser drives the tests of what is looked at: the one that $DEFENSIBLE_BROWSER names, one of the system, or Playwright's own.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

// A browser that only draws needs a fifth less of the processor than one that could show a window.
const COMMANDS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Path of a browser that runs, or null. */
export function findBrowser(env = process.env) {
  return candidates(env).find(runs) ?? null;
}

/** In the order in which they are tried. A browser that was asked for by name is the only one. */
function candidates(env) {
  if (env.DEFENSIBLE_BROWSER) return [env.DEFENSIBLE_BROWSER];
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return [
    ...COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name))),
    chromium.executablePath(),
    ...PLACES,
  ].filter((path) => path && existsSync(path));
}

/** A package may leave a stub that only says how to get the browser. Chrome on Windows does not answer, it opens a window. */
function runs(path) {
  return process.platform === "win32" || spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0;
}
