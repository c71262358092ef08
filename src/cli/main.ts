#!/usr/bin/env node
import { EXIT } from "./exit-code.js";
import { say } from "./output.js";
import { run } from "./run.js";

// A reader that goes away (`| head`) is no error.
process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
  if (cause.code === "EPIPE") process.exit(EXIT.fine);
  say(`error: standard output: ${cause.message}`);
  process.exit(EXIT.user);
});

await run(process.argv.slice(2));
