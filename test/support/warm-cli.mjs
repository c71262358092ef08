// The command line in a process that stays: one command after another, each with its own arguments, folder, environment and exit code.
// A line on descriptor 3 says that the file `<number>.asked` has the next request; what the command prints goes to descriptors 1 and 2, which are
// files; the file `<number>` gets its exit code.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const [answers] = process.argv.slice(2);
let asked = 0;
let done = 0;

// Nobody types here: each command gets an input of its own, which ends.
let stdin = Readable.from([]);
Object.defineProperty(process, "stdin", { get: () => stdin });

function answer(status) {
  done++;
  writeFileSync(`${answers}/${done}.part`, JSON.stringify({ status, alive: true }));
  renameSync(`${answers}/${done}.part`, `${answers}/${done}`);
}

// A command that ends the process ends it here too; whoever waits must not wait on.
process.on("exit", (code) => {
  if (asked > done) writeFileSync(`${answers}/${++done}`, JSON.stringify({ status: code, alive: false }));
  else writeFileSync(`${answers}/ended`, "");
});

// After that, so that a program that was not built is told at once.
const { run } = await import("../../dist/cli/run.js");

const requests = createInterface({ input: new Socket({ fd: 3, readable: true, writable: false }) });
for await (const line of requests) {
  asked++;
  const { args, cwd, env, input } = JSON.parse(readFileSync(`${answers}/${line}.asked`, "utf8"));
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
  stdin = Readable.from(input ? [Buffer.from(input)] : []);
  process.exitCode = undefined;
  await run(args);
  const status = process.exitCode ?? 0;
  process.exitCode = undefined;
  answer(status);
}
process.exit(0);
