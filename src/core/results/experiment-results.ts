import type { z } from "zod";
import type { ResultFiles } from "../../experiments/registry.js";

/** The result of each experiment that a workspace keeps, by its kind. It was checked against its own schema when it was read. */
export type ExperimentResults = { -readonly [Kind in keyof ResultFiles]: z.infer<ResultFiles[Kind]["default"]> };
