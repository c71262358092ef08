export { buildCompare, type CompareInput, type CompareInputs } from "./build-compare.js";
export { buildReport, type KnownRule, type ReportInputs } from "./build-report.js";
export { compareDocument } from "./compare-document.js";
export { planDocument } from "./plan-document.js";
export { renderMarkdown } from "./render-markdown.js";
export { renderTerminal } from "./render-terminal.js";
export { reportDocument } from "./report-document.js";
