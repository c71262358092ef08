import { join } from "node:path";
import { build } from "vite";
import { findExamples, SRC } from "../support/examples.js";

const ENTRY = "\0rooms";
/** Entry points of the package that promise to run in a browser. */
const ENTRIES = [
  "domain",
  "stats",
  "signals",
  "metrics",
  "calibration",
  "gate",
  "stability",
  "grounding",
  "simulation",
  "figures",
];

/** Files that the browser gets: each room as it is imported, and each file that has an example. */
function roomFiles(): string[] {
  const rooms = ENTRIES.map((name) => join("entry", `${name}.ts`));
  return [...new Set([...rooms, ...findExamples().map(({ file }) => file)])];
}

/** One script that puts the pure rooms into `window.rooms`, by file. Fails if one of them needs Node. */
export async function bundleRooms(): Promise<string> {
  const files = roomFiles();
  const code = [
    ...files.map((file, i) => `import * as m${i} from ${JSON.stringify(join(SRC, file))};`),
    `window.rooms = { ${files.map((file, i) => `${JSON.stringify(file)}: m${i}`).join(", ")} };`,
  ].join("\n");
  const [bundle] = [
    await build({
      configFile: false,
      logLevel: "error",
      plugins: [
        {
          name: "rooms",
          enforce: "pre",
          resolveId: (id) => {
            if (id === "virtual:rooms") return ENTRY;
            if (id.startsWith("node:")) throw new Error(`a pure room imports ${id}`);
            return null;
          },
          load: (id) => (id === ENTRY ? code : null),
        },
      ],
      build: {
        write: false,
        minify: false,
        target: "es2022",
        rolldownOptions: { input: "virtual:rooms", output: { format: "iife" } },
      },
    }),
  ].flat();
  if (!bundle || !("output" in bundle)) throw new Error("rooms: Vite gave no bundle");
  return bundle.output.map((file) => (file.type === "chunk" ? file.code : "")).join("\n");
}
