import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DefensibleError } from "../errors.js";
import { createWorkspace } from "../workspace/workspace.js";
import { checkPageFlags, type PageFlags, refuseOwnFiles } from "./report-flags.js";

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

  it("never name a file that the workspace is made of", () => {
    const { root, paths } = createWorkspace(join(folder, "ws"));
    const own = [paths.config, paths.decisions, join(paths.rules, "boats.yaml"), join(root, "redaction.key")];
    for (const path of own) if (!existsSync(path)) writeFileSync(path, "");
    const refused = (file: string) => () => refuseOwnFiles({ decisions: false, jsonFile: file }, { root, paths });
    for (const path of own) expect(refused(path)).toThrow("is a file of the workspace");
    writeFileSync(join(root, "report.json"), "{}");
    expect(refused(join(root, "report.json"))).not.toThrow();
    expect(refused(join(root, "new.json"))).not.toThrow();
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
