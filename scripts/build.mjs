// Everything that is shipped: types by tsc; the library, the command line, the report's application and its drawing by Vite.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildNode } from "./build-node.mjs";
import { buildWeb } from "./build-web.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const out = `${root}/dist`;

rmSync(out, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
await buildNode({ root, out });
await buildWeb({ root, out: `${out}/web` });
