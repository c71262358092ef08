import reference from "./signal-experiment.json" with { type: "json" };

/** Values that `signal-experiment.py` computed outside the project. */
export { reference };
