import { countOf } from "../../../src/core/estimate.js";
import type { Stability } from "../../../src/experiments/stability/result.js";
import { byCount } from "../../../src/present/words/numbers.js";
import type { Kept } from "../../data/use-experiment.ts";
import { GoTo } from "../../parts/contents.tsx";
import { Num } from "../../parts/numbers/num.tsx";

/** What follows from it for whoever has to act on verdicts. */
export function WhatToDo({ result, at }: Kept<Stability>) {
  const [first] = result.temperatures;
  if (!first) return null;
  const sequential = result.settings.mode === "sequential";
  const all = first.boundary_flip_rate.all;
  if (!sequential && all.estimate === null) return null;
  const place = `${at}/temperatures/0`;
  const unstable = sequential ? (first.boundaries.boundary_unstable ?? 0) : countOf(all);
  const open = sequential ? (first.boundaries.undetermined ?? 0) : 0;
  if (unstable === 0) {
    return (
      <p>
        What to do:{" "}
        {open > 0
          ? "of no verdict is it shown that it is a matter of luck; "
          : "no verdict here is a matter of luck, so that "}
        {open > 0
          ? "more repetitions would tell of the others."
          : "one audit of a case tells what this auditor says of it."}{" "}
        The <GoTo id="cases">cases</GoTo> stand at the end.
      </p>
    );
  }
  return (
    <p>
      What to do: on{" "}
      <Num at={sequential ? `${place}/boundaries/boundary_unstable` : `${place}/boundary_flip_rate/all/k`} as="whole" />{" "}
      of <Num at={sequential ? `${place}/cases` : `${place}/boundary_flip_rate/all/n`} as="whole" /> cases the verdict
      of one audit is partly a matter of luck. Have a person decide {byCount(unstable, "it", "them")};{" "}
      {byCount(unstable, "it stands", "they stand")} first among the <GoTo id="cases">cases</GoTo>.
    </p>
  );
}
