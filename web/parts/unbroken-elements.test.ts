import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { Fragment, jsx, jsxs } from "./unbroken-elements.ts";

/** The text of an element with ties shown as `_`, and what does not break in brackets. */
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (typeof node === "string" || typeof node === "number") return String(node).replaceAll("\u00a0", "_");
  if (typeof node !== "object" || node === null) return "";
  const { props } = node as ReactElement<{ children?: unknown; className?: string }>;
  const inside = textOf(props.children);
  return props.className === "unbroken" ? `[${inside}]` : inside;
}

const number = jsx("span", { className: "num", children: "0.008" });

describe("text that meets the page", () => {
  it.each([
    ["of 15 % and +1.5 pp at most", "of 15_% and +1.5_pp at most"],
    ["p = 0.008, n = 382, AI ≤ 15 %, p < 0.001", "p_=_0.008, n_=_382, AI_≤_15_%, p_<_0.001"],
    ["−5.5 pp to +8.5 pp", "−5.5_pp to +8.5_pp"],
    ["from 71.0–84.2 % on", "from [71.0–84.2_%] on"],
    ["pp is no unit without a number", "pp is no unit without a number"],
    ["nothing to tie", "nothing to tie"],
  ])("keeps numbers with their sign and unit: %s", (text, expected) => {
    expect(textOf(jsx("p", { children: text }))).toBe(expected);
    expect(textOf(jsx(Fragment, { children: text }))).toBe(expected);
  });

  it("does so where number, sign and unit are parts of their own", () => {
    expect(textOf(jsxs("p", { children: ["it is not (p = ", number, ")"] }))).toBe("it is not (p_=_0.008)");
    expect(textOf(jsxs("p", { children: ["α =", " ", number] }))).toBe("α_=_0.008");
    expect(textOf(jsxs("p", { children: [number, " = ", 95, " % and ", 5, " ", "pp"] }))).toBe("0.008_=_95_% and 5_pp");
    expect(textOf(jsxs("p", { children: ["a", " ", number, " ", "b"] }))).toBe("a 0.008 b");
  });

  it.each(["bdi", "code", "option", "pre"] as const)(
    "leaves what others wrote, or what is typed, as it is: %s",
    (type) => {
      expect(textOf(jsx(type, { children: "--limit = 15 %" }))).toBe("--limit = 15 %");
    },
  );

  it("touches nothing but the text: neither what a component gets nor the other properties", () => {
    const Component = ({ children }: { children?: unknown }) => jsx("p", { children });
    expect(jsx(Component, { children: "15 %" }).props).toEqual({ children: "15 %" });
    expect(jsx("p", { title: "15 %", children: "15 %" }).props).toEqual({ title: "15 %", children: "15\u00a0%" });
    expect(jsx("input", { value: "15 %" }).props).toEqual({ value: "15 %" });
  });
});
