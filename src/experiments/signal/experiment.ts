import { keepResult } from "../audits.js";
import type { Analysis } from "../slice.js";
import type { SignalExperiment } from "./result.js";
import { runSignal } from "./run-signal.js";
import { signalDocument } from "./signal-document.js";

export const signal: Analysis<SignalExperiment, object> = {
  audits: "there",
  options: [],
  examples: [
    "defensible experiment signal",
    "defensible experiment signal --run LOGPROBS_RUN --run SAMPLING_RUN --md=signal.md",
    "defensible experiment signal --audits audits.parquet --figure-data figures",
  ],
  more: "The tables are about the first run (or file). Others add rows to the table of temperatures, and samples to compare with.",
  async run({ context, places }) {
    return keepResult(context, await runSignal({ places, context }));
  },
  document: signalDocument,
};
