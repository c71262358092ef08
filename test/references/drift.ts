import reference from "./drift.json" with { type: "json" };

/** Values that `drift.py` computed outside the project. */
export { reference };
