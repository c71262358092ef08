import type { Page } from "playwright-core";

/** A number of a page that says where it comes from. */
export interface Marked {
  pointer: string;
  form: string;
  text: string;
}

export async function markedNumbers(page: Page): Promise<Marked[]> {
  return page.$$eval("[data-number]", (all) =>
    all.map((one) => ({
      pointer: (one as HTMLElement).dataset.number!,
      form: (one as HTMLElement).dataset.form!,
      // A number and its unit may be tied together by a space that does not break.
      text: one.textContent.replace(/\s/g, " "),
    })),
  );
}

/** The value at a JSON pointer, or undefined. Written anew: the page's own reader could err in the same way. */
export function resolve(root: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"))
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      root,
    );
}

/** A true minus, and none before a zero. */
const sign = (text: string) => text.replace(/^-(?=0[.0]*(?![.\d]))/, "").replace("-", "−");
const grouped = (text: string) => text.replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** How a number of each form is written: the same promise as the page's, kept by other code. */
function written(value: number, form: string): string {
  const share = value * 100;
  switch (form) {
    case "percent":
      return sign(`${share.toFixed(1)}%`);
    case "rounded": {
      const hides = (text: string) => (Number(text) === 0 && value !== 0) || (Number(text) === 100 && value !== 1);
      const texts = [0, 1, 2, 3, 4].map((digits) => share.toFixed(digits));
      return `${texts.find((text) => !hides(text)) ?? texts[4]}%`;
    }
    case "risk":
      return sign(`${share.toFixed(2)}%`);
    case "limit":
      return `${Number(share.toPrecision(4))}%`;
    case "points":
      return `${value > 0 && Number(share.toFixed(1)) > 0 ? "+" : ""}${sign(share.toFixed(1))} pp`;
    case "apart":
      return `${sign(share.toFixed(1))} points`;
    case "whole":
      return sign(grouped(String(value)));
    case "count":
      return sign(grouped(value.toFixed(0)));
    case "decimal":
      return sign(value.toFixed(2));
    case "fine":
      return sign(value.toFixed(3));
    case "finer":
      return sign(value.toFixed(4));
    case "probability":
      return value < 0.001 ? "< 0.001" : value.toFixed(3);
    case "dollars":
      return `$${value.toFixed(2)}`;
    default:
      throw new Error(`${form}: no such form of number is known to this test`);
  }
}

/** Numbers of a page that are not what the command line says, each with what it should be. */
export function mismatches(numbers: readonly Marked[], find: (pointer: string) => unknown): string[] {
  return numbers.flatMap(({ pointer, form, text }) => {
    const value = find(pointer);
    if (typeof value !== "number") return [`${pointer}: shown as ${text}, the command line has ${String(value)}`];
    const expected = written(value, form);
    return text === expected ? [] : [`${pointer}: shown as ${text}, the command line has ${expected}`];
  });
}
