import reference from "./recalibration.json" with { type: "json" };

/** Values that `recalibration.py` computed outside the project. */
export { reference };
