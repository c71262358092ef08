import type { Report } from "../../core/results/report.js";
import { type Block, type Document, type Text, table } from "../document/document.js";
import { wideInterval } from "../words/numbers.js";
import { estAt, type Sentence, sentence } from "../words/sentence.js";

/** Decider and moderators by the same measure, where `audit --humans` was run. Pointers lead into the report. */
export function moderatorsDocument(report: Report): Document {
  const { humans } = report;
  const blocks: Block[] = humans
    ? [{ kind: "text", as: "lead", text: moderatorsSentence(humans) }, ...moderatorBlocks()]
    : [
        {
          kind: "empty",
          why: "Moderators' own decisions were not audited in this run.",
          command: "defensible audit --humans",
        },
      ];
  return { title: "Decider and moderators by the same measure", subtitle: "", data: report, blocks };
}

function moderatorsSentence({ difference }: NonNullable<Report["humans"]>): Sentence {
  const interval = wideInterval(difference);
  const chance = interval !== null && interval.lower <= 0 && interval.upper >= 0;
  return sentence`The rules support ${estAt("/humans/human_defensibility_index", "rounded", "value")} of the moderators' decisions and ${estAt("/humans/model_defensibility_index", "rounded", "value")} of the decider's${chance ? "; the difference is not statistically significant" : ""}.`;
}

export function moderatorBlocks(): Block[] {
  const row = (name: string, field: string, as: "percent" | "points" = "percent"): Text[] => [
    name,
    estAt(`/humans/${field}`, as),
    estAt(`/humans/${field}`, as, "counts"),
  ];
  return [
    table(
      ["", ">Defensibility Index", ">decisions"],
      [
        row("The decider", "model_defensibility_index"),
        row("The moderators", "human_defensibility_index"),
        row("Difference, decider − moderators", "difference", "points"),
      ],
    ),
    {
      kind: "text",
      text: "Both on the same labelled decisions: where they differ, the moderator's decision was audited as well. The auditor does not know whose decision it reads.",
    },
  ];
}
