import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../present/document/document.js";
import { CHANNEL_VERDICT_WORDS } from "../../present/words/experiment-words.js";
import { byCount, percent, plural } from "../../present/words/numbers.js";
import { estAt } from "../../present/words/sentence.js";
import { printable } from "../../text/printable.js";
import type { Channel, ChannelTest, ChannelVerdict, Circularity } from "./result.js";

export function circularityDocument(result: Circularity): Document {
  const { source, channels } = result;
  return {
    title: "Circularity: do the indices measure the rules, or the auditor's taste?",
    subtitle: [
      printable(source.name, 60),
      ...(source.auditor ? [`auditor ${printable(source.auditor, 40)}`] : []),
      `margin ${percent(result.margin)}`,
    ].join(" · "),
    data: result,
    blocks: [
      { kind: "text", as: "lead", text: conclusion(channels) },
      { kind: "figure", id: "circularity" },
      table(
        ["channel", "verdict", "~because"],
        channels.map(({ title, verdict, because }) => [
          title.split(":")[0]!,
          CHANNEL_VERDICT_WORDS[verdict],
          printable(because, 400),
        ]),
        "Evidence for and against the indices",
      ),
      ...channels.flatMap(channelBlocks),
      ...noteBlocks(result.warnings),
    ],
  };
}

function conclusion(channels: readonly Channel[]): string {
  const of = (verdict: ChannelVerdict) => channels.filter((channel) => channel.verdict === verdict).length;
  const tried = channels.length - of("not_available");
  if (tried === 0) return "There is no evidence yet: no channel could be checked. Each says below what it needs.";
  return `${of("supports")} of ${plural(tried, "channel")} checked ${byCount(of("supports"), "supports", "support")} the indices, ${of("does_not_support")} ${byCount(of("does_not_support"), "does", "do")} not, ${of("cannot_tell")} cannot tell; ${of("not_available")} of ${channels.length} could not be checked. This cannot prove that the auditor reads the rules correctly; it can only fail to show that it does not.`;
}

const FORMS = {
  points: "points",
  rate: "percent",
  correlation: "decimal",
  auroc: "decimal",
  ratio: "decimal",
} as const satisfies Record<ChannelTest["unit"], string>;

function channelBlocks(channel: Channel, place: number): Block[] {
  const { title, tests, can_show, cannot_show, command, advice, source, because, verdict } = channel;
  const runs = source.experiment === "validate" ? [] : source.runs;
  const from = source.experiment
    ? ` Read from the kept result of experiment ${source.experiment}${runs.length > 0 ? ` (${runs.map((run) => `run ${printable(run, 60)}`).join(", ")})` : ""}.`
    : "";
  return [
    { kind: "heading", text: title },
    ...(verdict === "not_available"
      ? [{ kind: "empty" as const, why: `Not available: ${because}.`, ...(command ? { command } : {}) }]
      : []),
    ...(tests.length > 0
      ? [
          table(
            ["~test", ">value", "verdict", "~because"],
            tests.map((test, i): Text[] => [
              printable(test.name, 120).replaceAll(/\bAI\b/g, "ambiguity"),
              estAt(`/channels/${place}/tests/${i}/value`, FORMS[test.unit]),
              CHANNEL_VERDICT_WORDS[test.verdict],
              printable(test.because, 200),
            ]),
          ),
        ]
      : []),
    { kind: "text", text: `Can show: ${can_show}` },
    { kind: "text", text: `Cannot show: ${cannot_show}${from}` },
    ...(command && verdict !== "not_available"
      ? [{ kind: "text" as const, text: `For the rest run \`${command}\`.` }]
      : []),
    ...(advice ? [{ kind: "text" as const, text: printable(advice, 400) }] : []),
  ];
}

export default {
  kind: "circularity",
  view: "trust",
  id: "circularity",
  place: 4,
  tab: "Circularity",
  heading: "Do the indices measure the rules, or the auditor's taste?",
  purpose: "It gathers the evidence that the auditor does not merely confirm itself.",
  command: "defensible experiment circularity",
  document: circularityDocument,
} satisfies Screen<"circularity">;
