import { afterEach } from "vitest";
import type { Context } from "../context.js";
import { tempWorkspace } from "../files/in-temp-folder.suite.js";
import { fileContext } from "../files/stores.js";
import { memoryContext } from "../memory/stores.js";
import { storeContracts } from "./all.suite.js";

const opened: { close(): unknown }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

function inMemory(): Context {
  const context = memoryContext();
  opened.push(context);
  return context;
}

const makers: Record<string, () => Context> = { files: () => fileContext(tempWorkspace()), memory: inMemory };

for (const [name, create] of Object.entries(makers)) storeContracts(name, create);
