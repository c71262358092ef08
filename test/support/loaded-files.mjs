// With `--import`: writes the addresses of all modules that a program loads by import to the file named in LOADED_FILES, one a line.
import { appendFileSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

// The hooks run in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url);

export function load(url, context, nextLoad) {
  if (!url.startsWith("node:")) appendFileSync(process.env.LOADED_FILES, `${url}\n`);
  return nextLoad(url, context);
}
