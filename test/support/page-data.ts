import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { ReportPage } from "../../src/measures/report-page.js";
import { unpack } from "../../src/present/words/pack.js";

/** The data that an HTML report carries, taken out of the file. */
export function pageData(html: string): ReportPage {
  const found = /<script type="text\/plain" id="report-data">([A-Za-z0-9+/=\s]+)<\/script>/.exec(
    readFileSync(html, "utf8"),
  );
  if (!found) throw new Error(`${html}: carries no data`);
  return unpack(JSON.parse(gunzipSync(Buffer.from(found[1]!, "base64")).toString("utf8"))) as ReportPage;
}
