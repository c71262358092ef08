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

/** Looks for everything that a text can do to a page when it is not shown as text. `scripts` is how many the page has of its own. */
export async function expectNoHarm(page: Page, watch: Watch, scripts: number, where: string): Promise<void> {
  const harm = await page.evaluate((): Harm => {
    const all = [...document.querySelectorAll("*")];
    const forbidden =
      "iframe,object,embed,base,form[action],link,meta[http-equiv=refresh],math,video,audio,marquee,template,img";
    return {
      pwned: (window as unknown as Record<string, unknown>).__pwned,
      polluted: ({} as Record<string, unknown>).polluted,
      title: document.title,
      scripts: document.querySelectorAll("script").length,
      elements: [...document.querySelectorAll(forbidden)].map((element) => element.outerHTML.slice(0, 200)),
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
  });
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

/** Text of the whole page, as the DOM has it. */
export async function domText(page: Page): Promise<string> {
  return page.evaluate(() => document.body.textContent);
}
