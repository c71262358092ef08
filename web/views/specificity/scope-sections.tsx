import type { AblationClass, Scopes } from "../../../src/experiments/rules/scopes/result.js";
import { ABLATION_WORDS } from "../../../src/present/words/experiments/experiment-words.js";
import { type Kept, useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure, KeptFigures, NoExperiment, Provenance } from "../../parts/experiment.tsx";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Remarks, Section } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";

/** Platform and community: whose rules the ambiguity rests on, measured by taking one of them away. */
export function ScopeSections() {
  const kept = useExperiment("scopes");
  if (!kept) {
    return (
      <Section id="scopes" title="Whose rules: the platform's or the community's">
        <NoExperiment
          kind="scopes"
          tells="It audits the same decisions under the platform's rules alone and the community's alone, and shows what ambiguity rests on."
        />
      </Section>
    );
  }
  const { result, at } = kept;
  const classes = `${at}/ambiguity/classes`;
  return (
    <Section id="scopes" title="Whose rules: the platform's or the community's">
      <p>
        Under all rules the opposite of <EstInText at={`${at}/ambiguity/both`} counts /> of the decisions could be
        derived, and <EstInText at={`${at}/ambiguity_pure/both`} /> stay open both ways: decision and opposite. Where
        the opposite can be derived, that rests on the platform's rules alone in{" "}
        <Est at={`${classes}/platform`} with="value" /> of all decisions, on the community's alone in{" "}
        <Est at={`${classes}/community`} with="value" />, on either of them in{" "}
        <Est at={`${classes}/either`} with="value" />, and on both together in{" "}
        <Est at={`${classes}/together`} with="value" />. In another{" "}
        <Est at={`${at}/ambiguity/ended_by_community`} with="value" /> it could be by the platform's rules alone, and
        the community's rules end that.
      </p>
      <Remarks of={result.warnings} />
      <KeptFigures of={result} ids={["scopes-indices", "scopes-classes"]} />
      <ArmTable {...kept} />
      <AblationTable {...kept} />
      <KeptFigure of={result} id="scopes-agreement" />
      <p>
        A citation says what the auditor pointed at; the ablation says what changes when that text is taken away. Both
        give <EstInText at={`${at}/agreement/agree`} counts /> of these decisions to the same scope;{" "}
        <Term symbol="κ (Cohen)">Cohen's κ</Term> is <EstInText at={`${at}/agreement/kappa`} as="decimal" />.
      </p>
      <Provenance of={result} />
    </Section>
  );
}

const CLASSES = Object.keys(ABLATION_WORDS) as AblationClass[];
const ARMS = ["All rules", "The platform's alone", "The community's alone"];

function ArmTable({ result, at }: Kept<Scopes>) {
  return (
    <>
      <PlainTable
        caption="The same decisions under each scope"
        heads={[
          { key: "rules", name: "Rules shown" },
          { key: "di", name: <Term symbol="DI">Defensibility</Term>, align: "right" },
          { key: "ai", name: <Term symbol="AI">Ambiguity</Term>, align: "right" },
          { key: "pure", name: <Term symbol="AI_pure">Pure ambiguity</Term>, align: "right" },
          { key: "l3", name: "Indefensible", align: "right" },
        ]}
        rows={result.arms.map(({ arm }, i) => ({
          key: arm,
          cells: [
            ARMS[i] ?? arm,
            <Est key="di" at={`${at}/arms/${i}/defensibility_index`} with="interval" />,
            <Est key="ai" at={`${at}/arms/${i}/ambiguity_index`} with="interval" />,
            <Est key="pure" at={`${at}/arms/${i}/ambiguity_pure`} with="interval" />,
            <Num key="l3" at={`${at}/arms/${i}/indefensible`} as="whole" />,
          ],
        }))}
      />
      <p className="small muted">
        Precedents are shown in every arm. A decision that rests on a rule which is not shown is indefensible there, and
        its opposite often defensible: ambiguity under one scope alone counts that too, pure ambiguity does not.
      </p>
    </>
  );
}

function AblationTable({ at }: Kept<Scopes>) {
  const properties = ["ambiguity", "ambiguity_pure", "defensibility"] as const;
  const row = (key: string, name: string, field: string) => ({
    key,
    cells: [name, ...properties.map((one) => <Est key={one} at={`${at}/${one}/${field}`} with="interval" />)],
  });
  return (
    <>
      <PlainTable
        caption="What it rests on, by ablation"
        heads={[
          { key: "what", name: "Holds under all rules, and under …" },
          { key: "ai", name: <Term symbol="AI">Ambiguity</Term>, align: "right" },
          { key: "pure", name: <Term symbol="AI_pure">Pure ambiguity</Term>, align: "right" },
          { key: "di", name: <Term symbol="DI">Defensibility</Term>, align: "right" },
        ]}
        rows={[
          ...CLASSES.map((name) => row(name, ABLATION_WORDS[name], `classes/${name}`)),
          row("both", "all four: under all rules", "both"),
          row("ended_by_community", "ended by the community's rules", "ended_by_community"),
          row("ended_by_platform", "ended by the platform's rules", "ended_by_platform"),
        ]}
      />
      <p className="small muted">
        The four classes do not overlap and add up to the index under all rules. Ended: holds under one scope alone, and
        no more with the other scope's rules beside it.
      </p>
    </>
  );
}
