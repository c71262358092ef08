// The application of the report as one script and one style sheet, and the drawing of figures for Node, both with all that they need inside.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "vite";

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

const common = (root) => ({
  root: `${root}/web`,
  configFile: false,
  logLevel: "warn",
  plugins: [notation(root)],
  define: { "process.env.NODE_ENV": '"production"' },
});

export async function buildWeb({ root, out }) {
  mkdirSync(out, { recursive: true });
  const [bundle] = [
    await build({
      ...common(root),
      build: {
        write: false,
        minify: true,
        cssCodeSplit: false,
        target: "es2022",
        lib: { entry: `${root}/web/main.tsx`, formats: ["es"], fileName: "app" },
      },
    }),
  ].flat();
  for (const file of bundle.output) {
    const text = file.type === "chunk" ? file.code : file.source;
    writeFileSync(`${out}/${file.fileName.endsWith(".css") ? "app.css" : "app.js"}`, inline(text));
  }
  await build({
    ...common(root),
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
}

/** Inside a page nothing of a script may look like its end, or like the beginning of a comment. */
function inline(code) {
  return String(code)
    .replace(/<(?=\/(?:script|style))/gi, "\\x3c")
    .replaceAll("<!--", "\\x3c!--");
}
