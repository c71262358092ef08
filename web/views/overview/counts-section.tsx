import { type Text, table } from "../../../src/present/document/document.js";
import { lacksDecisions, listedSentence } from "../../../src/present/words/decision-list.js";
import { auditorKind } from "../../../src/present/words/meaning.js";
import { byCount } from "../../../src/present/words/numbers.js";
import { numberAt, pointerPart } from "../../../src/present/words/sentence.js";
import { wordsOf } from "../../../src/present/words/vocabulary.js";
import { FLAG_WORDS, SIGNAL_WORDS, TIER_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { DocumentSections } from "../../parts/document.tsx";
import { Counted, Num } from "../../parts/numbers/num.tsx";
import { Fact, Section } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { dateText } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";

const KIND_WORDS = {
  baseline:
    "The auditor is the built-in baseline. It reads words and forms, not meaning: a floor that a model has to beat. Do not use it to judge real policy.",
  simulated:
    "The auditor is simulated: it knows the truth of a made-up world and errs at set rates. It reads no content and shows nothing about a real auditor.",
  model:
    "The auditor is a model. Every number of this report is its opinion; how far it can be trusted is a question of its own.",
  unknown: "The report does not say which auditor gave the verdicts. Every number is its opinion.",
};

/** Counts, omissions, remarks, and the source of the verdicts. */
export function CountsSection() {
  const page = usePage();
  const { report } = page;
  const notes = [...(lacksDecisions(page) ? [listedSentence(page)] : []), ...page.notes];
  const { counts, defensibility_index: di, ambiguity_index: ai, flags } = report;
  const bounded = (estimate: typeof di) => estimate.estimate !== null && estimate.worst_case !== undefined;
  const lost = counts.unscored + counts.errors > 0;
  return (
    <Section id="counted" title="What was counted, and by whom">
      <p>{KIND_WORDS[auditorKind(report)]}</p>
      <RunFacts />
      <p>
        Of <Counted at="/report/counts/attempted" one="audit" /> <Num at="/report/counts/verdicts" as="whole" /> gave a{" "}
        <Term symbol="N">verdict</Term>, <Num at="/report/counts/unscored" as="whole" /> ended without one and{" "}
        <Num at="/report/counts/errors" as="whole" /> in an error. Rates are over verdicts.
        {counts.no_rules > 0 && (
          <>
            {" "}
            <Counted at="/report/counts/no_rules" one="decision" /> more {byCount(counts.no_rules, "is", "are")} under
            no rule at all: not audited, and in no rate and no bound.
          </>
        )}
        {lost && bounded(di) && bounded(ai) && (
          <>
            {" "}
            Whatever the others would have said, the Defensibility Index lies between{" "}
            <Num at="/report/defensibility_index/worst_case/lower" /> and{" "}
            <Num at="/report/defensibility_index/worst_case/upper" />, the Ambiguity Index between{" "}
            <Num at="/report/ambiguity_index/worst_case/lower" /> and{" "}
            <Num at="/report/ambiguity_index/worst_case/upper" />.
          </>
        )}
      </p>
      {Object.keys(flags).length > 0 && (
        <DocumentSections
          blocks={[
            table<Text>(
              ["remark", ">audits", "~meaning"],
              Object.keys(flags).map((flag) => [
                wordsOf(FLAG_WORDS, flag).name,
                numberAt(`/flags/${pointerPart(flag)}`, "whole"),
                wordsOf(FLAG_WORDS, flag).meaning,
              ]),
              "Remarks on audits; one audit may have several",
            ),
          ]}
          data={report}
          at="/report"
        />
      )}
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </Section>
  );
}

/** Source of the verdicts, as far as the report knows. */
function RunFacts() {
  const { run } = usePage().report;
  const text = (name: string) => (typeof run[name] === "string" && run[name] !== "" ? (run[name] as string) : null);
  const facts: [string, string | null][] = [
    ["Run", text("run_id")],
    ["File", text("source")],
    ["Cohort", text("cohort")],
    ["Auditor", text("auditor")],
    ["Version", text("auditor_version")],
    ["Prompt", text("prompt_version")],
    ["Rules shown", text("tier") && wordsOf(TIER_WORDS, text("tier")!).meaning],
    ["Probabilities", text("signal") && wordsOf(SIGNAL_WORDS, text("signal")!).meaning],
    ["Begun", text("created_at") && dateText(text("created_at")!)],
  ];
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <Fact key={name} name={name}>
              <UserText text={value} max={120} />
            </Fact>
          ),
      )}
    </dl>
  );
}
