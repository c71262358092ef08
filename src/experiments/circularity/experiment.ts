import { InputError } from "../../core/errors.js";
import { keepResult } from "../audits.js";
import type { Analysis } from "../slice.js";
import { drawing, type Step } from "../study/run/step.js";
import { circularityDocument } from "./document.js";
import type { Circularity } from "./result.js";
import { runCircularity } from "./run-circularity.js";

const MARGIN = 0.05;

export const circularity: Analysis<Circularity, { margin: number }> = {
  audits: "there",
  options: {
    "--margin <share>": ["differences of rates smaller than this count as none", { share: [0.001, 0.5] }, MARGIN],
  },
  examples: ["defensible experiment circularity", "defensible experiment circularity --run RUN_ID --md=circularity.md"],
  more: "Kept results of `humans report`, `rules tiers`, `stability` and `validate` are read where they exist.",
  async run({ context, places }, { margin }) {
    if (places.length > 1) {
      throw new InputError("one_run", `circularity: is about one run; got ${places.length}`, "Name one of them.");
    }
    const result = await runCircularity({ place: places[0], context, margin });
    return keepResult(context, result);
  },
  document: circularityDocument,
};

export const circularityStep: Step = {
  name: "circularity",
  title: "circularity",
  needs: () => ["random"],
  async run(context) {
    const { runs } = context;
    const place = await runs.get("random");
    return runCircularity({ place, context: runs.context, margin: MARGIN, ...drawing(context) });
  },
};
