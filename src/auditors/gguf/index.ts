export { createGgufAuditor, GGUF_VERSION } from "./auditor.js";
