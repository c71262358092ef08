import { Command } from "commander";
import { importOutcomes, type OutcomesImport } from "../../app/outcomes/import-outcomes.js";
import { plural } from "../../present/words/numbers.js";
import { foreignFile } from "../../store/formats/foreign-file.js";
import { EXIT } from "../exit-code.js";
import { type CommonOptions, collect, contextOf, examples, withCommonOptions } from "../options.js";
import { print, printJson, say } from "../output.js";
import { importSentence, namedCounts, tellRejects } from "./import.js";

interface ImportFlags extends CommonOptions {
  map?: string[];
  mapValue?: string[];
  dryRun?: boolean;
}

export function outcomesCommand(): Command {
  return new Command("outcomes").helpCommand(false).addCommand(outcomesImportCommand());
}

function outcomesImportCommand(): Command {
  return withCommonOptions(new Command("import"))
    .description(
      "import outcomes of reviews and appeals (JSONL, CSV, Parquet); `report` and `gate` show the realised risk",
    )
    .argument("<files...>", "files of outcomes: decision_id, outcome (uphold or overturn), at, level?, reviewer?, …")
    .option("--map <column=field>", "a column of theirs is a field of ours; may be repeated", collect)
    .option("--map-value <field:theirs=ours>", "a value of theirs is a value of ours; may be repeated", collect)
    .option("--dry-run", "check everything and write nothing")
    .addHelpText(
      "after",
      examples(
        "defensible outcomes import reviews.jsonl appeals.csv",
        "defensible outcomes import queue.csv --map case=decision_id --map-value outcome:reversed=overturn",
      ),
    )
    .action(importAction);
}

async function importAction(files: string[], flags: ImportFlags): Promise<void> {
  const context = await contextOf(flags);
  const { map, mapValue, dryRun } = flags;
  const result = await importOutcomes(context, files.map(foreignFile), { map, mapValue, dryRun });
  if (result.rejected > 0 || result.files.some((file) => file.problem)) process.exitCode = EXIT.user;
  if (printJson({ ...namedCounts(result), files: result.files.map(namedCounts) }, flags)) return;
  tellRejects(result);
  tellOutcomes(result);
  print(importSentence(result));
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
