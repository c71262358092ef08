import type { HoldoutReport } from "../../../../src/measures/gate/gate-report.js";
import { byCount, formatNumber } from "../../../../src/present/words/numbers.js";
import { Est } from "../../../parts/numbers/est.tsx";
import { Counted, Num } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { Term } from "../../../parts/text/term.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { FINDINGS } from "./use-stored-gate.ts";

const AT = `${FINDINGS}/holdout`;

/** What the communities chosen on one part of the decisions do on the other. */
export function HoldoutSection({ holdout }: { holdout: HoldoutReport }) {
  return (
    <section aria-labelledby="holdout">
      <h2 id="holdout">
        <Term symbol="hold-out certificate">Held-out certificate</Term>
      </h2>
      <p>
        <Num at={`${AT}/share`} as="limit" /> of the decisions{holdout.by_thread && ", whole threads,"} were held out.{" "}
        {holdout.reason ? (
          <>
            There is no certificate: <UserText text={holdout.reason} />.
          </>
        ) : (
          <>
            <Counted at={`${AT}/chosen`} one="community was" many="communities were" /> chosen on the rest; on the
            held-out decisions {byCount(holdout.chosen, "it covers", "they cover")}{" "}
            <Num at={`${AT}/coverage/estimate`} />, and with {formatNumber(1 - holdout.delta, "limit")} confidence at
            most <Num at={`${AT}/upper`} as="risk" /> of what {byCount(holdout.chosen, "it automates", "they automate")}{" "}
            is indefensible
            {holdout.upper_clustered !== null && (
              <>
                {" "}
                (<Num at={`${AT}/upper_clustered`} as="risk" /> for other communities like{" "}
                {byCount(holdout.chosen, "it", "them")})
              </>
            )}
            .
            {holdout.chosen_unseen > 0 && (
              <>
                {" "}
                <Num at={`${AT}/chosen_unseen`} as="whole" /> of the chosen have no held-out verdict.
              </>
            )}
          </>
        )}
      </p>
      {!holdout.reason && (
        <PlainTable
          caption="Indefensible decisions of the chosen communities"
          heads={[
            { key: "where", name: "On the decisions" },
            { key: "rate", name: "Indefensible", align: "right" },
          ]}
          rows={[
            { key: "in", cells: ["they were chosen by", <Est key="in" at={`${AT}/in_sample`} as="risk" />] },
            { key: "out", cells: ["that were held out", <Est key="out" at={`${AT}/realised`} as="risk" />] },
            { key: "optimism", cells: ["difference", <Num key="optimism" at={`${AT}/optimism`} as="points" />] },
          ]}
        />
      )}
    </section>
  );
}
