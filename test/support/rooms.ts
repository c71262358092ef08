/** Folders of `src/`; one imports only from those that stand before it. */
export const ROOMS = [
  "domain",
  "stats",
  "signals",
  "metrics",
  "calibration",
  "gate",
  "stability",
  "grounding",
  "simulation",
  "figures",
  "ledger",
  "workspace",
  "prompt",
  "auditors",
  "audit",
  "experiments",
  "reports",
  "app",
  "cli",
];

/** Rooms of formulas: no I/O, no clock, no global randomness; they run in a browser. */
export const PURE = ROOMS.slice(0, ROOMS.indexOf("ledger"));
