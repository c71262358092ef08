import reference from "./threads.json" with { type: "json" };

/** Values that `threads.py` computed outside the project. */
export { reference };
