import reference from "./selective.json" with { type: "json" };

/** Values that `selective.py` computed outside the project. */
export { reference };
