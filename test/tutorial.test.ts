import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/cli.js";
import { recordedDemo } from "./support/recorded-demo.js";
import { shell } from "./support/shell.js";

const ROOT = join(import.meta.dirname, "..");

interface Step {
  commands: string;
  /** Lines that it prints, in this order. */
  prints: string[];
}

/** Commands of the page, each block with what the page says it prints. */
function steps(page: string): Step[] {
  const blocks = [...page.matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
    kind,
    text: text!,
  }));
  const found: Step[] = [];
  for (const { kind, text } of blocks) {
    if (kind === "sh") found.push({ commands: text, prints: [] });
    else found.at(-1)!.prints = text.trim().split("\n");
  }
  return found;
}

const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();

/** Each block of commands in one shell; what each block printed. The demo is the one that all tests share. */
async function run(blocks: readonly string[], cwd: string): Promise<string[]> {
  const { workspace } = await recordedDemo();
  const demo = `[ "$*" = "demo ../commons" ]; then cp -r ${workspace} ../commons`;
  const before = `eval "any_$(declare -f defensible)"; defensible() { if ${demo}; else any_defensible "$@"; fi; }`;
  const mark = "@@@ end of block @@@";
  const body = blocks.map((block) => `${block}\necho "${mark}"`).join("\n");
  return (await shell(body, cwd, { before })).split(mark);
}

describe("docs/tutorial.md", () => {
  it("prints what it says, command by command", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "examples"));
    cpSync(join(ROOT, "examples", "pedalboard"), join(folder, "examples", "pedalboard"), { recursive: true });
    const page = steps(readFileSync(join(ROOT, "docs", "tutorial.md"), "utf8"));
    expect(page.length).toBeGreaterThan(12);
    const printed = await run(
      page.map(({ commands }) => commands),
      folder,
    );
    for (const [i, { commands, prints }] of page.entries()) {
      let rest = squeeze(printed[i]!);
      for (const line of prints) {
        const at = rest.indexOf(squeeze(line));
        expect(at, `${commands} prints "${line}", got ${rest.slice(0, 3000)}`).toBeGreaterThanOrEqual(0);
        rest = rest.slice(at);
      }
    }
  }, 120_000);
});
