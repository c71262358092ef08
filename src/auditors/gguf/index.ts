export { createGgufAuditor, GGUF_VERSION } from "./gguf-auditor.js";
