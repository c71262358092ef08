export { buildReport, type KnownRule, type ReportInputs } from "./build-report.js";
export { renderMarkdown } from "./render-markdown.js";
export { renderTerminal } from "./render-terminal.js";
export { reportDocument } from "./report-document.js";
