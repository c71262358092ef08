// Everything that is shipped: types by tsc; the library, the command line, the report's application and its drawing by Vite.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildNode } from "./build-node.mjs";
import { buildWeb } from "./build-web.mjs";
import { clientTypes } from "./client-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const out = `${root}/dist`;

writeFileSync(
  `${root}/src/server/client/api.ts`,
  clientTypes(JSON.parse(readFileSync(`${root}/docs/openapi.json`, "utf8"))),
);
rmSync(out, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
await buildNode({ root, out });
await buildWeb({ root, out: `${out}/web` });
