import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { junitXml, renderMarkdown } from "./render.js";

describe("JUnit XML", () => {
  it("counts what holds, what does not and what was not looked at, by suite", () => {
    const xml = junitXml("gate", [
      { suite: "communities", name: "plants", failure: null },
      { suite: "communities", name: "cars", failure: "DI 0.80 is below 0.90" },
      { suite: "communities", name: "new", failure: null, skipped: "3 of 25 decisions" },
    ]);
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gate" tests="3" failures="1" errors="0" skipped="1">
  <testsuite name="communities" tests="3" failures="1" errors="0" skipped="1">
    <testcase classname="communities" name="plants"/>
    <testcase classname="communities" name="cars"><failure message="DI 0.80 is below 0.90"/></testcase>
    <testcase classname="communities" name="new"><skipped message="3 of 25 decisions"/></testcase>
  </testsuite>
</testsuites>
`);
  });

  it("lets no name out of its attribute and holds nothing that XML forbids", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const xml = junitXml("gate", [{ suite: "s", name, failure: name }]);
        expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
        expect(xml.isWellFormed()).toBe(true);
        const [, inside] = /name="([^"]*)"><failure message="[^"]*"\/>/.exec(xml) ?? [];
        expect(inside).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|apos);)/);
        expect(xml.split("\n")).toHaveLength(7);
      }),
    );
    expect(junitXml("g", [{ suite: "s", name: `"/><x a='&\u001b[31m`, failure: null }])).toContain(
      `name="&quot;/&gt;&lt;x a=&apos;&amp;[31m"/>`,
    );
  });
});

describe("Markdown", () => {
  const rendered = (title: string) => renderMarkdown({ title, subtitle: "", blocks: [], data: null }).split("\n")[0];

  it("shows names between backticks as code, and lets nothing else out", () => {
    expect(rendered("Define it in `max_cost` or `rules diff`.")).toBe("# Define it in `max_cost` or `rules diff`.");
    expect(rendered("a_b `<img>` `[x](y)` `")).toBe("# a\\_b \\`&lt;img\\>\\` \\`\\[x\\](y)\\` \\`");
    expect(rendered("`` `a` \\` `b`")).toBe("# \\`\\` `a` \\\\\\` `b`");
  });
});
