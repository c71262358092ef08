// The library and the command line, bundled apart: the library's entry points share files exactly as they share code, and leave its dependencies to
// Node; the command line is split by command and has the small dependencies inside, because opening their files took a third of its start.
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { licensesText, packageFolders } from "./bundled-licenses.mjs";
import { groupModules } from "./group-modules.mjs";

/** Dependencies inside the command line. The others are large and seldom used, and loaded when they are. */
const INSIDE = ["commander", "pure-rand", "yaml", "zod"];

/** Loads the database engine's hundred files as one, and only when it is used. */
const ENGINE = { name: "@duckdb/node-api", file: "duckdb.cjs", native: "@duckdb/node-bindings" };

export async function buildNode({ root, out }) {
  const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  await buildLibrary({ root, out, manifest, dependencies });
  await buildCommandLine({ root, out: `${out}/cli`, dependencies });
}

/** One file for each entry point of package.json, and what they share in `chunks/`. */
function buildLibrary({ root, out, manifest, dependencies }) {
  const files = Object.values(manifest.exports).flatMap((target) => target.default ?? []);
  const names = files.map((file) => file.replace(/^\.\/dist\/(.*)\.js$/, "$1"));
  return bundle({
    root,
    out,
    input: Object.fromEntries(names.map((name) => [name, `${root}/src/${name}.ts`])),
    external: dependencies,
    plugins: [withoutRequire],
    output: { chunkFileNames: "chunks/[name].js" },
  });
}

async function buildCommandLine({ root, out, dependencies }) {
  const entry = (name) => `${root}/src/cli/${name}.ts`;
  let names = null;
  const commandLine = await bundle({
    root,
    out,
    input: { main: entry("main"), run: entry("run") },
    external: dependencies.filter((name) => !INSIDE.includes(name)),
    inside: INSIDE,
    plugins: [engineFile],
    output: {
      chunkFileNames: "[name].js",
      // Documentation of functions is for the library; here it only takes time to load.
      comments: { jsdoc: false },
      codeSplitting: {
        groups: [
          {
            debugName: "parts",
            name: (id, context) => {
              names ??= groupModules(moduleGraph(context, [entry("main"), entry("run")]), {
                start: [entry("main")],
                base: [entry("run"), entry("output")],
              });
              return names.get(id) ?? null;
            },
            includeDependenciesRecursively: false,
          },
        ],
      },
    },
  });
  const engine = await bundle({
    root,
    out,
    input: { duckdb: ENGINE.name },
    external: [ENGINE.native],
    inside: [ENGINE.name],
    output: { format: "cjs", entryFileNames: ENGINE.file },
  });
  writeFileSync(`${out}/LICENSES.txt`, licensesText(packageFolders([commandLine, engine].flatMap(modulesOf))));
  chmodSync(`${out}/main.js`, 0o755);
}

/** The bundler's own helpers load Node's `require` and have no use for it here. Formulas run in a browser. */
const withoutRequire = {
  name: "without-require",
  generateBundle(_, files) {
    const helpers = files["chunks/rolldown-runtime.js"];
    helpers.code = helpers.code.replace(/^import "node:module";\n/, "");
  },
};

const engineFile = {
  name: "engine-file",
  transform: (code) =>
    code.includes(`"${ENGINE.name}"`) ? code.replace(`"${ENGINE.name}"`, `"./${ENGINE.file}"`) : null,
};

function bundle({ root, out, input, external, inside = [], plugins = [], output }) {
  return build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    plugins,
    ssr: { noExternal: inside },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: false,
      minify: false,
      target: "node20",
      rolldownOptions: {
        input,
        external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
        output: { format: "es", entryFileNames: "[name].js", ...output },
      },
    },
  });
}

/** Every module that entries lead to, with what it imports at once and later. */
function moduleGraph(context, entries) {
  const graph = new Map();
  const waiting = [...entries];
  for (const id of waiting) {
    if (graph.has(id)) continue;
    const module = context.getModuleInfo(id);
    if (!module || module.isExternal) continue;
    graph.set(id, {
      imports: module.importedIds,
      dynamic: module.dynamicallyImportedIds,
      size: module.code?.length ?? 0,
    });
    waiting.push(...module.importedIds, ...module.dynamicallyImportedIds);
  }
  return graph;
}

const modulesOf = ({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds);
