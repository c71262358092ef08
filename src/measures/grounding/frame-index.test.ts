import { describe, expect, it } from "vitest";
import { POTTERY } from "./frame.suite.js";
import { quotedSpans } from "./frame-index.js";

describe("quotedSpans", () => {
  it("tells for each quoted passage where it stands word for word", () => {
    const chain = `The post says “buy my mugs now”. The rule says "links to a SHOP, your own" and «come and look at them»; it also says "bow before the king" but not "a shop".`;
    expect(quotedSpans(chain, POTTERY, "Please buy my mugs now!")).toEqual([
      { text: "buy my mugs now", source: { kind: "content" } },
      { text: "links to a SHOP, your own", source: { kind: "rule", scope: "community", id: "R3" } },
      { text: "come and look at them", source: { kind: "precedent", scope: "precedent", id: "pottery-p1" } },
      { text: "bow before the king", source: null },
    ]);
  });

  it("does not take the words for the passage in another order, nor parts of words", () => {
    expect(quotedSpans('"shop a to links"', POTTERY)[0]?.source).toBeNull();
    expect(quotedSpans('"inks to a shop"', POTTERY)[0]?.source).toBeNull();
  });

  it("finds nothing in a text without quotations", () => {
    expect(quotedSpans("no quotations", POTTERY)).toEqual([]);
  });
});
