import reference from "./stability.json" with { type: "json" };

/** Values that `stability.py` computed outside the project. */
export { reference };
