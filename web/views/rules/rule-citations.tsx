import type { PageDecision } from "../../../src/measures/report-page.js";
import { Shown } from "../../parts/num.tsx";
import { Term } from "../../parts/term.tsx";

const BANDS = [
  { from: 1, words: "with every word of the citation in the rule" },
  { from: 0.8, words: "with nearly all (80 % or more)" },
  { from: 0.5, words: "with half or more" },
  { from: 0, words: "with less than half" },
] as const;

/** How far audits cite the rule in its own words. */
export function RuleCitations({ decisions }: { decisions: readonly PageDecision[] }) {
  const overlaps = decisions.flatMap(({ audit }) => audit.citation?.overlap ?? []);
  const grounded = decisions.filter(({ audit }) => audit.citation?.grounded).length;
  if (overlaps.length === 0) {
    return (
      <section aria-labelledby="citations-head">
        <h2 id="citations-head">How its words were cited</h2>
        <p className="muted">The audits name the rule, but do not say which of its words they cite.</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="citations-head">
      <h2 id="citations-head">How its words were cited</h2>
      <p>
        <Shown value={grounded} as="whole" /> of <Shown value={decisions.length} as="whole" /> listed citations are{" "}
        <Term symbol="grounded, scope">grounded</Term> in it: the words that the audit cites stand there. By the share
        of cited words that the rule has (<Term symbol="overlap">overlap</Term>):
      </p>
      <ul className="plain">
        {BANDS.map(({ from, words }, i) => {
          const below = i === 0 ? Infinity : BANDS[i - 1]!.from;
          const n = overlaps.filter((overlap) => overlap >= from && overlap < below).length;
          return (
            <li key={from}>
              <Shown value={n} as="whole" /> {words}
            </li>
          );
        })}
      </ul>
      {overlaps.length < decisions.length && (
        <p className="muted small">
          {decisions.length - overlaps.length} citations name the rule without an overlap that could be measured.
        </p>
      )}
    </section>
  );
}
