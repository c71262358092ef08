// The application of the report as one script and one style sheet, and the drawing of figures for Node, both with all that they need inside.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { licensesText, packageFolders } from "./bundled-licenses.mjs";

/** Definitions for hovering, from the table of docs/notation.md: symbol and meaning. */
export function readNotation(root) {
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
  define: { "process.env.NODE_ENV": '"production"' },
});

export async function buildWeb({ root, out }) {
  // Vite takes the kind of JSX from the environment: built from within a test run it would call React's development helpers.
  process.env.NODE_ENV = "production";
  mkdirSync(out, { recursive: true });
  const modules = [...(await buildApplication({ root, out })), ...(await buildDrawing({ root, out }))];
  writeFileSync(`${out}/LICENSES.txt`, licensesText(packageFolders(modules)));
}

/** Script and style sheet of the report. Returns the modules in them. */
async function buildApplication({ root, out }) {
  const [bundle] = [
    await build({
      ...webConfig(root),
      build: {
        write: false,
        minify: true,
        cssCodeSplit: false,
        target: "es2022",
        // Not as a library: Vite leaves the white space of those in, which doubles the size.
        modulePreload: false,
        rolldownOptions: { input: `${root}/web/main.tsx`, output: { entryFileNames: "app.js", codeSplitting: false } },
      },
    }),
  ].flat();
  for (const file of bundle.output) {
    const text = file.type === "chunk" ? file.code : file.source;
    writeFileSync(`${out}/${file.fileName.endsWith(".css") ? "app.css" : "app.js"}`, inline(text));
  }
  return modulesOf(bundle);
}

/** The drawing of figures for Node. Returns the modules in it. */
export async function buildDrawing({ root, out }) {
  const bundle = await build({
    ...webConfig(root),
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

/** Inside a page nothing of a script may look like its end, or like the beginning of a comment. */
function inline(code) {
  return String(code)
    .replace(/<(?=\/(?:script|style))/gi, "\\x3c")
    .replaceAll("<!--", "\\x3c!--");
}
