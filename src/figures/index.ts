export * from "./numbers.js";
export { printable } from "./printable.js";
export * from "./report-page.js";
