import reference from "./dual.json" with { type: "json" };

/** Values that `dual.py` computed outside the project. */
export { reference };
