export * from "./core/errors.js";
export * from "./entry/domain.js";
export { VERSION } from "./io/version.js";
