import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Watch } from "../support/browser.js";

/** What content must never bring into a page. */
interface Harm {
  pwned: unknown;
  polluted: unknown;
  title: string;
  scripts: number;
  elements: string[];
  handlers: string[];
  links: string[];
}

/**
 * Looks for everything that a text can do to a page when it is not shown as text. `scripts` is how many the page has of its own, `own` selects
 * elements with addresses of its own.
 */
export async function expectNoHarm(
  page: Page,
  watch: Watch,
  scripts: number,
  where: string,
  own = "none",
): Promise<void> {
  const harm = await page.evaluate((ours): Harm => {
    const all = [...document.querySelectorAll("*")].filter((element) => !element.matches(ours));
    const forbidden =
      "iframe,object,embed,base,form[action],link,meta[http-equiv=refresh],math,video,audio,marquee,template,img";
    return {
      pwned: (window as unknown as Record<string, unknown>).__pwned,
      polluted: ({} as Record<string, unknown>).polluted,
      title: document.title,
      scripts: document.querySelectorAll("script").length,
      elements: all.filter((element) => element.matches(forbidden)).map((element) => element.outerHTML.slice(0, 200)),
      handlers: all
        .filter((element) => element.getAttributeNames().some((name) => name.startsWith("on")))
        .map((element) => element.outerHTML.slice(0, 200)),
      links: all
        .flatMap((element) =>
          ["href", "src", "xlink:href", "action", "formaction"].map((name) => element.getAttribute(name)),
        )
        .filter((address) => address !== null)
        .filter((address) => !/^(?:#|blob:)/.test(address)),
    };
  }, own);
  expect(harm, where).toEqual({
    pwned: undefined,
    polluted: undefined,
    title: expect.not.stringMatching(/taken over/),
    scripts,
    elements: [],
    handlers: [],
    links: [],
  });
  expect(watch.faults, where).toEqual([]);
  expect(watch.requests, where).toEqual([]);
}

/** Text of the whole page, as the DOM has it, without its scripts. */
export async function domText(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll("#root, body > main")].map((one) => one.textContent).join(" "),
  );
}

/** Text nodes with characters that turn the reading direction, cannot be seen, or command a terminal: what is there is not what is read. */
export async function disguises(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const odd = /[\u202A-\u202E\u2066-\u2069\u0000-\u0008\u000B\u000C\u000E-\u001F\u200B\uFEFF]/;
    const found: string[] = [];
    const texts = document.createTreeWalker(document.getElementById("root")!, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode as Text;
      if (odd.test(data))
        found.push(
          `${parentElement?.tagName}.${parentElement?.className}: ${encodeURI(data.slice(0, 60).toWellFormed())}`,
        );
    }
    return found;
  });
}
