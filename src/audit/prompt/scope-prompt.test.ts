import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byLength, caseOf, frameOf, hostileText, occurrences, rule, wholeText } from "../../auditors/prompt.suite.js";
import { createScrub } from "../../text/scrub/scrub.js";
import { createScopePrompter, SCOPE_FORMAT, scopePromptVersion } from "./audit-prompt.js";

const FRAME = frameOf([rule("R3", "No links", "Do not link to shops, except on Fridays.")]);
const prompt = createScopePrompter({ counter: byLength, budget: 8000, scrub: null });
const asked = (body: string, citation = "community rule R3: no links", decision = "remove") =>
  prompt({ ...caseOf(FRAME, body, decision), citation, cited: ["community rule R3"] });

describe("the second question", () => {
  it("gives the rule with its exceptions, the decision, the citation and the content, and asks about the step", () => {
    const made = asked("Look at my shop.");
    expect(made.shared).toContain("except on Fridays");
    expect(made.own).toContain('The decision: "remove". The opposite decision: "approve".');
    expect(made.own).toContain('as it was written: "community rule R3: no links"');
    expect(made.own).toContain('It names: "community rule R3".');
    expect(made.own.indexOf("BEGIN CONTENT")).toBeGreaterThan(made.own.indexOf("It names"));
    expect(made.own.split("\n").at(-1)).toContain("condition_met, exception_applies, supports");
    expect(made.format).toBe(SCOPE_FORMAT);
  });

  it("does not show the auditor's reasons or level", () => {
    expect(wholeText(asked("x"))).not.toMatch(/logic_chain|defensib|level [123]/i);
  });

  it("stands for these instructions and fields", () => {
    // If this fails, models are asked something else than before: raise SCOPE_NUMBER in audit-prompt.ts and put the new value here.
    expect(scopePromptVersion()).toBe("scope-1#47d1d729");
  });

  it("says so where the citation names no rule", () => {
    const { own } = prompt({ ...caseOf(FRAME, "x"), citation: "No rule bears on this.", cited: [] });
    expect(own).toContain("It names none of the rules above.");
  });

  it("hides in the citation what is hidden in the content, by the same name", () => {
    const scrubbing = createScopePrompter({ counter: byLength, budget: 8000, scrub: createScrub({ names: [] }) });
    const made = scrubbing({ ...caseOf(FRAME, "mail me@home.example"), citation: 'R3: "me@home.example"', cited: [] });
    expect(wholeText(made)).not.toContain("me@home");
    expect(occurrences(made.own, "[EMAIL_1]")).toBe(2);
  });

  it("shows a long citation in part, and says so by three points", () => {
    const { own } = asked("x", "word ".repeat(1000));
    expect(own).toContain(" …");
    expect(own.length).toBeLessThan(3000);
  });

  it("keeps content and citation from closing the fence or opening a line of their own", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (body, citation) => {
        const { own } = asked(body, citation);
        const nonce = /^BEGIN CONTENT (\w{16})$/m.exec(own)![1]!;
        expect(occurrences(own, nonce)).toBe(2);
        const lines = own.split("\n");
        const begin = lines.indexOf(`BEGIN CONTENT ${nonce}`);
        expect(lines.slice(0, begin).filter((line) => line.startsWith("The citation it was said"))).toHaveLength(1);
        expect(lines.at(-2)).toBe(`END CONTENT ${nonce}`);
      }),
    );
  });
});
