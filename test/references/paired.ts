import reference from "./paired.json" with { type: "json" };

/** Values that `paired.py` computed outside the project. */
export { reference };
