import reference from "./simulation.json" with { type: "json" };

/** Values that `simulation.py` computed outside the project. */
export { reference };
