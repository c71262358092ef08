import reference from "./slices.json" with { type: "json" };

/** Values that `slices.py` computed outside the project. */
export { reference };
