// The application with the data of a written report, changing as its source does: npm run web -- demo/report.html
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { webConfig } from "./build-web.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const report = process.argv[2] ?? `${root}/demo/report.html`;
const data = () =>
  /<script type="text\/plain" id="report-data">[^<]*<\/script>/.exec(readFileSync(report, "utf8"))?.[0];
if (!data()) {
  console.error(`${report}: carries no report data; write one with \`defensible report --html FILE\``);
  process.exit(1);
}
const config = webConfig(root);
const server = await createServer({
  ...config,
  logLevel: "info",
  plugins: [
    ...config.plugins,
    { name: "report-data", transformIndexHtml: (html) => html.replace("<!-- report-data -->", () => data() ?? "") },
  ],
  server: { host: "127.0.0.1", fs: { allow: [root] } },
});
await server.listen();
server.printUrls();
