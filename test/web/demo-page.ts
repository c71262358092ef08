import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { ReportPage } from "../../src/measures/report-page.js";
import { launchBrowser, leaveBrowser, openView, type WatchedContext, watchedContext } from "../support/browser.js";
import { pageData } from "../support/page-data.js";
import { demoReport, type MadeReport } from "./reports.js";

export interface DemoPage {
  made: MadeReport;
  data: ReportPage;
  browser: Browser;
  watched: WatchedContext;
  page: Page;
}

/** The demo's report in a browser, open at its summary, for all tests of a file; filled before the first of them. */
export function demoPage(): DemoPage {
  const shared = {} as DemoPage;
  beforeAll(async () => {
    shared.made = await demoReport();
    shared.data = pageData(shared.made.html);
    shared.browser = await launchBrowser();
    shared.watched = await watchedContext(shared.browser);
    shared.page = await shared.watched.newPage();
    await openView(shared.page, shared.made.html, "#/overview");
  });
  afterAll(leaveBrowser);
  return shared;
}
