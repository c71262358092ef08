// The picture of the README: page one of the demo's report, as a browser shows it. Repeat it after a change of the page: `npm run picture`.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { findBrowser } from "./find-browser.mjs";
import { smallerPng } from "./smaller-png.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [out = join(root, "docs", "images", "overview.png"), width = "1280"] = process.argv.slice(2);
const path = findBrowser();
if (!path) {
  console.error("No browser was found: `node scripts/ensure-browser.mjs` installs one.");
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "picture-"));
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({
  executablePath: path,
  args: ["--disable-gpu", "--disable-lcd-text", ...sandbox],
});
try {
  execFileSync(process.execPath, [join(root, "dist", "cli", "main.js"), "demo", join(folder, "demo")]);
  mkdirSync(join(out, ".."), { recursive: true });
  const context = await browser.newContext({
    viewport: { width: Number(width), height: 900 },
    deviceScaleFactor: 2,
    colorScheme: "light",
    offline: true,
  });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, "demo", "report.html")).href);
  await page.waitForSelector(".overview");
  const bottom = await page.$eval(".overview", (one) => one.getBoundingClientRect().bottom + scrollY);
  const picture = smallerPng(
    await page.screenshot({
      fullPage: true,
      clip: { x: 0, y: 0, width: Number(width), height: Math.ceil(bottom) + 16 },
    }),
  );
  writeFileSync(out, picture);
  console.log(`Wrote ${out} (${Math.round(picture.length / 1000)} kB)`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
