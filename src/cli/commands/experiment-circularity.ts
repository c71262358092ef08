import { Command } from "commander";
import { InputError } from "../../core/errors.js";
import { keepResult } from "../../experiments/audits.js";
import { circularityDocument } from "../../experiments/circularity/circularity-document.js";
import { runCircularity } from "../../experiments/circularity/run-circularity.js";
import { type ExperimentFlags, experimentPlaces, withAnalysisOptions } from "../experiment/flags.js";
import { examples, share } from "../options.js";
import { showExperiment } from "../page.js";

interface CircularityFlags extends ExperimentFlags {
  margin: number;
}

export function experimentCircularityCommand(): Command {
  return withAnalysisOptions(new Command("circularity"))
    .description("do the indices measure the rules or the auditor's taste: four channels of evidence, and the truth")
    .option("--margin <share>", "differences of rates smaller than this count as none", share(0.001, 0.5), 0.05)
    .addHelpText(
      "after",
      `${examples("defensible experiment circularity", "defensible experiment circularity --run RUN_ID --md=circularity.md")}
Kept results of \`humans report\`, \`rules tiers\`, \`stability\` and \`validate\` are read where they exist.
`,
    )
    .action(circularity);
}

async function circularity(flags: CircularityFlags): Promise<void> {
  const { context, places } = await experimentPlaces(flags);
  if (places.length > 1) {
    throw new InputError("one_run", `circularity: is about one run; got ${places.length}`, "Name one of them.");
  }
  const result = await runCircularity({ place: places[0], context, margin: flags.margin });
  showExperiment(await keepResult(context, result), flags, circularityDocument);
}
