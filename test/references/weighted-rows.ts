import reference from "./weighted-rows.json" with { type: "json" };

/** Values that `weighted-rows.py` computed outside the project. */
export { reference };
