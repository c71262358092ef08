import { Command } from "commander";
import { importOutcomes, type OutcomesImport } from "../../../app/outcomes/import-outcomes.js";
import { plural } from "../../../present/words/numbers.js";
import { foreignFile } from "../../../store/formats/foreign-rows.js";
import { importOptions, type MappingOptions, tellImport, withMappingOptions } from "../../import/mapping-options.js";
import { examples } from "../../options.js";
import { say } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";

export function outcomesCommand(): Command {
  return new Command("outcomes").helpCommand(false).addCommand(outcomesImportCommand());
}

function outcomesImportCommand(): Command {
  return withMappingOptions(withStores(new Command("import")), false)
    .description(
      "import outcomes of reviews and appeals (JSONL, CSV, Parquet); `report` and `gate` show the realised risk",
    )
    .argument("<files...>", "files of outcomes: decision_id, outcome (uphold or overturn), at, level?, reviewer?, …")
    .addHelpText(
      "after",
      examples(
        "defensible outcomes import reviews.jsonl appeals.csv",
        "defensible outcomes import queue.csv --map case=decision_id --map-value outcome:reversed=overturn",
      ),
    )
    .action(importAction);
}

async function importAction(files: string[], options: MappingOptions): Promise<void> {
  const context = await storesOf(options);
  const result = await importOutcomes(
    context,
    files.map((file) => foreignFile(file)),
    importOptions(options, "outcomes", context),
  );
  tellImport(
    result,
    options,
    (file) => ["defensible", "outcomes", "import", file],
    () => tellOutcomes(result),
  );
}

function tellOutcomes({ outcomes, labels }: OutcomesImport): void {
  if (outcomes === null || labels === null) return;
  if (outcomes.unknown > 0) {
    say(
      `${plural(outcomes.unknown, "outcome")} of decisions that are not in the route log (gate/routes.jsonl): kept, but in no rate.`,
    );
  }
  if (outcomes.not_drawn > 0) {
    say(
      `${plural(outcomes.not_drawn, "outcome")} of decisions that the random draw did not choose: in no rate of automated decisions.`,
    );
  }
  if (labels.conflicting > 0) {
    say(
      `${plural(labels.conflicting, "outcome")} made no label: the same reviewer labelled the decision before, otherwise.`,
    );
  }
  say(
    `The workspace has ${plural(outcomes.random_reviews, "outcome")} of random reviews and ${outcomes.appeals} of appeals; ${plural(labels.added, "new label")}${labels.superseded > 0 ? `, ${plural(labels.superseded, "label")} of earlier outcomes removed` : ""}.`,
  );
}
