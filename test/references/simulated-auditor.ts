import reference from "./simulated-auditor.json" with { type: "json" };

/** Values that `simulated-auditor.py` computed outside the project. */
export { reference };
