import reference from "./calibration.json" with { type: "json" };

/** Values that `calibration.py` computed outside the project. */
export { reference };
