import reference from "./judge-error.json" with { type: "json" };

/** Values that `judge-error.py` computed outside the project. */
export { reference };
