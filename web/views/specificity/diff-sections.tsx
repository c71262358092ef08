import type { RulesDiff } from "../../../src/experiments/rules/diff/result.js";
import { printable } from "../../../src/text/printable.js";
import { type Kept, useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure, KeptFigures, NoExperiment, Provenance } from "../../parts/experiment.tsx";
import { DecisionLink, RuleLink } from "../../parts/links.tsx";
import { EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Remarks, Section } from "../../parts/text/prose.tsx";
import { UserText } from "../../parts/text/written.tsx";

const TITLES: Record<RulesDiff["what"], string> = {
  rules: "What a change of the rules does",
  precedents: "What a change of the precedents does",
  rules_and_precedents: "What a change of rules and precedents does",
  precedents_off: "What is lost without precedents",
};

/** A rewrite, and what it does to past decisions. */
export function DiffSections() {
  const kept = useExperiment("diff");
  if (!kept) {
    return (
      <Section id="diff" title={TITLES.rules}>
        <NoExperiment
          kind="diff"
          tells="It audits past decisions under the rules as they are and under a rewrite, and shows which come out otherwise."
          command="defensible rules diff NEW_RULES"
        />
      </Section>
    );
  }
  const { result, at } = kept;
  const { effect, checks } = result;
  return (
    <Section id="diff" title={TITLES[result.what]}>
      <p>
        From <UserText text={result.old} max={80} /> to <UserText text={result.new} max={80} />:{" "}
        {effect ? (
          <Effect at={`${at}/effect`} labelled={effect.new_indefensible.labelled ?? 0} />
        ) : (
          "nothing was audited, since nothing that the auditor reads differs, or no past decision falls under what does."
        )}
      </p>
      <Remarks of={result.warnings} />
      {checks.results.length > 0 && (
        <PlainTable
          caption="Limits that the change was held against"
          heads={[
            { key: "check", name: "Limit" },
            { key: "found", name: "Found" },
          ]}
          rows={checks.results.map(({ name, holds, text }) => ({
            key: name,
            cells: [holds ? "holds" : "does not hold", printable(text, 300)],
          }))}
        />
      )}
      {effect && (
        <>
          <KeptFigures of={result} ids={["diff-indices", "diff-transitions"]} />
          <KeptFigure of={result} id="diff-rules" />
          <Moved {...kept} />
        </>
      )}
      <ChangedRules {...kept} />
      <Provenance of={result} />
    </Section>
  );
}

function Effect({ at, labelled }: { at: string; labelled: number }) {
  return (
    <>
      <Num at={`${at}/new_indefensible/n`} as="whole" /> of <Num at={`${at}/counts/paired`} as="whole" /> decisions
      become indefensible and <Num at={`${at}/no_longer_indefensible/n`} as="whole" /> stop being so. Defensibility
      changes by <EstInText at={`${at}/step/changes/defensibility_index/difference`} as="points" />, ambiguity by{" "}
      <EstInText at={`${at}/step/changes/ambiguity_index/difference`} as="points" />.
      {labelled > 0 && (
        <>
          {" "}
          People made the same decision in <Num at={`${at}/new_indefensible/people_same`} as="whole" /> of the{" "}
          <Num at={`${at}/new_indefensible/labelled`} as="whole" /> that become indefensible and have a human label.
        </>
      )}
    </>
  );
}

const MOVED = [
  { field: "new_indefensible", name: "Become indefensible" },
  { field: "overturned", name: "Are settled the other way" },
  { field: "opened_pure", name: "Can now go either way" },
  { field: "settled", name: "Stop being ambiguous" },
] as const;

const SHOWN = 12;

/** Decisions that come out otherwise, the first of each kind. */
function Moved({ result, at }: Kept<RulesDiff>) {
  return (
    <PlainTable
      caption="Past decisions that come out otherwise"
      heads={[
        { key: "what", name: "Decisions that …" },
        { key: "n", name: "Number", align: "right" },
        { key: "which", name: "Which" },
      ]}
      rows={MOVED.map(({ field, name }) => {
        const { listed } = result.effect![field];
        return {
          key: field,
          cells: [
            name,
            <Num key="n" at={`${at}/effect/${field}/n`} as="whole" />,
            <span key="which">
              {listed.slice(0, SHOWN).map(({ decision_id }, i) => (
                <span key={decision_id}>
                  {i > 0 && ", "}
                  <DecisionLink id={decision_id} />
                </span>
              ))}
              {listed.length > SHOWN && " …"}
            </span>,
          ],
        };
      })}
    />
  );
}

function ChangedRules({ result }: Kept<RulesDiff>) {
  const rules = result.changes?.rules ?? [];
  if (rules.length === 0) return null;
  return (
    <>
      <h3>Rules that were changed</h3>
      <ul>
        {rules.map((rule) => (
          <li key={`${rule.scope} ${rule.community ?? ""} ${rule.rule_id}`}>
            <RuleLink rule={rule} title={rule.title} /> of{" "}
            {rule.community === null ? "the platform" : <UserText text={rule.community} max={40} />}: {rule.change}
            {!rule.shown && ", in a part that the auditor did not read"}
          </li>
        ))}
      </ul>
    </>
  );
}
