import type { StatementsResult } from "../../app/evidence/statements.js";
import { STATEMENT_REFUSALS, type StatementRefusal } from "../../evidence/statements/draft.js";
import { printable } from "../../text/printable.js";
import { plural } from "./numbers.js";

/** Why a decision has no statement of reasons. */
export const REFUSAL_WORDS: Readonly<Record<StatementRefusal, string>> = {
  not_a_restriction: "the decision restricts nothing",
  not_audited: "the decision was not audited",
  no_verdict: "the audit has no verdict",
  indefensible: "no rule supports the decision (level 3)",
  ambiguous: "the opposite follows from the rules too",
  decision_changed: "the audit is of another action",
  content_changed: "the content was changed after the audit",
  rules_changed: "the rules are not those of the audit",
};

/** Decisions named in the terminal for each reason; `--json` lists all. */
const NAMED = 3;

/** The outcome of an export, in lines. */
export function statementLines(result: StatementsResult, out: string): string[] {
  const { drafts, ready, run_id, missing, refused, refusals, notes } = result;
  const fields = Object.entries(missing).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return [
    `Wrote ${plural(drafts, "draft")} of run ${run_id} to ${printable(out)}; ${ready} with every required field.`,
    ...(fields.length > 0 ? [`Empty: ${fields.map(([name, n]) => `${name} (${n})`).join(", ")}.`] : []),
    ...(notes.default_category
      ? [
          `Category: ${plural(notes.default_category, "draft")} with STATEMENT_CATEGORY_OTHER_VIOLATION_TC, because the rule names no other.`,
        ]
      : []),
    ...STATEMENT_REFUSALS.filter((code) => refused[code] > 0).map((code) => {
      const ids = refusals.filter((one) => one.code === code).slice(0, NAMED);
      const named =
        code === "not_a_restriction" ? "" : `, such as ${ids.map((one) => printable(one.decision_id, 60)).join(", ")}`;
      return `Refused ${refused[code]}, ${code}: ${REFUSAL_WORDS[code]}${named}.`;
    }),
    ...(drafts > 0 ? ["A person must read each draft before it is sent."] : []),
  ];
}
