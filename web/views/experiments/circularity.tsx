import type { Channel, ChannelTest } from "../../../src/experiments/circularity/result.js";
import { CHANNEL_VERDICT_WORDS } from "../../../src/present/words/experiments/experiment-words.js";
import { byCount, plural } from "../../../src/present/words/numbers.js";
import { printable } from "../../../src/text/printable.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure } from "../../parts/experiment.tsx";
import { Est } from "../../parts/numbers/est.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import type { LeadProps } from "./lead-props.ts";

/** How many channels speak for the indices, and how many against. */
export function CircularityLead({ className }: LeadProps) {
  const { result } = useExperiment("circularity")!;
  const { channels } = result;
  const count = (verdict: Channel["verdict"]) => channels.filter((channel) => channel.verdict === verdict).length;
  const tried = channels.length - count("not_available");
  if (tried === 0)
    return <p className={className}>There is no evidence yet: none of the channels could be looked at.</p>;
  return (
    <p className={className}>
      {count("supports")} of {plural(tried, "channel")} that could be looked at{" "}
      {byCount(count("supports"), "speaks", "speak")} for the indices, {count("does_not_support")} against them,{" "}
      {count("cannot_tell")} cannot tell; {count("not_available")} of {channels.length} could not be looked at. No
      channel alone, and not all of them together, can prove that an auditor reads the rules as it should; they can only
      fail to show that it does not.
    </p>
  );
}

const FORMS: Record<ChannelTest["unit"], "points" | "percent" | "decimal"> = {
  points: "points",
  rate: "percent",
  correlation: "decimal",
  auroc: "decimal",
  ratio: "decimal",
};

/** Every channel with its verdict. */
function ChannelTable() {
  const { result } = useExperiment("circularity")!;
  return (
    <PlainTable
      caption="Whether something speaks for the indices"
      heads={[
        { key: "channel", name: "Channel" },
        { key: "verdict", name: "Verdict" },
        { key: "because", name: "Because" },
      ]}
      rows={result.channels.map(({ channel, title, verdict, because }) => ({
        key: channel,
        cells: [title.split(":")[0], CHANNEL_VERDICT_WORDS[verdict], printable(because, 400)],
      }))}
    />
  );
}

export function CircularityBody() {
  const { result, at } = useExperiment("circularity")!;
  return (
    <>
      <Section id="channels" title="All channels">
        <ChannelTable />
        <KeptFigure of={result} id="circularity" />
      </Section>
      {result.channels.map(({ channel, title, verdict, because, tests, can_show, cannot_show, command }, i) => (
        <Section key={channel} id={`channel-${channel}`} title={title}>
          <p>
            <b>{CHANNEL_VERDICT_WORDS[verdict]}</b>: {printable(because, 400)}.
          </p>
          {tests.length > 0 && (
            <PlainTable
              caption="What the verdict rests on"
              heads={[
                { key: "test", name: "Test" },
                { key: "value", name: "Value", align: "right" },
                { key: "verdict", name: "Verdict" },
                { key: "because", name: "Because" },
              ]}
              rows={tests.map((test, j) => ({
                key: test.name,
                cells: [
                  printable(test.name, 120),
                  <Est key="value" at={`${at}/channels/${i}/tests/${j}/value`} as={FORMS[test.unit]} with="interval" />,
                  CHANNEL_VERDICT_WORDS[test.verdict],
                  printable(test.because, 300),
                ],
              }))}
            />
          )}
          <p className="small muted">It can show: {can_show}</p>
          <p className="small muted">It cannot show: {cannot_show}</p>
          {command && (
            <p className="small">
              What is missing comes from: <code>{printable(command, 400)}</code>
            </p>
          )}
        </Section>
      ))}
    </>
  );
}
