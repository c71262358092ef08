import { describe, expect, it } from "vitest";
import { type Content, contentParts } from "../../../core/records/decision.js";
import { viewContent } from "../content-view.js";
import { readRules } from "../read-rules.js";

/** The strongest breach (above 0) or else the strongest compliance (below 0) that a rule's checks find, at full concern. */
function judged(rule: { title: string; text?: string; kind: string }, content: Content): number {
  const text = rule.text ? `${rule.title}\n${rule.text}` : rule.title;
  const { clauses } = readRules([{ scope: "community", id: "R1", title: rule.title, text, kind: rule.kind }]);
  const view = viewContent(contentParts(content));
  const values = clauses.flatMap(({ checks, force }) =>
    checks.map((check) => check.judge(view, force === "demands" ? 1 : 0.5)),
  );
  return Math.max(...values) > 0 ? Math.max(...values) : Math.min(0, ...values);
}

const post = (title: string, body: string, more = {}) => ({ title, body, kind: "post", ...more });
const words = (count: number) => "clay ".repeat(count).trim();

describe("length checks", () => {
  const rule = {
    title: "Reviews",
    kind: "requirement",
    text: "A post tagged [Review] has at least 80 words in its body.",
  };
  it("finds 79 words too few and 80 enough", () => {
    expect(judged(rule, post("[Review] Kiln", words(79)))).toBeGreaterThan(0.5);
    expect(judged(rule, post("[Review] Kiln", words(80)))).toBeLessThan(0);
  });
  it("leave a post without the tag alone", () => expect(judged(rule, post("Kiln", "short"))).toBe(0));
  it("count neither links nor tags", () => {
    const linked = `${words(79)} https://pots.example/a/b/c`;
    expect(judged(rule, post("[Review] Kiln", linked))).toBeGreaterThan(0.5);
  });
});

describe("rules about titles", () => {
  const rule = {
    title: "Plain titles",
    kind: "requirement",
    text: "Titles are short and plain.\nA title has at most 12 words. At most 2 emoji are allowed.",
  };
  it("are applied to the title, whichever clause sets the limit, and never to a body", () => {
    expect(judged(rule, post("Cracks", `${words(60)} 🔥🔥🔥`))).toBeLessThan(0);
    expect(judged(rule, post(words(20), "Why?"))).toBeGreaterThan(0.5);
    expect(judged(rule, post("Cracks 🔥🔥🔥", "Why?"))).toBeGreaterThan(0.5);
    expect(judged(rule, { title: null, body: words(60), kind: "comment" })).toBe(0);
  });
});

describe("tag checks", () => {
  const rule = { title: "Lost and found", kind: "requirement", text: "The title begins with [LOST] or [FOUND]." };
  it("want the tag at the start, in whatever case", () => {
    expect(judged(rule, post("[lost] A cat", "Grey."))).toBeLessThan(0);
    expect(judged(rule, post("A cat [LOST]", "Grey."))).toBeGreaterThan(0.3);
  });
});

describe("question checks", () => {
  const rule = { title: "Titles must be questions", kind: "requirement" };
  it("want a title that ends as one", () => {
    expect(judged(rule, post("How hot is cone six?", "I wonder."))).toBeLessThan(0);
    expect(judged(rule, post("Cone six 🔥", "How hot is it?"))).toBeGreaterThan(0.5);
  });
  const open = { title: "Open questions", kind: "prohibition", text: "Questions settled by yes or no are removed." };
  it("know a yes/no question", () => {
    expect(judged(open, post("Is cone six hot?", "Tell me."))).toBeGreaterThan(0.5);
    expect(judged(open, post("What is cone six, and why?", "Tell me."))).toBeLessThan(0);
  });
});

describe("capitals checks", () => {
  const rule = { title: "Calm titles", kind: "prohibition", text: "No ALL CAPS in titles." };
  it("find shouting and let an acronym pass", () => {
    expect(judged(rule, post("WHY DOES IT CRACK AGAIN", "Help."))).toBeGreaterThan(0.5);
    expect(judged(rule, post("My new DIY kiln", "Look."))).toBeLessThanOrEqual(0);
  });
});

describe("language checks", () => {
  const rule = { title: "English", kind: "requirement", text: "Posts and comments are in English." };
  it("tell German from English, and do not guess from a few signs", () => {
    expect(
      judged(rule, post("Glasur", "Die Glasur ist im Ofen gerissen und ich weiß nicht, woran das liegt.")),
    ).toBeGreaterThan(0.5);
    expect(judged(rule, post("Glaze", "The glaze has cracked in the kiln and I do not know why."))).toBeLessThan(0);
    expect(judged(rule, post("", "x = 7"))).toBe(0);
  });
});

describe("amount checks", () => {
  const rule = {
    title: "Spare parts",
    kind: "prohibition",
    text: "The only prices that may be named are those of spare parts, up to 40 euros.",
  };
  it("compare with the bound, whatever the spelling", () => {
    expect(judged(rule, "A hinge for 41 €.")).toBeGreaterThan(0.3);
    expect(judged(rule, "A hinge, 39,90 euros.")).toBeLessThan(0);
    expect(judged(rule, "A hinge for twenty euros.")).toBeLessThan(0);
  });
  const old = { title: "Spoilers", kind: "requirement", text: "Exception: films from 1980 or earlier need no marks." };
  it("take an exception that does not fit for no breach", () => {
    expect(judged(old, "Seen in 1957.")).toBeLessThan(0);
    expect(judged(old, "Seen in 2019.")).toBe(0);
  });
});

describe("presence checks", () => {
  const rule = {
    title: "No private information",
    kind: "prohibition",
    text: "Posts may not contain phone numbers, e-mail addresses or street addresses.",
  };
  const found: [what: string, content: string][] = [
    ["a local number", "Ring 555-0142 after six."],
    ["a number with its country", "WhatsApp +34 600 123 456."],
    ["an e-mail address", "Write to lotte@post.example."],
    ["an address spelled out", "Write to lotte dot pots at post dot example."],
    ["a street", "Come to 14 Fennel Row."],
  ];
  for (const [what, content] of found) it(`find ${what}`, () => expect(judged(rule, content)).toBeGreaterThan(0.5));
  const innocent = [
    "In 2019-2021 we fired 1,412 mugs.",
    "It cost 14.20 for 2 hours.",
    "Score 3-2 at half past 7.",
    "Page 112 no. 7",
  ];
  for (const content of innocent) it(`let "${content}" pass`, () => expect(judged(rule, content)).toBe(0));

  it("find a referral code and a coupon, and leave other links alone", () => {
    const spam = {
      title: "No spam",
      kind: "prohibition",
      text: "Spam is any link with a referral or affiliate code, and coupon codes.",
    };
    expect(judged(spam, "Here: https://shop.example/kiln?ref=lotte")).toBeGreaterThan(0.5);
    expect(judged(spam, "Type CLAY15 at the checkout.")).toBeGreaterThan(0.5);
    expect(judged(spam, "Here: https://library.example/kilns")).toBe(0);
  });
});

describe("conduct checks", () => {
  const rule = { title: "Respect", kind: "subjective_content", text: "Do not insult another member." };
  it("ask at whom a degrading word is aimed", () => {
    expect(judged(rule, "You are a clown, Peter.")).toBeGreaterThan(0.5);
    expect(judged(rule, "I am such an idiot today.")).toBeLessThan(0);
    expect(judged(rule, "What a lovely mug.")).toBe(0);
  });
});
