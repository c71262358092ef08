import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, leaveBrowser, openView, watchedContext } from "../support/browser.js";
import { cliOk, temporaryFolder } from "../support/cli.js";
import { unfold } from "./open-views.js";

const root = join(temporaryFolder(), "forum");
const html = join(root, "..", "forum.html");
const run = (...args: string[]) => cliOk(args, { cwd: root });
let browser: Browser;

const POSTS = [
  ["Buy cheap watches in my shop, great discount", "remove"],
  ["How do I prune tomatoes?", "allow"],
  ["My orchid has yellow leaves, what can I do?", "ban"],
] as const;

beforeAll(async () => {
  cliOk(["init", root, "--actions", "allow,remove,ban"]);
  writeFileSync(
    join(root, "rules.yaml"),
    'scope: platform\nversion: "1"\nrules:\n  - {id: P1, title: No advertising, description: Posts that sell goods are removed.}\n',
  );
  const rows = Array.from({ length: 30 }, (_, i) => {
    const [content, decision] = POSTS[i % POSTS.length]!;
    return JSON.stringify({ id: `d${i}`, community: "garden", content, decision, human_label: "remove" });
  });
  writeFileSync(join(root, "new.jsonl"), `${rows.join("\n")}\n`);
  run("import", "rules.yaml", "new.jsonl");
  run("audit", "--alternatives", "1", "--flip", "0");
  run("gate", "apply", "--harm", "0.2");
  run("report", "--html", html);
  browser = await launchBrowser();
});

afterAll(leaveBrowser);

/** The words of a view with everything unfolded, without what a terminal or a page breaks lines by. */
async function viewOf(hash: string): Promise<string> {
  const page = await (await watchedContext(browser)).newPage();
  await openView(page, html, hash);
  await unfold(page);
  return words(await page.locator("main").innerText());
}

const words = (text: string) => text.replaceAll(/\s+/g, " ");

describe("the page of a run with more than two actions", () => {
  it("shows the terminal's section on actions and alternatives, with its numbers", async () => {
    const shown = await viewOf("#/overview/numbers");
    const { several_actions: several } = JSON.parse(run("report", "--json"));
    const { k, n } = several.alternatives.any_derivable;
    expect(shown).toContain("At least one audited alternative can be derived for");
    expect(shown).toContain(`of the decisions, ${k} of ${n}.`);
    for (const text of ["Same action as the human label", "Mean distance in severity"]) {
      expect(shown.toLowerCase()).toContain(text.toLowerCase());
    }
    expect(several.alternatives.pairs.length).toBeGreaterThan(2);
    for (const { decision, alternative, derivable } of several.alternatives.pairs) {
      expect(shown).toMatch(new RegExp(`${decision} ${alternative} .*? ${derivable.k} of ${derivable.n}`));
    }
    expect(shown).toContain("where another action follows from the rules too, or alone");
  });

  it("names every action in the overview, and another action instead of the opposite", async () => {
    const shown = await viewOf("#/overview");
    expect(shown).toContain("another action holds");
    for (const action of ["allow", "remove", "ban"]) expect(shown).toMatch(new RegExp(`\\d+ of 10 ${action}`));
  });

  it("shows expected harm where the gate limits it", async () => {
    const shown = await viewOf("#/automation/proof");
    expect(shown).toContain("Expected harm");
    expect(shown).toContain("keep the limit of 0.2 by the cautious gate");
  });
});
