import reference from "./sampling.json" with { type: "json" };

/** Values that `sampling.py` computed outside the project. */
export { reference };
