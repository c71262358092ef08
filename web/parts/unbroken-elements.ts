import type { ElementType, Key, ReactElement, ReactNode } from "react";
import { jsx as element, jsxs as elements, Fragment } from "react/jsx-runtime";
import { unbroken } from "../../src/present/words/numbers.js";

export { Fragment };

/** Elements whose text is not ours, or is typed and not read: it stays as it is. */
const AS_IS: ReadonlySet<unknown> = new Set(["bdi", "code", "option", "pre"]);
const TIED = "\u00a0";
/** A dash between two numbers ends a line like a hyphen, and no character that is seen nowhere else forbids it. */
const RANGE = /(\d[\d.,]*–[\d.,]*\d(?:\u00a0(?:%|pp\b))?)/;

/**
 * The page's JSX is made by this: the one place where text of every kind meets the page, so that no line ends between a number and its unit
 * or sign. The text of files, and of pictures but for their words, does not come this way and has plain spaces.
 */
export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return element(type, withTied(type, props), key);
}

/** The same for several children. */
export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return elements(type, withTied(type, props), key);
}

/** The same while the page is being worked on. */
export function jsxDEV(type: ElementType, props: Props, key: Key | undefined, several: boolean): ReactElement {
  return (several ? jsxs : jsx)(type, props, key);
}

interface Props {
  children?: unknown;
  [name: string]: unknown;
}

function withTied(type: ElementType, props: Props): Props {
  const { children } = props;
  if ((typeof type !== "string" && type !== Fragment) || AS_IS.has(type)) return props;
  if (typeof children === "string") return { ...props, children: tiedText(children) };
  return Array.isArray(children) ? { ...props, children: children.map(tiedPart) } : props;
}

/** A part of a line of text, or an element in it. A space alone belongs to its neighbours. */
function tiedPart(part: unknown, place: number, parts: readonly unknown[]): unknown {
  if (part !== " ") return typeof part === "string" ? tiedText(part) : part;
  const [before, after] = [parts[place - 1], parts[place + 1]];
  const isTied =
    (typeof before === "string" && /[=<>≤≥≈]$/.test(before)) ||
    (typeof after === "string" && /^(?:%|pp\b|[=<>≤≥≈](?: |$))/.test(after));
  return isTied ? TIED : part;
}

/** Text with ties, and with ranges of numbers in elements that do not break. */
function tiedText(text: string): ReactNode {
  const tied = unbroken(text);
  if (!RANGE.test(tied)) return tied;
  // Every second part is a range.
  const parts = tied
    .split(RANGE)
    .map((part, place) => (place % 2 === 1 ? element("span", { className: "unbroken", children: part }) : part));
  return elements(Fragment, { children: parts });
}
