import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeCommunityPage } from "../../measures/community.suite.js";
import { unpack } from "../words/pack.js";
import { htmlFile, htmlShell } from "./html-file.js";

const folder = mkdtempSync(join(tmpdir(), "html-file-"));
const SCRIPT = 'const greeting = "hello";\n';
writeFileSync(join(folder, "app.js"), SCRIPT);
writeFileSync(join(folder, "app.css"), "body { margin: 0 }");
const shell = htmlShell(pathToFileURL(`${folder}/`));

const NASTY = '</script><script>alert(1)</script><!-- <img src="https://evil.example/x"> \u202e\u0000 ]]>';

describe("the HTML file", () => {
  const page = makeCommunityPage([{ community: NASTY, levels: [1, 2, 3], inverse_yes: [0, 1, 0] }], { notes: [NASTY] });
  const html = htmlFile(page, shell);

  it("holds nothing of the content as it was written, and all of it in its data", () => {
    for (const part of ["alert", "evil", "\u202e", "<!-- "]) expect(html.includes(part)).toBe(false);
    const data = /<script type="text\/plain" id="report-data">([A-Za-z0-9+/=]+)<\/script>/.exec(html)![1]!;
    const read = unpack(JSON.parse(gunzipSync(Buffer.from(data, "base64")).toString("utf8")));
    expect(read).toEqual(page);
  });

  it("lets its own script run and no other, and nothing be loaded", () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)![1]!;
    const hash = createHash("sha256").update(SCRIPT).digest("base64");
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${hash}'`,
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    // The policy must stand before anything that it is about.
    expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<style"));
  });

  it("has two scripts, its data and the application, and refers to nothing outside", () => {
    expect(html.match(/<script\b/g)).toHaveLength(2);
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(/<script type="module">([\s\S]*?)<\/script>/.exec(html)![1]).toBe(SCRIPT);
    expect(html).not.toMatch(/<(link|img|iframe|object|embed|base|form|a)\b|\b(src|href|action|srcset)=|https?:/i);
  });

  it("says in itself that it was cut off, before anything long begins", () => {
    const told = html.indexOf("the file was cut off");
    expect(told).toBeGreaterThan(html.indexOf('<div id="root">'));
    expect(told).toBeLessThan(3_000);
    for (const long of ["margin: 0", "report-data", SCRIPT]) expect(html.indexOf(long)).toBeGreaterThan(told);
  });

  it("is not made where the application is not built, and says what to do", () => {
    expect(() => htmlShell(pathToFileURL(`${folder}/none/`))).toThrow("the report's application is missing");
  });

  it("is the same each time it is written", () => {
    expect(htmlFile(page, shell)).toBe(html);
  });
});
