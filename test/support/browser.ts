import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findBrowser } from "../../scripts/find-browser.mjs";

const FLAGS = [
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
  // The second lock beside the routes below: names resolve to nothing.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

let shared: Promise<Browser> | null = null;

/** The browser of this process, for one test file after another: each opens contexts of its own, with fresh profiles, and closes them at its end. */
export async function launchBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = start();
  return shared!;
}

/** Closes everything that a test file has opened. */
export async function leaveBrowser(): Promise<void> {
  await Promise.all((await shared)?.contexts().map((context) => context.close()) ?? []);
}

async function start(): Promise<Browser> {
  const path = findBrowser();
  if (!path) throw new Error("browser: there is none; run `node scripts/ensure-browser.mjs`");
  // Chromium refuses its sandbox to root; everybody else keeps it.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: path, args: [...FLAGS, ...sandbox] });
}

/** What a page did that a report must never do, as it happens. */
export interface Watch {
  /** Errors and warnings of the console, uncaught errors, violations of the policy, dialogs, popups, crashes. */
  faults: string[];
  /** Everything asked of a network, or of another file. */
  requests: string[];
}

export interface WatchedContext extends Watch {
  context: BrowserContext;
  newPage(): Promise<Page>;
}

/** A context without network, or with that of one server of ours, whose pages are watched. */
export async function watchedContext(
  browser: Browser,
  { server, ...options }: BrowserContextOptions & { server?: string } = {},
): Promise<WatchedContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const watch: Watch = { faults: [], requests: [] };
  const opened = new Set<string>();
  await context.route("**/*", (route) => {
    const url = route.request().url();
    const isOwn = route.request().isNavigationRequest() && route.request().frame().parentFrame() === null;
    if (server !== undefined && url.startsWith(`${server}/`)) return route.continue();
    if (/^(?:data|blob):/.test(url) || (isOwn && opened.has(withoutHash(url)))) return route.continue();
    watch.requests.push(url);
    return route.abort();
  });
  await context.addInitScript(
    'addEventListener("securitypolicyviolation", (e) => console.error("policy: " + e.violatedDirective + " forbids " + e.blockedURI))',
  );
  return {
    ...watch,
    context,
    newPage: async () => {
      const page = await context.newPage();
      const goto = page.goto.bind(page);
      page.goto = (url, ...rest) => {
        opened.add(withoutHash(url));
        return goto(url, ...rest);
      };
      watchPage(page, watch);
      return page;
    },
  };
}

function watchPage(page: Page, { faults, requests }: Watch): void {
  page.on("console", (message) => {
    if (/error|warning|assert/.test(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (cause) => faults.push(`uncaught: ${cause.message}`));
  page.on("crash", () => faults.push("the page crashed"));
  page.on("popup", (popup) => faults.push(`popup: ${popup.url()}`));
  page.on("websocket", (socket) => requests.push(socket.url()));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/** Address of a file, with what comes after `#`. */
export function fileUrl(path: string, hash = ""): string {
  return `${pathToFileURL(path).href}${hash}`;
}

/** Waits until a view of the report is there: its heading and its drawings. */
export async function openView(page: Page, path: string, hash: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(fileUrl(path, hash));
  await ready(page);
}

/** Follows an address inside the open report, as a click on a link does. */
export async function followHash(page: Page, hash: string): Promise<void> {
  await page.evaluate(
    `new Promise((done) => {
      const before = location.hash;
      const drawn = () => requestAnimationFrame(() => requestAnimationFrame(done));
      addEventListener("hashchange", drawn, { once: true });
      location.hash = ${JSON.stringify(hash)};
      if (location.hash === before) drawn();
    })`,
  );
}

export async function ready(page: Page): Promise<void> {
  await page.waitForSelector("main h1");
  // Two frames: effects draw after the first, and what they set off after the second.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

function withoutHash(url: string): string {
  return url.replace(/#.*/s, "");
}
