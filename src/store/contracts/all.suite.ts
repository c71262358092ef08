import { afterEach } from "vitest";
import type { Context } from "../context.js";
import { calibrationStoreContract } from "./calibration-store.suite.js";
import { cohortStoreContract } from "./cohort-store.suite.js";
import { contextContract } from "./context.suite.js";
import { evidenceContract } from "./evidence.suite.js";
import { experimentStoreContract } from "./experiment-store.suite.js";
import { gateStoreContract } from "./gate-store.suite.js";
import { importStoreContract } from "./import-store.suite.js";
import { labelStoreContract } from "./label-store.suite.js";
import { recordStoreContract } from "./record-store.suite.js";
import { responseCacheContract } from "./response-cache.suite.js";
import { routeStoreContract } from "./route-store.suite.js";
import { runStoreContract } from "./run-store.suite.js";

/** The contracts of all stores. `create` gives fresh, empty ones. */
export function storeContracts(name: string, create: () => Context): void {
  const caches: { close(): unknown }[] = [];
  afterEach(() => Promise.all(caches.splice(0).map((one) => one.close())));
  runStoreContract(name, () => create().runs);
  recordStoreContract(name, () => create().records);
  labelStoreContract(name, () => create().labels);
  cohortStoreContract(name, create);
  calibrationStoreContract(name, () => create().calibrations);
  gateStoreContract(name, () => create().gate);
  routeStoreContract(name, () => create().routes);
  experimentStoreContract(name, () => create().experiments);
  evidenceContract(name, create);
  importStoreContract(name, create);
  contextContract(name, create);
  responseCacheContract(name, () => {
    const { openCache } = create();
    return () => {
      const cache = openCache();
      caches.push(cache);
      return cache;
    };
  });
}
