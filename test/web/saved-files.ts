import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

export interface SavedFile {
  name: string;
  text: string;
}

interface Caught {
  saved: { name: string; blob: Blob }[];
}

/** A file that the browser itself saves. It saves no dozens of them from one page: where there are many, `catchFiles`. */
export async function download(page: Page, act: () => Promise<void>): Promise<SavedFile> {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

/** From now on the page hands over what it would have saved, and the browser does not limit how much. */
export async function catchFiles(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { saved } = Object.assign(window as unknown as Caught, { saved: [] });
    const blobs = new Map<string, Blob>();
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      const address = create(blob);
      blobs.set(address, blob as Blob);
      return address;
    };
    HTMLAnchorElement.prototype.click = function () {
      saved.push({ name: this.download, blob: blobs.get(this.href)! });
    };
  });
}

export async function caughtFile(page: Page, act: () => Promise<void>): Promise<SavedFile> {
  await act();
  await page.waitForFunction(() => (window as unknown as Caught).saved.length > 0);
  return page.evaluate(async () => {
    const { name, blob } = (window as unknown as Caught).saved.shift()!;
    return { name, text: await blob.text() };
  });
}
