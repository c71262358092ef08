import { readFileSync } from "node:fs";
import { packageFile } from "./package-file.js";

/** Version of this package, read from its own package.json. */
export const VERSION: string = JSON.parse(readFileSync(packageFile("package.json"), "utf8")).version;
