import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DefensibleError } from "../../core/errors.js";
import { checkPageFlags, type PageFlags } from "./flags.js";

const folder = mkdtempSync(join(tmpdir(), "report-flags-"));
const html = join(folder, "report.html");

function check(flags: Partial<PageFlags>): void {
  checkPageFlags({ decisions: 2_000, ...flags }, (name) => flags[name] !== undefined);
}

/** Code of what is wrong with these flags; null: nothing. */
function wrong(flags: Partial<PageFlags>): string | null {
  try {
    check(flags);
    return null;
  } catch (cause) {
    if (cause instanceof DefensibleError) return cause.code;
    throw cause;
  }
}

describe("flags of a page", () => {
  it("go together", () => {
    expect(wrong({})).toBeNull();
    expect(wrong({ html })).toBeNull();
    expect(wrong({ html, redact: true, decisions: false })).toBeNull();
    expect(wrong({ html, decisions: 10, jsonFile: join(folder, "r.json") })).toBeNull();
    expect(wrong({ figures: "f", decisions: false })).toBeNull();
    for (const output of [{ json: true }, { jsonFile: "r.json" }, { md: true }, { mdFile: "r.md" }, { figures: "f" }]) {
      expect(wrong({ redact: true, ...output })).toBeNull();
    }
  });

  it("are refused where they would seem to be obeyed", () => {
    expect(wrong({ redact: true })).toBe("needs_output");
    expect(wrong({ decisions: 10 })).toBe("needs_html");
    expect(wrong({ decisions: 10, figures: "f" })).toBe("needs_html");
    expect(wrong({ decisions: false, json: true })).toBe("needs_html");
  });

  it("contradict each other in no order, and none is passed over", () => {
    expect(wrong({ html, decisions: 5, listed: true, leftOut: true })).toBe("contradiction");
    expect(wrong({ html, decisions: false, listed: true, leftOut: true })).toBe("contradiction");
    expect(wrong({ json: true, md: true })).toBe("one_stdout");
    expect(wrong({ json: true, md: true, html })).toBe("one_stdout");
    expect(wrong({ jsonFile: "r.json", md: true })).toBeNull();
    expect(wrong({ audits: "a.jsonl", workspace: "w" })).toBe("contradiction");
    expect(wrong({ html, rows: 3 })).toBe("needs_tables");
    expect(wrong({ json: true, rows: 3 })).toBe("needs_tables");
    for (const text of [{}, { md: true }, { html, mdFile: "r.md" }, { json: true, mdFile: "r.md" }]) {
      expect(wrong({ rows: 3, ...text })).toBeNull();
    }
  });

  it("name a file that can be written, which is found out before the work", () => {
    mkdirSync(join(folder, "taken"));
    expect(wrong({ html: "" })).toBe("no_file");
    expect(wrong({ html: "-" })).toBe("not_a_file");
    expect(wrong({ html: "/dev/stdout" })).toBe("not_a_file");
    expect(wrong({ html: join(folder, "taken") })).toBe("not_a_file");
    expect(wrong({ html: join(folder, "taken/") })).toBe("not_a_file");
    expect(wrong({ html: join(folder, "none", "report.html") })).toBe("file_enoent");
    writeFileSync(join(folder, "plain"), "");
    expect(wrong({ html: join(folder, "plain", "report.html") })).toBe("file_enotdir");
  });

  it("name each file once, by whatever name, and the one that would be written twice is told", () => {
    const [json, same, link] = ["r.json", "./r.json", "link.json"].map((name) => `${folder}/${name}`);
    expect(() => check({ html, mdFile: `${folder}/./report.html` })).toThrow("/./report.html: would be written twice");
    expect(() => check({ html, jsonFile: json, mdFile: same })).toThrow(`${same}: would be written twice`);
    writeFileSync(json!, "{}");
    symlinkSync(json!, link!);
    expect(() => check({ html, jsonFile: json, mdFile: link })).toThrow(`${link}: would be written twice`);
    expect(wrong({ html, jsonFile: json, mdFile: join(folder, "r.md") })).toBeNull();
    expect(wrong({ html, figures: html })).toBe("same_file");
    const twice = join(folder, "linked");
    symlinkSync(folder, twice);
    expect(wrong({ jsonFile: join(folder, "new.md"), mdFile: join(twice, "new.md") })).toBe("same_file");
  });

  it("name each file once although a link leads to where nothing is yet, or among the figures", () => {
    const [made, link] = ["made.html", "to-made.html"].map((name) => join(folder, name)) as [string, string];
    symlinkSync("made.html", link);
    expect(wrong({ html: made, mdFile: link })).toBe("same_file");
    symlinkSync("round.html", join(folder, "round.html"));
    expect(wrong({ html, mdFile: join(folder, "round.html") })).toBeNull();
    const figures = join(folder, "figures");
    expect(wrong({ figures, jsonFile: join(figures, "levels.svg") })).toBe("same_file");
    expect(wrong({ figures, jsonFile: join(figures, "report.json") })).toBeNull();
    expect(wrong({ figures, jsonFile: join(figures, "more", "levels.svg") })).toBeNull();
  });

  it("never name the audits that are read, nor anything but a page to be replaced by one", () => {
    const [audits, link, page] = ["audits.csv", "link.csv", "old.html"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(audits, "decision_id,community\n");
    symlinkSync(audits, link);
    writeFileSync(page, "<!doctype html>\n<html>");
    expect(wrong({ html: audits })).toBe("not_a_page");
    expect(wrong({ html: page })).toBeNull();
    for (const output of [{ jsonFile: audits }, { mdFile: link }])
      expect(wrong({ audits, ...output })).toBe("is_input");
    expect(wrong({ audits, html: page, jsonFile: join(folder, "new.json") })).toBeNull();
  });

  it("name a folder for figures, which need not exist", () => {
    const plain = join(folder, "plain-file");
    writeFileSync(plain, "");
    expect(wrong({ figures: join(folder, "none-yet") })).toBeNull();
    expect(wrong({ figures: folder })).toBeNull();
    expect(wrong({ figures: "" })).toBe("no_folder");
    expect(wrong({ figures: "-" })).toBe("not_a_folder");
    expect(wrong({ figures: plain })).toBe("not_a_folder");
  });
});
