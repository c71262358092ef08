import reference from "./attack.json" with { type: "json" };

/** Values that `attack.py` computed outside the project. */
export { reference };
