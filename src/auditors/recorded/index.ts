export { createReplayAuditor } from "./recorded-auditor.js";
