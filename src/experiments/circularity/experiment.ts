import { InputError } from "../../core/errors.js";
import { keepResult } from "../audits.js";
import type { Analysis } from "../slice.js";
import { circularityDocument } from "./circularity-document.js";
import type { Circularity } from "./result.js";
import { runCircularity } from "./run-circularity.js";

export const circularity: Analysis<Circularity, { margin: number }> = {
  audits: "there",
  options: [
    {
      flag: "--margin <share>",
      does: "differences of rates smaller than this count as none",
      is: { share: [0.001, 0.5] },
      default: 0.05,
    },
  ],
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
