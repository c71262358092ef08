import reference from "./rules.json" with { type: "json" };

/** Values that `rules.py` computed outside the project. */
export { reference };
