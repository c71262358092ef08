export { createReplayAuditor } from "./replay-auditor.js";
