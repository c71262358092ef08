export { createSimulatedAuditor } from "./auditor.js";
