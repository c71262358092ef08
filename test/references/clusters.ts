import reference from "./clusters.json" with { type: "json" };

/** Values that `clusters.py` computed outside the project. */
export { reference };
