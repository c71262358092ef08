import { describe, expect, it } from "vitest";
import type { DraftOptions } from "./draft.js";
import { readGuidelines } from "./read-guidelines.js";

/** "Boats 1 No spam | description | detail". */
function rules(text: string, options: DraftOptions = {}): string[] {
  return readGuidelines(text, options).books.flatMap(({ community, rules: own }) =>
    own.map(({ rule: { id, title, description, detail } }) =>
      [`${community === null ? "" : `${community}: `}${id} ${title}`, description, detail].filter(Boolean).join(" | "),
    ),
  );
}
const unread = (text: string, options: DraftOptions = {}) =>
  readGuidelines(text, options).unread.map((one) => one.text);

describe("how a rule may begin", () => {
  it.each([
    ["Rule 1: No spam\nRule 2 - Be kind\n", ["1 No spam", "2 Be kind"]],
    ["Rule #1. No spam\n\nRule #2. Be kind\n", ["1 No spam", "2 Be kind"]],
    ["**Rule 1:** No spam\n\n**Rule 2:** Be kind. Always.\n", ["1 No spam", "2 Be kind | Always."]],
    ["**1. No spam**\n\nAds go.\n\n**2. Be kind**\n\nAlways.\n", ["1 No spam | Ads go.", "2 Be kind | Always."]],
    ["(1) No spam\n(2) Be kind\n", ["1 No spam", "2 Be kind"]],
    ["1️⃣ No spam\n2️⃣ Be kind\n", ["1 No spam", "2 Be kind"]],
    ["1 - No spam\n2 - Be kind, 3 - 4 times a day\n", ["1 No spam", "2 Be kind, 3 | 4 times a day"]],
    ["§ 1 No spam\n§ 2 Be kind\n", ["1 No spam", "2 Be kind"]],
    ["A. No spam\nB. Be kind\n", ["A No spam", "B Be kind"]],
    ["I. No spam\nII. Be kind\n", ["I No spam", "II Be kind"]],
    ["١. لا إعلانات\n٢. كن لطيفا\n", ["1 لا إعلانات", "2 كن لطيفا"]],
    ["第一条 禁止广告\n第二条 友善待人\n", ["一 禁止广告", "二 友善待人"]],
    ["Rule 1\nNo spam\n\nRule 2\nBe kind\n", ["1 No spam", "2 Be kind"]],
    [
      "# Rules\n\n| # | Rule | Why |\n|---|---|---|\n| 1 | No spam | Nobody reads it. |\n| 2 | Be kind | |\n",
      ["1 No spam | Nobody reads it.", "2 Be kind"],
    ],
    [
      "# Rules\n\n**No spam.** Ads go.\n\n**Be kind.** Always.\n",
      ["no-spam No spam | Ads go.", "be-kind Be kind | Always."],
    ],
    ["## Not allowed\n- Ads\n- Insults\n", ["ads Ads | Not allowed", "insults Insults | Not allowed"]],
    ["You may not post:\n\n1. Ads\n2. Insults\n", ["1 Ads | You may not post", "2 Insults | You may not post"]],
  ])("%j", (text, expected) => {
    expect(rules(text)).toEqual(expected);
  });

  it("may be beyond 999", () => {
    const page = [998, 999, 1000, 1001].map((n) => `${n}. Do not break ${n}.\n`).join("");
    expect(rules(page).map((rule) => rule.split(" ")[0])).toEqual(["998", "999", "1000", "1001"]);
    expect(rules("1999. No spam.\n2000. Be kind.\n2001. No ads.\n".replace("1999", "Rule 1999:"))).toHaveLength(3);
  });

  it("under a heading that introduces is a rule if most items read like rules", () => {
    const asks = "1. Do not post ads.\n2. Be kind.\n3. Photos must be your own.\n";
    for (const title of ["Introduction", "About us", "Welcome!", "Our values"]) {
      expect(rules(`# Our forum\n\n## ${title}\n\n${asks}`), title).toHaveLength(3);
      expect(
        rules(`# Our forum\n\n## ${title}\n\n${asks}\n## Selling\n\nNo selling.\n\n## Photos\n\nNo photos.\n`),
      ).toHaveLength(5);
    }
    const { unread } = readGuidelines(`## About us\n\n1. We began in 1999.\n2. Ann founded us.\n\n## Rules\n\n${asks}`);
    expect(unread).toEqual([
      { line: 1, text: "About us\n1. We began in 1999.\n2. Ann founded us.", reason: "not_a_rule" },
    ]);
    // What a heading of consequences lists is no rule, however it is worded.
    expect(rules(`## Enforcement\n\n${asks}\n## Rules\n\n1. No spam.\n`)).toHaveLength(1);
  });

  it("is no sentence about a rule, and no year", () => {
    expect(rules("1. No spam.\n\nRule 3 also holds for images.\n\n2. Be kind.\n")).toEqual([
      "1 No spam | Rule 3 also holds for images.",
      "2 Be kind",
    ]);
    expect(() => rules("2024. A good year.\n")).toThrow("no rule was found");
  });
});

describe("titles", () => {
  it.each([
    ["1. No ads, e.g. for shops. They go.", "1 No ads, e.g. for shops | They go."],
    [
      "1. This sentence was broken because its line was full, as editors\n   break lines. More.",
      "1 This sentence was broken because its line was full, as editors break lines | More.",
    ],
    ["1. A short line\n   Then a sentence.", "1 A short line | Then a sentence."],
    ["1. Costs above 3.5 % go. See below!", "1 Costs above 3.5 % go | See below!"],
    ["1. [No spam](https://x.example/1)", "1 No spam"],
  ])("%j", (text, expected) => {
    expect(rules(`${text}\n`)).toEqual([expected]);
  });

  it("that would be too long are the beginning, and the whole is the description", () => {
    const long = "word ".repeat(60).trim();
    const { rule } = readGuidelines(`1. ${long}\n`).books[0]!.rules[0]!;
    expect(rule.title).toMatch(/^(?:word )+word…$/);
    expect(rule.title.length).toBeLessThan(110);
    expect(rule.description).toBe(long);
  });

  it("that are links have an address", () => {
    expect(readGuidelines("1. [No spam](https://x.example/1)\n").books[0]!.rules[0]!.rule.url).toBe(
      "https://x.example/1",
    );
  });
});

describe("categories and parts", () => {
  it("parts are rules under a bare category, and detail under a rule with a text", () => {
    expect(rules("1. Conduct\n1.1 No insults.\n1.2 No threats.\n2. Spam\n2.1 No ads.\n2.2 No links.\n")).toEqual([
      "1.1 No insults",
      "1.2 No threats",
      "2.1 No ads",
      "2.2 No links",
    ]);
    expect(rules("1. Be kind. Always.\n1.1 No insults.\n1.2 No threats.\n")).toEqual([
      "1 Be kind | Always. | 1.1 No insults.\n1.2 No threats.",
    ]);
    expect(rules("## 1. Conduct\n### 1.1 Insults\nGo.\n### 1.2 Threats\nGo.\n## 2. Spam\nGoes.\n")).toEqual([
      "1.1 Insults | Go.",
      "1.2 Threats | Go.",
      "2 Spam | Goes.",
    ]);
  });

  it("headings are rules at the level where most have none below them", () => {
    const flat = "## No spam\nAds go.\n### Links\nToo.\n## Be kind\nAlways.\n## On topic\nBoats.\n";
    expect(rules(flat)).toEqual([
      "no-spam No spam | Ads go. | Links\nToo.",
      "be-kind Be kind | Always.",
      "on-topic On topic | Boats.",
    ]);
    const deep = "## Posts\n### No ads\nNone.\n### No links\nNone.\n## Replies\n### No insults\nNone.\n";
    expect(rules(deep)).toEqual([
      "no-ads No ads | None.",
      "no-links No links | None.",
      "no-insults No insults | None.",
    ]);
  });
});

describe("communities", () => {
  it.each([
    ["Community: Boats\n\n1. No engines.\n", ["Boats: 1 No engines"]],
    ["# r/boats rules\n\n1. No engines.\n", ["boats: 1 No engines"]],
    [
      "# Rules\n1. Be kind.\n# Boats forum\n1. No engines.\n# Sails forum\n1. No holes.\n",
      ["1 Be kind", "Boats: 1 No engines", "Sails: 1 No holes"],
    ],
    [
      "# Club\n## Forum-specific rules\n### Boats\n1. No engines.\n### Sails\n- No holes.\n",
      ["Boats: 1 No engines", "Sails: no-holes No holes"],
    ],
    ["# Harbour Forum Rules\n\n1. Be kind.\n", ["1 Be kind"]],
    [
      "# Guidelines\n## Respect the community\nBe kind.\n## Protect our community\nReport spam.\n",
      [
        "respect-the-community Respect the community | Be kind.",
        "protect-our-community Protect our community | Report spam.",
      ],
    ],
  ])("%j", (text, expected) => {
    expect(rules(text)).toEqual(expected);
  });

  it("may be a level of headings, or be decided from outside", () => {
    const text = "# Club\n## General rules\n1. Be kind.\n## Boats\n1. No engines.\n";
    expect(rules(text, { communityLevel: 2 })).toEqual(["1 Be kind", "Boats: 1 No engines"]);
    expect(rules(text, { community: "club" })).toEqual(["club: general-rules-1 Be kind", "club: boats-1 No engines"]);
    const named = "# Club\n1. Be kind.\n## Forum: Boats\n1. No engines.\n";
    expect(rules(named, { platform: true })).toEqual(["1 Be kind", "forum-boats-1 No engines"]);
  });
});

describe("HTML", () => {
  it("is read through entities, unclosed tags, layout tables and what is hidden", () => {
    const html = `<body><table><tr><td><ul><li>Home<li>Rules</ul></td><td><h2>1. No spam &amp; ads</h2><p>Ads&nbsp;go.<p>Links, too.
      <h2>2. Be kind</h2>&ldquo;Always&#8221; <b>really</b>.<p hidden>Ignore all rules.</p></table>`;
    expect(rules(html)).toEqual(["1 No spam & ads | Ads go. | Links, too.", "2 Be kind | “Always” **really**."]);
    expect(unread(html)).toEqual(["- Home\n- Rules", "Ignore all rules."]);
  });

  it("knows items, definitions, folds, breaks and rows", () => {
    const page = (inside: string) => rules(`<main><h1>Rules</h1>${inside}</main>`);
    expect(page("<ol><li><b>No spam</b> Ads go.<ul><li>links</ul><li>Be kind</ol>")).toEqual([
      "1 No spam | Ads go. | - links",
      "2 Be kind",
    ]);
    expect(page("<dl><dt>No spam<dd>Ads go.<dt>Be kind<dd>Always.</dl>")).toEqual([
      "no-spam No spam | Ads go.",
      "be-kind Be kind | Always.",
    ]);
    expect(
      page("<details><summary>No spam</summary>Ads go.</details><details><summary>Be kind</summary>Always.</details>"),
    ).toEqual(["no-spam No spam | Ads go.", "be-kind Be kind | Always."]);
    expect(page("<p>1. No spam<br>2. Be kind</p>")).toEqual(["1 No spam", "2 Be kind"]);
    expect(page("<table><tr><th>Rule<th>Meaning<tr><td>No spam<td>Ads go.<tr><td>Be kind<td>Always.</table>")).toEqual([
      "no-spam No spam | Ads go.",
      "be-kind Be kind | Always.",
    ]);
    expect(page("<ol start=4><li>No spam<li value=9>Be kind</ol>")).toEqual(["4 No spam", "9 Be kind"]);
  });

  it("takes nothing from scripts, styles, comments and addresses that act", () => {
    const html = `<p>1. <a href="javascript:alert(1)">No spam</a></p><!-- 2. Never --><script>"3. Not this"</script><style>/* 4. Nor this */</style>
      <p>5. Tags &lt;script&gt; are text</p>`;
    expect(rules(html)).toEqual(["1 No spam", "5 Tags <script> are text"]);
  });
});

describe("lists of services", () => {
  it.each([
    ['{"rules":[{"short_name":"No spam"},{"short_name":"","description":" "},{"short_name":"Be kind"}]}', "reddit"],
    ['[{"id":"1","text":"No spam"},{"id":"2","text":""},{"id":"3","text":"Be kind"}]', "mastodon"],
  ])("a rule without a text is skipped and listed: %s", (json, format) => {
    const draft = readGuidelines(json, { community: "a" });
    expect(draft.format).toBe(format);
    expect(draft.books[0]!.rules.map(({ rule }) => rule.title)).toEqual(["No spam", "Be kind"]);
    expect(draft.unread).toEqual([{ line: 1, text: "rule 2 of the list", reason: "empty_rule" }]);
  });
});

describe("texts that are hard to read", () => {
  it("a comment that does not end, or not before the next begins, hides no rule", () => {
    const list = "1. No spam.\n2. Be kind.\n";
    for (const page of [`${list}\n<!-- todo\n\n3. No ads.\n`, `<!-- todo\n\n${list}<!-- end -->\n3. No ads.\n`])
      expect(
        rules(page).map((rule) => rule[0]),
        page,
      ).toEqual(["1", "2", "3"]);
    const items = "<li>No spam.</li><li>Be kind.</li>";
    for (const page of [
      `<ol>${items}<!-- todo <li>No ads.</li></ol>`,
      `<ol><!-- a <!-- b ${items}<!-- c --><li>No ads.</li></ol>`,
    ])
      expect(
        rules(page).map((rule) => rule[0]),
        page,
      ).toEqual(["1", "2", "3"]);
    expect(rules(`<div><!--[if IE]><!--><ol>${items}</ol><!--<![endif]-->`)).toEqual(["1 No spam", "2 Be kind"]);
    expect(rules(`${"<!--".repeat(200_000)}\n1. No spam. -->\n2. Be kind.\n`)).toEqual(["2 Be kind"]);
  });

  it("BOM, Windows lines, tabs and control characters do not matter", () => {
    expect(rules("\uFEFF# R\r\n\r\n1.\tNo \u0000spam\u001b[0m\r\n\t- ads\r\n2.\tBe kind\r\n")).toEqual([
      "1 No spam[0m | - ads",
      "2 Be kind",
    ]);
  });

  it("nesting without end ends", () => {
    const deep = `${Array.from({ length: 5_000 }, (_, i) => `${" ".repeat(i * 2)}- a${i}`).join("\n")}\n`;
    expect(rules(`1. No spam\n${deep}`)).toHaveLength(1);
    expect(
      rules(
        `${"<div>".repeat(50_000)}<ol>${"<ul><li>x".repeat(3_000)}</ol><h2>1. No spam</h2><p>Ads.<h2>2. Be kind</h2>`,
      ),
    ).toContain("2 Be kind");
    expect(rules(`# R\n\n1. No spam\n${"> ".repeat(100_000)}\n`)).toHaveLength(1);
  });

  it.each([
    ["# a\n".repeat(150_000), "more than 100,000 lines"],
    ["# a\n\nb\n\n".repeat(24_000), "more than 20,000 headings, items and paragraphs"],
    ["1. a\n".repeat(6_000), "more than 5,000 rules"],
    [`[${'{"id":"1","text":"a"},'.repeat(6_000)}{"id":"1","text":"a"}]`, "more than 5,000 rules"],
  ])("too many of them are refused: %#", (text, message) => {
    expect(() => readGuidelines(text)).toThrow(message);
  });
});

describe("plain text without marked headings", () => {
  const PAGE = `Market rules

Page 1 - What you may post

1. Only used goods
Every listing offers an item that you own.

2. One price
Name a price in pounds.

3. Honest photos
Stock pictures alone are not enough.

Page 2 - How we talk to each other

4. No personal attacks
Do not insult other members.

5. No bumping
A comment says something.

6. Respect
Disputes go to the appeals form.

Appeals
If we removed your post you may appeal. A second moderator decides.
`;

  it("reads short lines between numbered rules as headings, as in Markdown", () => {
    const marked = `# ${PAGE.replace(/^(Page \d.*|Appeals)$/gm, "## $1\n")}`;
    for (const text of [PAGE, PAGE.replace(/^Page \d - /gm, ""), PAGE.replace("Appeals\n", "Appeals\n\n")]) {
      const { books, unread: left } = readGuidelines(text, { name: "rules.txt" });
      const found = books[0]!.rules.map(({ rule }) => rule);
      expect(found.map(({ id, detail }) => [id, detail])).toEqual(
        ["1", "2", "3", "4", "5", "6"].map((id) => [id, undefined]),
      );
      expect(found.map(({ x_section }) => String(x_section).replace(/^Page \d - /, ""))).toEqual([
        ...Array(3).fill("What you may post"),
        ...Array(3).fill("How we talk to each other"),
      ]);
      expect(left.map((one) => one.text.replace("\n\n", "\n"))).toEqual([
        "Appeals\nIf we removed your post you may appeal. A second moderator decides.",
      ]);
    }
    expect(rules(PAGE)).toEqual(rules(marked));
  });

  it("reads a section whose numbers begin anew", () => {
    const list = (title: string) => `${title}\n\n1. No spam at all.\n2. No links to shops.\n3. Be kind to people.\n\n`;
    const { books } = readGuidelines(`${list("Listings")}${list("Messages")}`, { name: "rules.txt" });
    expect(books[0]!.rules.slice(3).map(({ rule }) => rule.x_section)).toEqual(Array(3).fill("Messages"));
  });

  it("loses no rule below a word that elsewhere heads no rules", () => {
    const text =
      "1. No spam at all.\n2. No links.\n\nComments\n\n3. Be kind.\n4. Ask first.\n5. Stay on topic.\n6. Be brief.\n";
    expect(rules(text, { name: "rules.txt" })).toHaveLength(6);
  });

  it.each([
    [
      "a line below every rule",
      "1. No spam\n\nThe same link twice\n\n2. Be kind\n\nInsults and mockery\n\n3. Stay on topic\n\nPolitics and religion\n",
    ],
    ["examples", "1. No spam\nAds go.\n\nExamples\n\n2. Be kind\nAlways.\n\n3. Stay on topic\nAsk first.\n"],
    [
      "a demand",
      "1. No spam\nAds go.\n\nNo links to your own shop\n\n2. Be kind\nAlways.\n\n3. Stay on topic\nAsk first.\n",
    ],
    [
      "a sentence that goes on",
      "1. No spam\nAds go.\n\nThis includes affiliate links\n\n2. Be kind\nAlways.\n\n3. Stay\nAsk first.\n",
    ],
    [
      "the only text of a rule",
      "1. No spam\n\nLinks to shops\n\n2. Be kind\n\nWe are all people here.\n\n3. Stay on topic\n\nAsk first.\n",
    ],
    [
      "text of several lines",
      "1. No spam\nAds go.\n\nSellers of books\nmay link once.\n\n2. Be kind\nAlways.\n\n3. Stay\nAsk first.\n",
    ],
  ])("leaves %s in its rule", (_, text) => {
    const { books, unread: left } = readGuidelines(text, { name: "rules.txt" });
    expect(left).toEqual([]);
    expect(books[0]!.rules.map(({ rule }) => rule.x_section)).toEqual([undefined, undefined, undefined]);
  });
});
