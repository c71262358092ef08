import { gzipSync } from "node:zlib";
import { pack } from "../words/pack.js";

/** Data as they stand in a page: packed, gzipped, in base64, which has no character that HTML could take for its own. */
export function pageData(value: unknown): string {
  return gzipSync(JSON.stringify(pack(value)), { level: 9, memLevel: 9 }).toString("base64");
}
