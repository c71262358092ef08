#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { checkDescriptors, VERSION } from "../io/machine.js";
import { EXIT } from "./exit-code.js";

try {
  checkDescriptors();
} catch (cause) {
  const { message, remedy } = cause as { message: string; remedy: string };
  process.stderr.write(`error: ${message}\n${remedy}\n`);
  process.exit(EXIT.user);
}

// V8 optimises code after a few milliseconds. Most commands end soon after that, and optimising took a third of their JavaScript time.
setFlagsFromString("--interrupt-budget=600000");
setTimeout(() => setFlagsFromString("--interrupt-budget=67584"), 1000).unref();

const args = process.argv.slice(2);
if (args[0] === "--version" || args[0] === "-V") process.stdout.write(`${VERSION}\n`);
else await start();

/** Loads the program late: with too few file descriptors its files could not be opened, and printing the version needs none of them. */
async function start(): Promise<void> {
  const [{ say }, { run }] = await Promise.all([import("./output.js"), import("./run.js")]);
  // A reader that closes early (`| head`) is not an error.
  process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code === "EPIPE") process.exit(EXIT.fine);
    say(`error: standard output: ${cause.message}`);
    process.exit(EXIT.user);
  });
  await run(args);
}
