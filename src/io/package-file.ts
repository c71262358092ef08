import { existsSync, readFileSync } from "node:fs";

/** Version of this package, read from its own package.json. */
export const VERSION: string = JSON.parse(readFileSync(packageFile("package.json"), "utf8")).version;

/** A file of this package by its path from the package's root, wherever the bundler has put the code that asks for it. */
export function packageFile(path: string): URL {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder)) && folder.pathname.length > 1) folder = new URL("..", folder);
  return new URL(path, folder);
}
