import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ShownDecision } from "../../app/find-audits.js";
import { displayWidth, printable } from "../../text/printable.js";
import { type Document, table } from "./document.js";
import { decisionDocument } from "./list-documents.js";
import { renderMarkdown, renderTerminal } from "./render.js";

describe("printable", () => {
  it("lets nothing through that moves a cursor, changes colours, turns text around or hides", () => {
    const hostile = "a\u001b[31mred\u001b]0;title\u0007b\u202egnp.exe\u200b\u0000\u009bc\nd\re";
    expect(printable(hostile)).toBe("a·[31mred·]0;title·bgnp.exe··c d e");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(printable(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b-\u200f]/);
        expect(printable(text).isWellFormed()).toBe(true);
        expect(printable(text).length).toBeLessThanOrEqual(200);
      }),
    );
  });

  it("keeps ordinary text of any script, and cuts long text visibly without halving an emoji", () => {
    expect(printable("Größe – 日本語 – مرحبا – 🙂")).toBe("Größe – 日本語 – مرحبا – 🙂");
    expect(printable("🙂".repeat(200), 10).endsWith("…")).toBe(true);
    expect(printable("🙂".repeat(200), 10).isWellFormed()).toBe(true);
  });
});

describe("a post", () => {
  const shown = (body: string) => {
    const decision = { id: "d", community: "c", content: body, decision: "remove" };
    const audit = { decision_id: "d", community: "c", decision: "remove", arm: "", outcome: "error" };
    return renderTerminal(decisionDocument({ run_id: "r", decision, audits: [audit] } as unknown as ShownDecision));
  };

  it("keeps its lines, indented, and nothing in them acts on the terminal", () => {
    expect(shown("one\r\ntwo\n\n\u001b[31mthree\rfour")).toContain("\n  one\n  two\n\n  ·[31mthree\n  four\n");
  });

  it("is cut where it is long, which is said", () => {
    expect(shown("ab ".repeat(10_000))).toMatch(/Cut here: it has 30,000 characters\. --json shows all of it\./);
    expect(shown("ab\n".repeat(100)).match(/^ {2}ab$/gm)).toHaveLength(40);
    expect(shown("ab")).not.toContain("Cut here");
  });
});

describe("tables", () => {
  const document: Document = {
    title: "T",
    subtitle: "S",
    blocks: [
      table(
        ["name", ">n"],
        [
          ["日本", "1"],
          ["abcdef", "1000"],
        ],
      ),
      { kind: "text", text: "word ".repeat(60).trim() },
    ],
  };

  it("are aligned for a terminal, also with wide characters", () => {
    const lines = renderTerminal(document, { width: 60 }).split("\n");
    const rows = lines.filter((line) => /日本|abcdef|name/.test(line));
    expect(new Set(rows.map((line) => displayWidth(line))).size).toBe(1);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(60);
  });

  it("use no escape codes unless colour is asked for", () => {
    expect(renderTerminal(document)).not.toContain("\u001b");
    expect(renderTerminal(document, { color: true })).toContain("\u001b[1m");
  });
});

describe("Markdown", () => {
  it("does not let a name become markup, a link, an image, HTML or another cell", () => {
    const names = [
      "[x](javascript:alert(1))",
      "![i](http://e.example/i.png)",
      "<script>alert(1)</script>",
      "a | b",
      "https://evil.example",
      "**b** `c` _d_",
    ];
    const text = renderMarkdown({
      title: "T",
      subtitle: "",
      blocks: [
        table(
          ["name"],
          names.map((name) => [name]),
        ),
      ],
    });
    expect(text).not.toMatch(/(?<!\\)\[x|(?<!\\)!\[|<script|http:\/\/|https:\/\/|(?<!\\)\*\*b/);
    const rows = text.trim().split("\n").slice(-names.length);
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(2);
  });
});

describe("text on a terminal", () => {
  it("keeps a unit on the line of its number, at any width", () => {
    const text = "cover 31.4% of them, +2.0 pp more, and 100% in the end; pp. 3 and pping may stand anywhere";
    for (let width = 20; width < 60; width++) {
      const lines = renderTerminal({ title: "T", subtitle: "", blocks: [{ kind: "text", text }] }, { width }).split(
        "\n",
      );
      expect(lines.filter((line) => /^(?:%|pp more)/.test(line))).toEqual([]);
      expect(lines.slice(2).join(" ").trim()).toBe(text);
    }
  });
});
