import { type Block, type Document, noteBlocks, table } from "../../present/document/document.js";
import { numberCell, pointsCell, rateCell } from "../../present/words/experiments/estimate-cells.js";
import { CHANNEL_VERDICT_WORDS } from "../../present/words/experiments/experiment-words.js";
import { byCount, percent, plural } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import type { Channel, ChannelTest, ChannelVerdict, Circularity } from "./result.js";

/** Whether the indices measure the rules or the auditor's taste, channel by channel. */
export function circularityDocument(result: Circularity): Document {
  const { source, channels } = result;
  return {
    title: "Circularity: do the indices measure the rules, or the auditor's taste?",
    subtitle: [
      printable(source.name, 60),
      ...(source.auditor ? [`auditor ${printable(source.auditor, 40)}`] : []),
      `margin ${percent(result.margin)}`,
    ].join(" · "),
    blocks: [
      { kind: "text", text: summary(channels) },
      table(
        ["channel", "verdict", "~because"],
        channels.map(({ title, verdict, because }) => [
          title.split(":")[0]!,
          CHANNEL_VERDICT_WORDS[verdict],
          printable(because, 400),
        ]),
      ),
      ...channels.flatMap(channelBlocks),
      ...noteBlocks(result.warnings),
    ],
  };
}

function summary(channels: readonly Channel[]): string {
  const of = (verdict: ChannelVerdict) => channels.filter((channel) => channel.verdict === verdict).length;
  const tried = channels.length - of("not_available");
  if (tried === 0)
    return "There is no evidence yet: none of the channels could be looked at. Each says below what makes it.";
  const parts = [
    `${of("supports")} of ${plural(tried, "channel")} that could be looked at ${byCount(of("supports"), "speaks", "speak")} for the indices`,
    `${of("does_not_support")} against them`,
    `${of("cannot_tell")} cannot tell`,
  ];
  return `${parts.join(", ")}; ${of("not_available")} of ${channels.length} could not be looked at. No channel alone, and not all of them together, can prove that an auditor reads the rules as it should; they can only fail to show that it does not.`;
}

function channelBlocks({ title, tests, can_show, cannot_show, command, source, because, verdict }: Channel): Block[] {
  const from = source.experiment
    ? ` Read from the kept result of experiment ${source.experiment}${source.experiment !== "validate" && source.runs.length > 0 ? ` (${source.runs.map((run) => `run ${printable(run, 60)}`).join(", ")})` : ""}.`
    : "";
  return [
    { kind: "heading", text: title },
    ...(verdict === "not_available" ? [{ kind: "text", text: `Not available: ${because}.` } as const] : []),
    ...(tests.length > 0
      ? [
          table(
            ["~test", ">value", "verdict", "~because"],
            tests.map((test) => [
              printable(test.name, 120),
              valueText(test),
              CHANNEL_VERDICT_WORDS[test.verdict],
              printable(test.because, 200),
            ]),
          ),
        ]
      : []),
    { kind: "text", text: `It can show: ${can_show}` },
    { kind: "text", text: `It cannot show: ${cannot_show}${from}` },
    ...(command ? [{ kind: "text", text: `What is missing comes from: ${command}` } as const] : []),
  ];
}

function valueText({ unit, value }: ChannelTest): string {
  if (unit === "points") return pointsCell(value);
  return unit === "rate" ? rateCell(value) : numberCell(value);
}
