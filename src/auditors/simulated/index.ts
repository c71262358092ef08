export { createSimulatedAuditor } from "./simulated-auditor.js";
