import { Command } from "commander";
import { keepResult } from "../../experiments/audits.js";
import { runSignal } from "../../experiments/signal/run-signal.js";
import { signalDocument } from "../../experiments/signal/signal-document.js";
import { type ExperimentFlags, experimentPlaces, withAnalysisOptions } from "../experiment/flags.js";
import { examples } from "../options.js";
import { showExperiment } from "../page.js";

export function experimentSignalCommand(): Command {
  return withAnalysisOptions(new Command("signal"))
    .description(
      "what S, σ(ρ), entropies and plain output confidence say of a decision, and how far each can be believed",
    )
    .addHelpText(
      "after",
      `${examples(
        "defensible experiment signal",
        "defensible experiment signal --run LOGPROBS_RUN --run SAMPLING_RUN --md=signal.md",
        "defensible experiment signal --audits audits.parquet --figure-data figures",
      )}
The first run (or file) is the one that the tables are about; others add rows to the table of temperatures, and samples to compare with.
`,
    )
    .action(signal);
}

async function signal(flags: ExperimentFlags): Promise<void> {
  const { context, places } = await experimentPlaces(flags);
  const result = await runSignal({ places, context });
  showExperiment(await keepResult(context, result), flags, signalDocument);
}
