/**
 * The live service in your own process. `defensible serve` and `defensible worker` are built from it.
 * @packageDocumentation
 */

export { createKey, createLogin } from "../store/postgres/access.js";
export { createWorkspace } from "../store/postgres/live.js";
export { type AppOptions, buildApp } from "./app.js";
export { type Listening, listen, migrateAll, openService, type Place, remotePlace } from "./serve.js";
export { startWorker, type WorkerOptions } from "./worker.js";
