import type { RulesDiff } from "../../../src/experiments/rules/diff/result.js";
import { limitsInWords } from "../../../src/present/figures/gate-modes.js";
import { byCount } from "../../../src/present/words/numbers.js";
import { changedMode, rewritten, savedReviews } from "../../../src/present/words/rule-texts.js";
import { liveDay } from "../../../src/present/words/vocabulary.js";
import { gateName } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { useExperiment } from "../../data/use-experiment.ts";
import { Num } from "../../parts/numbers/num.tsx";
import { Fact } from "../../parts/text/prose.tsx";
import { UserText } from "../../parts/text/written.tsx";
import { routeHash } from "../../route/route.ts";

/** The effect of rewriting a rule, if the workspace has compared two texts: decisions open both ways, communities that pass, reviews and risk. */
export function PayOff() {
  const { report } = usePage();
  const kept = useExperiment("diff");
  const effect = kept?.result.effect;
  // Not for a live run, whose decisions are others.
  if (!kept || !effect || liveDay(report.run)) return null;
  const { result, at } = kept;
  const before = `${at}/effect/arms/0`;
  const after = `${at}/effect/arms/1`;
  const worse = effect.new_indefensible.n;
  return (
    <section aria-labelledby="pay-off" className="pay-off">
      <h2 id="pay-off">
        <a href={routeHash("rules", ["rewrite"])}>
          Rewriting <UserText text={rewritten(result.what, result.changes)} max={80} />
        </a>
      </h2>
      <dl className="before-after">
        <Fact name="open decisions">
          <Change
            before={`${before}/ambiguity_pure/estimate`}
            after={`${after}/ambiguity_pure/estimate`}
            as="rounded"
          />
          <small>
            <Num at={`${before}/ambiguity_pure/k`} as="whole" /> → <Num at={`${after}/ambiguity_pure/k`} as="whole" />{" "}
            of <Num at={`${after}/ambiguity_pure/n`} as="whole" />
            {worse > 0 && (
              <>
                ; <Num at={`${at}/effect/new_indefensible/n`} as="whole" /> {byCount(worse, "becomes", "become")}{" "}
                indefensible
              </>
            )}
          </small>
        </Fact>
        {result.gate && <Gate gate={result.gate} at={`${at}/gate`} />}
      </dl>
      {result.gate && <StillMissing gate={result.gate} at={`${at}/gate`} />}
    </section>
  );
}

function Gate({ gate, at }: { gate: NonNullable<RulesDiff["gate"]>; at: string }) {
  const mode = changedMode(gate) ?? gate.mode;
  const place = `${at}/by_mode/${mode}`;
  const saved = savedReviews(gate, mode);
  const { di, ai } = gate.thresholds;
  const shown = usePage().gate_input.limits;
  return (
    <>
      <Fact name={`pass the ${gateName(mode)}`}>
        <Change before={`${place}/before/passing`} after={`${place}/after/passing`} as="whole" />
        <small>
          of <Num at={`${at}/communities`} as="whole" /> communities
          {(di !== shown.di || ai !== shown.ai) && `, by other limits: ${limitsInWords({ di, ai }, gate.variable)}`}
        </small>
      </Fact>
      <Fact name={saved.unit}>
        <span className="change">≈ {saved.text}</span>
        <small>{saved.basis}</small>
      </Fact>
      <Fact name="automated without rule support">
        <Change before={`${place}/before/indefensible`} after={`${place}/after/indefensible`} as="whole" />
        <small>
          of <Num at={`${place}/before/decisions`} as="whole" /> → <Num at={`${place}/after/decisions`} as="whole" />
        </small>
      </Fact>
    </>
  );
}

/** What the gate's own mode still requires, if the change shows only in the raw rates. */
function StillMissing({ gate, at }: { gate: NonNullable<RulesDiff["gate"]>; at: string }) {
  const place = gate.compared.findIndex(({ after }) => after.more_decisions_needed[gate.mode]);
  if (changedMode(gate) === gate.mode || place < 0) return null;
  return (
    <p className="muted small">
      The {gateName(gate.mode)} needs{" "}
      <Num at={`${at}/compared/${place}/after/more_decisions_needed/${gate.mode}`} as="whole" /> more decisions.
    </p>
  );
}

function Change({ before, after, as }: { before: string; after: string; as: "rounded" | "whole" }) {
  return (
    <span className="change">
      <Num at={before} as={as} /> → <Num at={after} as={as} />
    </span>
  );
}
