export { createGeminiAuditor } from "./auditor.js";
