export type * from "../gate/gate-report.js";
