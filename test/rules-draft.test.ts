import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { draftRules } from "../src/app/library/rules-from-markdown.js";
import { type RulesDraft, rulesDraftSchema } from "../src/core/results/lint.js";
import { parseRuleSets } from "../src/store/records/parse-rule-set.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";
import { lostSentences, sentencesOf } from "./support/sentences.js";

const PAGES = join(import.meta.dirname, "guidelines");
const page = (name: string) => readFileSync(join(PAGES, name), "utf8");
const draft = (name: string) =>
  draftRules(page(name), name, name.startsWith("subreddit") ? { community: "angling" } : {});
/** "platform 1 No spam". */
const listed = ({ rules }: RulesDraft) =>
  rules.map(({ community, id, title }) => `${community ?? "platform"} ${id} ${title}`);

describe.each(readdirSync(PAGES))("the page %s", (name) => {
  const sentences = sentencesOf(page(name), name);

  it("loses no sentence: each is in a rule or among what is not placed", () => {
    expect(sentences.length).toBeGreaterThan(5);
    expect(lostSentences(sentences, draft(name))).toEqual([]);
  });

  it("would be found to lose one, whatever part of the draft were missing", () => {
    const whole = draft(name);
    const { sets, not_placed: left } = whole;
    // A single short word may well be elsewhere, too.
    const long = (text: string) => text.length >= 12;
    const without = sets.flatMap((set, i) =>
      set.rules
        .filter(({ title, description }) => long(title) || long(description ?? ""))
        .map((rule) => ({ ...whole, sets: sets.with(i, { ...set, rules: set.rules.filter((one) => one !== rule) }) })),
    );
    const unplaced = left
      .filter(({ text, reason }) => long(text) && reason !== "page_furniture")
      .map((one) => ({ ...whole, not_placed: left.filter((other) => other !== one) }));
    expect(without.length).toBeGreaterThan(1);
    for (const less of [...without, ...unplaced]) expect(lostSentences(sentences, less)).not.toEqual([]);
  });

  it("becomes YAML that says the same", () => {
    const made = draft(name);
    const yaml = cliOk([
      "rules",
      "draft",
      join(PAGES, name),
      "--out",
      "-",
      ...(name.startsWith("subreddit") ? ["--community", "angling"] : []),
    ]);
    const sets = parseRuleSets(yaml, "draft.yaml").map(({ set }) => set);
    expect(JSON.parse(JSON.stringify(sets, sorted))).toEqual(JSON.parse(JSON.stringify(made.sets, sorted)));
    const comments = yaml
      .split("\n")
      .filter((line) => line.startsWith("#"))
      .join("\n");
    for (const { text } of made.not_placed) expect(comments).toContain(text.split("\n")[0]!.trim());
  });
});

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("pages of different shapes", () => {
  it("a numbered list with sub-items", () => {
    const made = draft("allotment-society.md");
    expect(listed(made)).toEqual([
      "platform 1 Stay on the subject of growing",
      "platform 2 No selling",
      "platform 3 Name plot holders only with their consent",
      "platform 4 Photographs",
      "platform 5 Chemicals",
      "platform 6 Be decent",
      "platform 7 One thread per question",
    ]);
    expect(made.sets[0]!.rules[3]!.detail).toMatch(/^a\. must be your own.*\nb\. .*\nc\. may show children/);
    expect(made.not_placed.map(({ line, reason }) => [line, reason])).toEqual([
      [3, "before_the_first_rule"],
      [42, "section_text"],
    ]);
  });

  it("headings with prose, with sections that are no rules", () => {
    const made = draft("harbour-photographers.md");
    expect(made.rules.map(({ id }) => id)).toEqual([
      "share-only-what-you-made",
      "captions-tell-the-truth",
      "keep-wildlife-safe",
      "critique",
      "adult-content",
    ]);
    expect(made.sets[0]!.rules[0]!.detail).toContain("Examples\n- A long exposure");
    expect(made.not_placed.map(({ reason }) => reason)).toEqual([
      "front_matter",
      "before_the_first_rule",
      "not_a_rule",
      "not_a_rule",
      "not_a_rule",
    ]);
  });

  it("an HTML page with menu, footer, entities, scripts and tags that are not closed", () => {
    const made = draft("northgate-community.html");
    expect(listed(made)).toEqual([
      "platform 1 Use your real name",
      "platform 2 No public shaming",
      "platform 3 Lost & found",
      "platform 4 Selling < £50",
      "platform 5 Elections",
    ]);
    expect(made.title).toBe("House rules");
    expect(JSON.stringify(made)).not.toMatch(/dataLayer|from a script|barbecue|font-weight/);
    expect(made.not_placed.filter(({ reason }) => reason === "page_furniture").map(({ text }) => text)).toContain(
      "Popular groups\nParents, Dogs, Repair café",
    );
  });

  it('plain text with "Rule 1:", in lines of Windows', () => {
    const made = draft("tabletop-bbs.txt");
    expect(made.read_as).toBe("text");
    expect(listed(made)).toEqual([
      "platform 1 Spoilers need a warning",
      "platform 2 No rules lawyering in play-by-post threads",
      "platform 3 Scans",
      "platform 4 Trading",
      "platform 5 Flames",
    ]);
    expect(made.sets[0]!.rules[2]!.detail).toBe(
      "- Character sheets are free to share.\n- Maps from books in print are scans, too.",
    );
  });

  it("several forums in one page, next to rules for all", () => {
    const made = draft("riverside-forums.md");
    expect(made.sets.map(({ scope, community, rules }) => [scope, community, rules.length])).toEqual([
      ["platform", undefined, 3],
      ["community", "Routes", 2],
      ["community", "Workshop", 3],
      ["community", "Marketplace", 4],
      ["community", "Kids' rides", 2],
    ]);
    expect(made.sets[3]!.rules[2]).toMatchObject({
      title: "Anything without a price",
      description: "What you may not offer",
    });
  });

  it("what Reddit and Mastodon give", () => {
    expect(listed(draft("subreddit-rules.json"))).toEqual([
      "platform S1 Spam",
      "platform S2 Personal and confidential information",
      "platform S3 Threatening, harassing, or inciting violence",
      "angling 1 Be civil",
      "angling 2 Descriptive titles",
      "angling 3 No fishing-licence jokes",
    ]);
    expect(draft("mastodon-rules.json").sets[0]!.rules[0]).toEqual({
      id: "2",
      title: "No racism, sexism, homophobia, transphobia, ableism, or casteism",
      description: "Includes jokes about them. Quoting for criticism is allowed.",
    });
  });
});

/** Pages that were written without knowledge of the reader. */
describe("pages of other people", () => {
  const ids = (name: string) =>
    draft(name).sets.map(({ community, rules }) => [community ?? "platform", rules.map(({ id }) => id).join(" ")]);

  it("with signs for numbers and bold capitals for headings", () => {
    expect(ids("discord-rules.md")).toEqual([
      ["platform", "1 2 3 4 5 6 7 8 9 10 voice-stuff venting dont-ping-lanternkeepers-for-fun"],
    ]);
  });

  it("with a list, a table and definitions under numbered sections", () => {
    expect(ids("marketplace.html")).toEqual([
      [
        "platform",
        "1.1 1.2 1.3 1.4 1.5 counterfeits fur-exotic-skins used-intimates hateful-items recalled-goods copied-patterns keep-it-on-threadbarn haggle-politely no-harassment honest-reviews post-on-time",
      ],
    ]);
  });

  it("with numbering that has gone a bit funny", () => {
    expect(ids("neighbourhood-board.txt")).toEqual([["platform", "1 2 3 4 iii-buying-selling-giving-away 6 7 8 9"]]);
  });

  it("with rules for all and rules for forums, counted in four ways", () => {
    expect(ids("parents-platform.md")).toEqual([
      ["platform", "1 2 3 4 5 6 7"],
      ["Bump & Birth", "1 2 3 4"],
      ["The Night Shift", "sleep-training-threads unsafe-sleep-set-ups selling"],
      ["Hand-me-downs", "1 2 3 4 5 6"],
      ["Teens & Beyond", "a b c d e"],
    ]);
  });

  it("with rules that are paragraphs with a bold beginning", () => {
    expect(draft("woodworkers-forum.md").rules.map(({ title }) => title)).toEqual([
      "Be kind to beginners",
      "Argue about the wood, not about each other",
      "No politics or religion",
      "Don't post advice that could cost somebody a finger",
      "Finishes",
      "Only post plans you have the right to post",
      "Say whose work it is",
      "Sales go in the Classifieds and nowhere else",
      "If you make money from it, tell us",
      "Titles that mean something",
      'Search before asking about "best first plane."',
      "Don't revive threads older than two years unless you've got something to add",
      "English please, or your own language with a rough translation underneath",
    ]);
  });
});

describe("defensible rules draft", () => {
  const folder = temporaryFolder();
  const forums = join(PAGES, "riverside-forums.md");

  it("shows what was understood, and writes nothing unless it is asked to", () => {
    const { stdout, stderr, status } = cli(["rules", "draft", forums], { cwd: folder });
    expect(status).toBe(0);
    expect(stdout).toContain(
      "14 rules: 3 of the platform, 11 of 4 communities (Routes, Workshop, Marketplace, Kids' rides)",
    );
    expect(stdout).toMatch(/Workshop +No brake repairs by remote/);
    expect(stdout).toContain("Questions here are about your own bike.");
    expect(stderr).toContain("Nothing was written.");
    const json = rulesDraftSchema.parse(JSON.parse(cliOk(["rules", "draft", forums, "--json"])));
    expect(json.rules).toHaveLength(14);
    expect(json.written).toEqual([]);
  });

  it("writes one file or a folder, and replaces nothing in silence", () => {
    const file = join(folder, "rules.yaml");
    cliOk(["rules", "draft", forums, "--out", file]);
    cliOk(["rules", "draft", forums, "--out", file]);
    const other = cli(["rules", "draft", forums, "--out", file, "--rules-version", "2"]);
    expect([other.status, other.stderr]).toEqual([
      1,
      expect.stringContaining("is there with other content\nName another place, or add --force"),
    ]);
    cliOk(["rules", "draft", forums, "--out", file, "--rules-version", "2", "--force"]);
    expect(readFileSync(file, "utf8")).toContain('version: "2"');
    cliOk(["rules", "draft", forums, "--out", `${join(folder, "sets")}/`, "--rules-version", "3"]);
    expect(readdirSync(join(folder, "sets")).sort()).toEqual([
      "kids-rides-3.yaml",
      "marketplace-3.yaml",
      "platform-3.yaml",
      "routes-3.yaml",
      "workshop-3.yaml",
    ]);
  });

  it("lets flags decide whose the rules are", () => {
    const of = (...flags: string[]) =>
      rulesDraftSchema
        .parse(JSON.parse(cliOk(["rules", "draft", forums, "--json", ...flags])))
        .sets.map(({ community, rules }) => `${community ?? "platform"} ${rules.length}`);
    expect(of("--community", "club")).toEqual(["club 3", "Routes 2", "Workshop 3", "Marketplace 4", "Kids' rides 2"]);
    expect(of("--platform")[0]).toMatch(/^platform 1[0-9]$/);
    expect(of("--community-level", "2")).toContain("Routes 2");
    expect(cli(["rules", "draft", forums, "--platform", "--community", "x"]).stderr).toContain("got --community too");
  });

  it("takes standard input", () => {
    const { stdout, status } = cli(["rules", "draft", "-", "--community", "a", "--json"], {
      input: page("subreddit-rules.json"),
      fresh: true,
    });
    expect(status).toBe(0);
    expect(rulesDraftSchema.parse(JSON.parse(stdout)).sets.map(({ community }) => community)).toEqual([undefined, "a"]);
  });

  it("answers what it cannot read with a sentence and a remedy", () => {
    const refused = (name: string, content: string | Uint8Array, ...flags: string[]) => {
      const file = join(folder, name);
      writeFileSync(file, content);
      const { status, stderr, stdout } = cli(["rules", "draft", file, ...flags]);
      expect([status, stdout]).toEqual([1, ""]);
      return stderr.replaceAll(folder, "");
    };
    expect(refused("empty.md", "")).toBe(
      "error: /empty.md: the file is empty\nCheck that it was written completely.\n",
    );
    expect(refused("blank.md", "\n \r\n")).toContain("holds nothing but blank space");
    expect(refused("prose.txt", "We are nice people. Nothing else.\n")).toBe(
      "error: /prose.txt: no rule was found; expected headings with text, or numbered items\nWrite each rule as a numbered item (`1. No spam.`) or under a heading of its own.\n",
    );
    expect(refused("app.html", "<html><body><div id=root></div><script>x</script></body></html>")).toContain(
      "the page has no text of its own",
    );
    expect(refused("rules.pdf", "%PDF-1.7 binary")).toContain("is a PDF document");
    expect(refused("latin.md", Buffer.from("# R\xe8gles\n\n1. Soyez gentils\n", "latin1"))).toContain("iconv");
    expect(refused("list.json", '[{"a": 1}]')).toContain(
      "neither a rule set nor the rules that Reddit or Mastodon give",
    );
    expect(refused("reddit.json", page("subreddit-rules.json"))).toContain("Add --community NAME");
    expect(refused("set.yaml", "scope: platform\nversion: 1\nrules: []\n")).toContain("is a rule set already");
    expect(refused("large.md", "1. No spam.\n".repeat(900_000))).toContain(
      "more than 100,000 lines\nGive the page with the rules alone.",
    );
    expect(refused("x.md", "1. a\n", "--effective-from", "2026-02-31")).toContain("expected a day such as 2026-01-31");
    expect(cli(["rules", "draft", join(folder, "none.md")]).stderr).toContain("no such file or folder");
  });

  it.each([".md", ".html", ".json", ".csv"])("writes no YAML into a file that ends in %s", (ending) => {
    const file = join(folder, `wrong${ending}`);
    const { status, stderr } = cli(["rules", "draft", forums, "--out", file]);
    expect([status, existsSync(file)]).toEqual([1, false]);
    expect(stderr).toContain(`cannot be written as ${ending}\nName a file that ends in .yaml, .yml or .txt`);
  });

  it.each(["[Home](index.md)", "[TOC]", "[![badge](x)](y)", "{{< toc >}}"])(
    "reads a page that begins with %s",
    (start) => {
      const text = `${start}\n\n# Rules\n\n1. No spam.\n2. Be kind.\n`;
      for (const name of ["page.md", "page.markdown", "page.txt"]) {
        expect(listed(draftRules(text, name))).toEqual(["platform 1 No spam", "platform 2 Be kind"]);
      }
      for (const name of ["page.md", "page.txt"]) {
        const place = join(folder, `${name}-${start.replace(/\W/g, "")}`);
        cliOk(["init", place]);
        writeFileSync(join(place, name), text);
        expect(cliOk(["import", name, "--platform"], { cwd: place })).toContain("Imported 1 rule set;");
      }
    },
  );

  it("still says where JSON under such a name has a slip", () => {
    for (const text of ['{"scope": "platform", "rules": [}', '[{"scope": "platform",', "{scope: platform, rules: [}"]) {
      expect(() => draftRules(text, "rules.txt")).toThrow(/rules\.txt:1/);
    }
  });

  it.each(["Welcome", "Welcome!", "Welcome here", "Welcome to the club"])(
    "takes the heading %s for a greeting",
    (heading) => {
      for (const items of [
        "1. No spam.\n2. Be kind.\n",
        "## Rules\n\n- No spam.\n- Be kind.\n",
        "- No spam.\n- Be kind.\n",
      ]) {
        const { sets } = draftRules(`# ${heading}\n\n${items}`, "page.md");
        expect(sets[0]!.rules.map(({ title }) => title)).toEqual(["No spam", "Be kind"]);
        expect(JSON.stringify(sets[0]!.rules)).not.toContain("Welcome");
      }
      const topics = draftRules(
        "# Rules\n\n## Welcome topics\n\n- Ferns\n- Mosses\n\n## Not allowed\n\n- Sales\n",
        "page.md",
      );
      expect(topics.sets[0]!.rules[0]).toMatchObject({ title: "Ferns", description: "Welcome topics" });
    },
  );

  it("shows nothing that acts on a terminal", () => {
    const file = join(folder, "acts.md");
    writeFileSync(
      file,
      "# R\u001b[31mules\n\n1. No \u001b]8;;http://x\u0007spam\u202e. Text\u0000.\n\nEnd \u009b2J of page\n",
    );
    const { stdout, stderr } = cli(["rules", "draft", file]);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe("pages of rules, elsewhere", () => {
  const folder = temporaryFolder();
  const workspace = join(folder, "ws");

  it("are not taken for the platform's where headings are communities of the decisions", () => {
    const place = join(folder, "by-heading");
    cliOk(["init", place]);
    const [rules, log] = [join(folder, "guide.md"), join(folder, "log.csv")];
    writeFileSync(
      rules,
      "# Rules\n\n## Everywhere\n\n1. Be kind.\n\n## Boats\n\n1. No engines.\n\n## Market\n\n1. State a price.\n",
    );
    writeFileSync(log, "id,community,content,decision\n1,boats,hello,remove\n2,Market,bye,approve\n");
    const refused = cli(["import", rules, log, "--workspace", place]);
    expect(refused.status).toBe(1);
    expect(refused.stdout).toContain("Imported 2 decisions and 0 rule sets; 0 duplicates, 0 rejected, 1 file refused.");
    expect(refused.stderr).toContain("guide.md: 3 rules of the platform (Everywhere, Boats, Market).");
    expect(refused.stderr).toContain("headings of level 2 are communities of the decisions (Boats, Market)");
    expect(refused.stderr.replace(/ \\\n\s*/g, " ")).toMatch(
      /^ {2}defensible import .*guide\.md .*--community-level 2$/m,
    );
    const taken = cli(["import", rules, "--workspace", place, "--community-level", "2"]);
    expect(taken.stdout).toBe("Imported 3 rule sets; 0 duplicates, 0 rejected.\n");
    expect(taken.stderr).toContain(
      "guide.md: 1 rule of the platform (Everywhere), 1 of boats (No engines), 1 of Market (State a price).",
    );
    expect(taken.stderr).not.toContain("matches no decision");
    expect(cliOk(["import", rules, "--workspace", place, "--community-level", "2"])).toContain("3 duplicates");
    const again = cli(["import", rules, "--workspace", place, "--platform"]);
    expect(again.stderr).toContain("nothing says which one is in force");
    expect(again.stderr).not.toContain("different rules under");
  });

  it("are imported, linted and compared as they are", () => {
    cliOk(["init", workspace, "--example", "commons"]);
    const rules = join(folder, "film-club.md");
    writeFileSync(rules, "# Film club\n\nHello.\n\n1. **No spoilers.** Mark what gives away an ending.\n2. Be kind.\n");
    const first = cli(["import", rules, "--community", "new-club", "--workspace", workspace]);
    expect(first.stdout).toBe("Imported 1 rule set; 0 duplicates, 0 rejected.\n");
    expect(first.stderr).toContain(
      "2 rules of new-club (No spoilers, Be kind); 1 passage is in no rule. `defensible rules draft ",
    );
    expect(cliOk(["import", rules, "--community", "new-club", "--workspace", workspace])).toContain("1 duplicate");
    const kept = readdirSync(join(workspace, "rules")).find((name) => name.startsWith("new-club"))!;
    expect(readFileSync(join(workspace, "rules", kept), "utf8")).toContain("# line 3 (before the first rule): Hello.");
    const lint = cli(["rules", "lint", rules]);
    expect(lint.stdout).toContain("2 rules in 1 rule set");
    const diff = cli(["rules", "diff", rules, "--workspace", workspace, "--auditor", "baseline", "--dry-run"]);
    expect(diff.stderr + diff.stdout).not.toContain("error:");
    expect(diff.status).toBe(0);
    expect(existsSync(join(workspace, "rules", "film-club.md"))).toBe(false);
  });

  it("do not take tables of decisions for pages", () => {
    const table = join(folder, "log.txt");
    writeFileSync(table, "id,community,content,decision\n1,plants,1. No spam,remove\n2,plants,# hello,approve\n");
    cliOk(["init", join(folder, "other")]);
    expect(cliOk(["import", table, "--workspace", join(folder, "other")])).toContain("Imported 2 decisions");
  });
});
