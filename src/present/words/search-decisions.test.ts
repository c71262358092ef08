import { describe, expect, it } from "vitest";
import { makeAudit, makeDecision, written } from "../../measures/decision.suite.js";
import { searchedKinds, searchFor } from "./decision-list.js";

const citation = { scope: "community", rule_id: "R7", overlap: 1, grounded: true } as const;
const decisions = [
  makeDecision({
    id: "kiln-1",
    title: written("Glasur für Öfen"),
    body: written("Where may I fire it?"),
    context: [written("An earlier answer about İzmir")],
  }),
  makeDecision({
    id: "kiln-2",
    audit: makeAudit({ citation, policy_citation: written("Hablemos de jardín: no se vende aquí") }),
  }),
];
const found = (search: string) => decisions.filter(searchFor(search)).map(({ id }) => id);

describe("a search of decisions", () => {
  it.each([
    ["", ["kiln-1", "kiln-2"]],
    ["KILN-2", ["kiln-2"]],
    ["für öfen", ["kiln-1"]],
    ["fur ofen", ["kiln-1"]],
    ["o\u0308fen", ["kiln-1"]],
    ["fire", ["kiln-1"]],
    ["izmir", ["kiln-1"]],
    ["jardin", ["kiln-2"]],
    ["community R7", ["kiln-2"]],
    // Each word, wherever it stands.
    ["vende kiln", ["kiln-2"]],
    ["vende fire", []],
    // Not across the end of one text and the beginning of the next.
    ["öfenwhere", []],
    ["[U+", []],
  ])("for %j finds %j", (search, ids) => {
    expect(found(search)).toEqual(ids);
  });

  it("says what it looks into: what the page carries", () => {
    const redacted = { text: null, length: 10, hash: "x" };
    expect(searchedKinds(decisions)).toEqual(["ids", "titles", "contents", "citations"]);
    // A citation that is made of a rule's own words is not redacted.
    const audit = makeAudit({ citation, policy_citation: written("No links") });
    const hidden = makeDecision({ id: "kiln-3", title: redacted, body: redacted, context: [redacted], audit });
    expect(searchedKinds([hidden])).toEqual(["ids"]);
    expect(["R7", "links", "kiln"].map((search) => searchFor(search)(hidden))).toEqual([false, false, true]);
    expect(searchedKinds([makeDecision({ ...hidden, title: null, body: null, context: [] })])).toEqual([
      "ids",
      "citations",
    ]);
    expect(searchedKinds([])).toEqual([]);
  });
});
