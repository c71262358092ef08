import reference from "./plan.json" with { type: "json" };

/** Values that `plan.py` computed outside the project. */
export { reference };
