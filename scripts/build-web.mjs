// The application of the report as one script and one style sheet, and the drawing of figures for Node, both with all that they need inside.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { licensesText, packageFolders } from "./bundled-licenses.mjs";

/** Definitions for hovering, from the table of docs/notation.md: symbol and meaning. */
function readNotation(root) {
  const rows = readFileSync(`${root}/docs/notation.md`, "utf8").matchAll(/^\| (?!symbol|-)([^|]+) \| ([^|]+) \|/gm);
  return [...rows].map(([, symbol, meaning]) => ({ symbol: symbol.trim(), meaning: meaning.trim() }));
}

const notation = (root) => ({
  name: "notation",
  resolveId: (id) => (id === "virtual:notation" ? "\0notation" : null),
  load: (id) => (id === "\0notation" ? `export default ${JSON.stringify(readNotation(root))}` : null),
});

/** What every build of the application shares. */
export const webConfig = (root) => ({
  root: `${root}/web`,
  configFile: false,
  logLevel: "warn",
  plugins: [notation(root)],
});

/** React as it is for people who read, not for those who write it. */
const PRODUCTION = { "process.env.NODE_ENV": '"production"' };

export async function buildWeb({ root, out }) {
  // Vite takes the kind of JSX from the environment: built from within a test run it would call React's development helpers.
  process.env.NODE_ENV = "production";
  mkdirSync(out, { recursive: true });
  const modules = [
    ...(await buildApplication({ root, out, input: "main.tsx", name: "app" })),
    // The workbench of the live service has the same views and more, in a bundle of its own: reports stay small.
    ...(await buildApplication({ root, out, input: "live/main.tsx", name: "live" })),
    ...(await buildDrawing({ root, out })),
  ];
  writeFileSync(`${out}/LICENSES.txt`, licensesText(packageFolders(modules)));
}

/** Script and style sheet of an application. Returns the modules in them. */
async function buildApplication({ root, out, input, name }) {
  const [bundle] = [
    await build({
      ...webConfig(root),
      define: PRODUCTION,
      build: {
        write: false,
        minify: true,
        cssCodeSplit: false,
        target: "es2022",
        // Not as a library: Vite leaves the white space of those in, which doubles the size.
        modulePreload: false,
        rolldownOptions: {
          input: `${root}/web/${input}`,
          output: { entryFileNames: `${name}.js`, codeSplitting: false },
        },
      },
    }),
  ].flat();
  for (const file of bundle.output) {
    if (file.type === "chunk") {
      refuseServerModules(file.modules);
      writeFileSync(`${out}/${name}.js`, inlineScript(file.code));
    } else writeFileSync(`${out}/${name}.css`, inlineStyle(String(file.source)));
  }
  return modulesOf(bundle);
}

/** The drawing of figures for Node. Returns the modules in it. */
async function buildDrawing({ root, out }) {
  const bundle = await build({
    ...webConfig(root),
    define: PRODUCTION,
    ssr: { noExternal: true },
    build: {
      ssr: `${root}/web/draw/draw-files.ts`,
      outDir: out,
      emptyOutDir: false,
      minify: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "draw-files.js" } },
    },
  });
  return modulesOf(bundle);
}

const modulesOf = ({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds);

/** What pages read was checked when it was written: a schema library among their modules means that an import took a wrong way. */
function refuseServerModules(modules) {
  const found = Object.keys(modules).find((id) => /\/node_modules\/zod\//.test(id) && modules[id].renderedLength > 0);
  if (found) throw new Error(`${found}: is in the page; look which of its files imports a schema and not only types`);
}

/** Inside a page nothing of a script may look like its end, or like the beginning of a comment. */
function inlineScript(code) {
  return code.replace(/<(?=\/script|!--)/gi, "\\x3c");
}

/** CSS has no such way to write a character, and ours has no need of it. */
function inlineStyle(code) {
  if (/<\/style/i.test(code))
    throw new Error("app.css: holds the end of a style element, and would end it inside a page");
  return code;
}
