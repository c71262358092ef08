#!/usr/bin/env node
import { checkDescriptors } from "../io/descriptors.js";
import { EXIT } from "./exit-code.js";

try {
  checkDescriptors();
} catch (cause) {
  const { message, remedy } = cause as { message: string; remedy: string };
  process.stderr.write(`error: ${message}\n${remedy}\n`);
  process.exit(EXIT.user);
}
// Loaded only now: with too few descriptors not even the program's own files could be opened.
const [{ say }, { run }] = await Promise.all([import("./output.js"), import("./run.js")]);

// A reader that goes away (`| head`) is no error.
process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
  if (cause.code === "EPIPE") process.exit(EXIT.fine);
  say(`error: standard output: ${cause.message}`);
  process.exit(EXIT.user);
});

await run(process.argv.slice(2));
