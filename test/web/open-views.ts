import type { Page } from "playwright-core";
import { openView, type WatchedContext } from "../support/browser.js";
import type { Place } from "./views.js";

export interface OpenView extends Place {
  page: Page;
}

/** Each view in a page of its own, opened by its address as a link in a mail would. */
export async function openViews(watched: WatchedContext, html: string, all: readonly Place[]): Promise<OpenView[]> {
  const views: OpenView[] = [];
  for (const place of all) {
    const page = await watched.newPage();
    await openView(page, html, place.hash);
    await unfold(page);
    views.push({ ...place, page });
  }
  return views;
}

/** Opens what is folded, as a reader would who wants all of a view; pictures are drawn once they have room. */
export async function unfold(page: Page): Promise<void> {
  await page.$$eval("main details.fold", (all) => {
    for (const one of all) (one as HTMLDetailsElement).open = true;
  });
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main .chart-drawing")].every((one) => one.querySelector("svg")),
  );
}
