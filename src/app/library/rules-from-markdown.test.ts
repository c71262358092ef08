import { describe, expect, it } from "vitest";
import { ruleSetSchema } from "../../core/records/rule-set.js";
import { rulesFromMarkdown } from "./rules-from-markdown.js";

describe("rules from Markdown", () => {
  it("are numbered items, with a title and a description", () => {
    const { set, unread } = rulesFromMarkdown(
      "# House rules\n\n1. **No spam.** Advertising is removed.\n2. Be kind: insults are removed.\n   - threats too\n3) Stay on topic\n",
    );
    expect(set.rules).toEqual([
      { id: "1", title: "No spam", description: "Advertising is removed." },
      { id: "2", title: "Be kind", description: "insults are removed.", detail: "- threats too" },
      { id: "3", title: "Stay on topic" },
    ]);
    expect(unread).toEqual([]);
    expect(set).toMatchObject({ scope: "platform", version: expect.stringMatching(/^md-[0-9a-f]{10}$/) });
  });

  it("are headings without items or headings below them", () => {
    const { set } = rulesFromMarkdown(
      "# Rules\n\n## No spam\n\nAdvertising is removed.\n\n- links too\n\n## Be *kind*\n",
      {
        community: "boats",
        version: "2",
      },
    );
    expect(set).toEqual({
      scope: "community",
      community: "boats",
      version: "2",
      rules: [
        { id: "no-spam", title: "No spam", description: "Advertising is removed.", detail: "- links too" },
        { id: "be-kind", title: "Be *kind*" },
      ],
    });
  });

  it("are the headings where these have numbers, and items below belong to them", () => {
    const { set } = rulesFromMarkdown(
      "Rule 1: No spam\n===\nNever:\n1. ads\n2. links\n\n## Rule 2 - Be kind\nAlways.\n",
    );
    expect(set.rules).toEqual([
      { id: "1", title: "No spam", description: "Never:", detail: "1. ads\n2. links" },
      { id: "2", title: "Be kind", description: "Always." },
    ]);
  });

  it("of several lists have the section in their ids", () => {
    const { set } = rulesFromMarkdown("## Posts\n1. No ads.\n## Replies\n1. No insults.\n1. No threats.\n");
    expect(set.rules.map((rule) => rule.id)).toEqual(["posts-1", "replies-1", "replies-1-2"]);
  });

  it("come with what could not be read", () => {
    const { set, unread } = rulesFromMarkdown(
      "---\ntitle: x\n---\nWelcome!\n\n## Conduct\nThese hold everywhere.\n1. No spam\n<!-- draft -->\n```\n# not a heading\n```\n",
    );
    expect(unread).toEqual([
      { line: 1, text: "title: x", reason: "front_matter" },
      { line: 4, text: "Welcome!", reason: "before_the_first_rule" },
      { line: 7, text: "These hold everywhere.", reason: "before_the_first_rule" },
      { line: 10, text: "```\n# not a heading\n```", reason: "section_text" },
    ]);
    expect(set.rules).toHaveLength(1);
    expect(ruleSetSchema.safeParse(set).success).toBe(true);
  });

  it("of communities that the text names are sets of their own", () => {
    const { set, sets } = rulesFromMarkdown("# Rules\n\n1. No spam.\n\n## Forum: Boats\n\n1. No engines.\n", {
      version: "1",
    });
    expect(sets).toEqual([
      { scope: "platform", version: "1", rules: [{ id: "1", title: "No spam" }] },
      { scope: "community", community: "Boats", version: "1", rules: [{ id: "1", title: "No engines" }] },
    ]);
    expect(set).toBe(sets[0]);
  });

  it("are bullets where nothing else is", () => {
    expect(rulesFromMarkdown("- No spam\n- Be kind\n").set.rules).toEqual([
      { id: "no-spam", title: "No spam" },
      { id: "be-kind", title: "Be kind" },
    ]);
  });

  it("are refused where there are none", () => {
    for (const text of ["", "Only prose.", "Only a line", "> quoted", "| a | b |"])
      expect(() => rulesFromMarkdown(text)).toThrowError(expect.objectContaining({ code: "no_rules" }));
    expect(() => rulesFromMarkdown(null as unknown as string)).toThrowError(/got object, expected text/);
  });
});
