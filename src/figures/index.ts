export * from "./missing.js";
export * from "./numbers.js";
export { printable } from "./printable.js";
export { reportFigures } from "./report-figures.js";
export * from "./report-page.js";
