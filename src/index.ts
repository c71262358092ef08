export * from "./domain/index.js";
export * from "./errors.js";
export { VERSION } from "./version.js";
