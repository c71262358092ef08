import { afterEach } from "vitest";
import type { Context } from "../context.js";
import { tempWorkspace } from "../files/in-temp-folder.suite.js";
import { fileContext } from "../files/stores.js";
import { memoryContext } from "../memory/stores.js";
import { calibrationStoreContract } from "./calibration-store.suite.js";
import { cohortStoreContract } from "./cohort-store.suite.js";
import { contextContract } from "./context.suite.js";
import { experimentStoreContract } from "./experiment-store.suite.js";
import { gateStoreContract } from "./gate-store.suite.js";
import { importStoreContract } from "./import-store.suite.js";
import { labelStoreContract } from "./label-store.suite.js";
import { recordStoreContract } from "./record-store.suite.js";
import { responseCacheContract } from "./response-cache.suite.js";
import { routeStoreContract } from "./route-store.suite.js";
import { runStoreContract } from "./run-store.suite.js";

const opened: { close(): unknown }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

function inMemory(): Context {
  const context = memoryContext();
  opened.push(context);
  return context;
}

const makers: Record<string, () => Context> = { files: () => fileContext(tempWorkspace()), memory: inMemory };

for (const [name, create] of Object.entries(makers)) {
  runStoreContract(name, () => create().runs);
  recordStoreContract(name, () => create().records);
  labelStoreContract(name, () => create().labels);
  cohortStoreContract(name, create);
  calibrationStoreContract(name, () => create().calibrations);
  gateStoreContract(name, () => create().gate);
  routeStoreContract(name, () => create().routes);
  experimentStoreContract(name, () => create().experiments);
  importStoreContract(name, create);
  contextContract(name, create);
  responseCacheContract(name, () => {
    const { openCache } = create();
    return () => {
      const cache = openCache();
      opened.unshift(cache);
      return cache;
    };
  });
}
