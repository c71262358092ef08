export { createGeminiAuditor } from "./gemini-auditor.js";
