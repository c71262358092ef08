// Everything that is shipped: the library and command line by tsc, the report's application and its drawing by Vite.
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build-web.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = `${root}/dist`;

rmSync(out, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
chmodSync(`${out}/cli/main.js`, 0o755);
await buildWeb({ root, out: `${out}/web` });
