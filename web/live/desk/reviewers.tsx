import { useState } from "react";
import { roundedShare, whole } from "../../../src/present/words/numbers.js";
import { api } from "../api.ts";
import { Head, Listed, NameCell, Panel, ProblemLine, Rows, useAction } from "../parts.tsx";
import { useMeAgain } from "../person.ts";
import { useFetched } from "../use-fetched.ts";

type Share = { k: number; n: number } & Record<"share" | "lower" | "upper", number | null>;

interface Reviewer {
  reviewer: string;
  reviews: number;
  overturned: number;
  gold: Share;
  gold_level: Share;
  peers: Share;
}

/** How well reviewers agree with known answers and with each other. Neither ranking nor speed is shown. */
export function ReviewersView() {
  const found = useFetched<{ items: Reviewer[] }>("/v1/reviewers", 8000);
  return (
    <div className="view">
      <Head
        title="Reviewers"
        lead="Some cases have a known answer and come unmarked. Agreement there says how reliable labels are. Speed is not measured."
      />
      <Listed of={found} what="the reviewers" empty="No case has been reviewed yet.">
        {(items) => (
          <Rows
            caption="Reviewers, by name"
            heads={[
              "Reviewer",
              ">Cases",
              ">Overturned",
              "Agrees with known answers",
              "Same level",
              "Agrees with other reviewers",
            ]}
          >
            {items.map(({ reviewer, reviews, overturned, gold, gold_level, peers }) => (
              <tr key={reviewer}>
                <NameCell text={reviewer} />
                <td className="right">{whole(reviews)}</td>
                <td className="right">{whole(overturned)}</td>
                <ShareCell of={gold} none="no known case yet" />
                <ShareCell of={gold_level} none="no known case yet" />
                <ShareCell of={peers} none="no shared case yet" />
              </tr>
            ))}
          </Rows>
        )}
      </Listed>
      <HowReviewsWork />
    </div>
  );
}

function ShareCell({ of: { k, n, share, lower, upper }, none }: { of: Share; none: string }) {
  if (share === null) return <td className="muted">{none}</td>;
  return (
    <td>
      <b>{roundedShare(share)}</b>{" "}
      <span className="muted small nowrap">
        {whole(k)} of {whole(n)}, {roundedShare(lower!)} to {roundedShare(upper!)}
      </span>
    </td>
  );
}

function HowReviewsWork() {
  const { me, again } = useMeAgain();
  const [rate, setRate] = useState(String(Math.round(100 * me.review.gold_rate)));
  const [minutes, setMinutes] = useState(String(me.review.break_minutes));
  const [saved, setSaved] = useState(false);
  const { busy, problem, run } = useAction();
  return (
    <Panel title="How reviews work">
      <form
        className="live-form"
        onSubmit={async (event) => {
          event.preventDefault();
          setSaved(
            await run(async () => {
              await api.put("/v1/review-settings", { gold_rate: Number(rate) / 100, break_minutes: Number(minutes) });
              again();
            }),
          );
        }}
      >
        <NumberField
          label="Cases with a known answer, in percent of claims"
          {...{ max: 50, step: 1, value: rate, onType: setRate }}
        />
        <NumberField
          label="Remind of a break after so many minutes; 0: never"
          {...{ max: 240, step: 5, value: minutes, onType: setMinutes }}
        />
        <button type="submit" className="primary" disabled={busy}>
          Save
        </button>
        <span role="status">{saved && "Saved."}</span>
      </form>
      <ProblemLine of={problem} />
    </Panel>
  );
}

type NumberFieldProps = Record<"label" | "value", string> &
  Record<"max" | "step", number> & { onType: (value: string) => void };

function NumberField({ label, onType, ...field }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input type="number" min={0} required {...field} onChange={(event) => onType(event.target.value)} />
    </label>
  );
}
