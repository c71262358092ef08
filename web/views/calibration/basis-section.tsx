import type { ReactNode } from "react";
import type { DetailedCalibration } from "../../../src/measures/calibration/candidate-result.js";
import { METHOD_WORDS } from "../../../src/present/words/calibration-words.js";
import { wordsOf } from "../../../src/present/words/word-table.js";
import { TIER_WORDS } from "../../../src/present/words/words.js";
import { Num } from "../../parts/numbers/num.tsx";
import { dateText } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";
import { CALIBRATION } from "./use-calibration.ts";

/** Which calibration this is, and the audits that it may be applied to. */
export function BasisSection({ calibration }: { calibration: DetailedCalibration }) {
  const { calibration_id, name, created_at, source, evidence, method, notes = [], fitted_prior } = calibration;
  const rows: [string, ReactNode][] = [];
  const add = (label: string, text: string | number | null | undefined) => {
    if (text !== null && text !== undefined && text !== "")
      rows.push([label, <UserText key={label} text={String(text)} max={120} />]);
  };
  add("Calibration", calibration_id);
  add("Name", name);
  add("Made", created_at && dateText(created_at));
  rows.push([
    "Method",
    <span key="method">{`${wordsOf(METHOD_WORDS, method).name}. ${wordsOf(METHOD_WORDS, method).meaning}`}</span>,
  ]);
  add("Fitted on", source);
  add("Auditor", evidence?.auditor && `${evidence.auditor}, version ${evidence.auditor_version ?? "unknown"}`);
  add("Prompt", evidence?.prompt_version && `${evidence.prompt_version}, template ${evidence.template ?? "unknown"}`);
  add("Signal", evidence?.signal);
  add("Rules shown", evidence?.tier && wordsOf(TIER_WORDS, evidence.tier).meaning);
  add("Temperature", evidence?.temperature);
  if (fitted_prior?.length === 3) {
    rows.push([
      "Levels where it was fitted",
      <span key="prior">
        <Num at={`${CALIBRATION}/fitted_prior/0`} /> level 1, <Num at={`${CALIBRATION}/fitted_prior/1`} /> level 2,{" "}
        <Num at={`${CALIBRATION}/fitted_prior/2`} /> level 3
      </span>,
    ]);
  }
  return (
    <section aria-labelledby="basis">
      <h2 id="basis">What it rests on</h2>
      <dl className="facts">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && (
        <ul className="remarks" aria-label="Notes">
          {notes.map((note) => (
            <li key={note}>
              <UserText text={inWords(note)} max={400} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The command line names its option; a reader of the page has not typed it. */
function inWords(note: string): string {
  return note.replace(
    /^--target auto took /,
    "Of the judgements that enough verdicts have, those of most worth were taken: ",
  );
}
