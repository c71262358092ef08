import reference from "./harm.json" with { type: "json" };

/** Values that `harm.py` computed outside the project. */
export { reference };
