import reference from "./gate.json" with { type: "json" };

/** Values that `gate.py` computed outside the project. */
export { reference };
