import type { AttackResult } from "../../../src/experiments/attack/result.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { detectedAt, flaggedAt } from "./places.ts";

/** What was found: how much is noticed, and at what price. */
export function AdversarialLead({ result, at }: Kept<AttackResult>) {
  const all = result.detection.find(
    (row) => row.target === "input" && row.kind === "all" && row.layer === "union",
  )?.detected;
  if (!all || all.estimate === null) {
    return (
      <p className="lead">
        Nothing can be said of attacks on the input: {all && all.estimate === null ? all.reason : "none was audited"}.
      </p>
    );
  }
  const [union, two, held] = (["union", "two_layers", "union_at_rate"] as const).map((layer) => ({
    detected: detectedAt(result, at, "input", "all", layer),
    flagged: flaggedAt(result, at, layer),
  }));
  return (
    <p className="lead">
      Of <Num at={`${at}/counts/input`} as="whole" /> wrong decisions made to look right, some layer notices{" "}
      <EstInText at={union!.detected!} />
      {union!.flagged && (
        <>
          , and raises a false alarm on <EstInText at={union!.flagged} counts /> of the clean cases
        </>
      )}
      .{" "}
      {two!.detected && (
        <>
          The paper's two layers notice <EstInText at={two!.detected} />
          {two!.flagged && (
            <>
              {" "}
              at false alarms on <Est at={two!.flagged} with="value" />
            </>
          )}
          .{" "}
        </>
      )}
      {held!.detected && held!.flagged && (
        <>
          With thresholds chosen for few false alarms all layers together notice <EstInText at={held!.detected} />, at
          false alarms on <Est at={held!.flagged} with="value" />.
        </>
      )}
    </p>
  );
}
