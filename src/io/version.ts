import { readFileSync } from "node:fs";

/** Version of this package, read from its own package.json. */
export const VERSION: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
