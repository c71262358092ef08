import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DefensibleError } from "../errors.js";
import { checkPageFlags, type PageFlags } from "./report-flags.js";

const folder = mkdtempSync(join(tmpdir(), "report-flags-"));
const html = join(folder, "report.html");

/** Code of what is wrong with these flags; null: nothing. */
function wrong(flags: Partial<PageFlags>): string | null {
  try {
    checkPageFlags({ decisions: 2_000, ...flags }, (name) => flags[name] !== undefined);
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
    for (const output of [{ json: true }, { jsonFile: "r.json" }, { md: true }, { mdFile: "r.md" }, { figures: "f" }]) {
      expect(wrong({ redact: true, ...output })).toBeNull();
    }
  });

  it("are refused where they would seem to be obeyed", () => {
    expect(wrong({ redact: true })).toBe("needs_output");
    expect(wrong({ decisions: 10 })).toBe("needs_html");
    expect(wrong({ decisions: false, json: true })).toBe("needs_html");
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
    expect(wrong({ html, mdFile: join(folder, ".", "report.html") })).toBe("same_file");
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
