import type { Figure } from "../../core/figure.js";
import type { Channel, Circularity } from "../../core/results/circularity.js";
import { wideInterval } from "../../present/words/wide-interval.js";
import { auditorNotes } from "../auditor-notes.js";

export interface CircularityInputs {
  source: Circularity["source"];
  channels: Channel[];
  margin: number;
}

/** All channels as one result. */
export function circularity({ source, channels, margin }: CircularityInputs): Circularity {
  const runs = [...new Set(channels.flatMap((channel) => channel.source.runs))].sort();
  return {
    format: 1,
    experiment: "circularity",
    runs,
    source,
    margin,
    channels,
    figures: [channelFigure(channels)],
    warnings: auditorNotes([source.auditor]),
  };
}

function channelFigure(channels: readonly Channel[]): Figure {
  const count = (verdict: Channel["verdict"]) => channels.filter((channel) => channel.verdict === verdict).length;
  return {
    id: "circularity",
    title: `${count("supports")} of ${channels.length} channels speak for the indices, ${count("does_not_support")} against, ${count("cannot_tell")} cannot tell, ${count("not_available")} not tried`,
    mark: "point",
    x: { field: "value", label: "estimate, in the test's own unit", format: "decimal" },
    y: { field: "test", label: "test" },
    series: "channel",
    choose: ["unit"],
    title_of_all: true,
    references: [{ axis: "x", value: 0, label: "no difference" }],
    caption:
      "Differences of rates and rates are fractions; correlations, areas under curves (0.5 is chance) and ratios (1 is none) in their own unit.",
    rows: channels.flatMap(({ channel, tests }) =>
      tests.map(({ name, unit, value, verdict }) => {
        const interval = wideInterval(value);
        return {
          channel,
          test: name,
          unit,
          value: value.estimate,
          lower: interval?.lower ?? null,
          upper: interval?.upper ?? null,
          verdict,
        };
      }),
    ),
  };
}
