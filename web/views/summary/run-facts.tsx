import { SIGNAL_WORDS } from "../../../src/present/words/audit-words.js";
import { wordsOf } from "../../../src/present/words/word-table.js";
import { TIER_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { dateText } from "../../parts/date-text.ts";
import { UserText } from "../../parts/user-text.tsx";

/** Where the verdicts come from, as far as the report knows. */
export function RunFacts() {
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
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <UserText text={value} max={120} />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
