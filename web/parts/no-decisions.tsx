import { whole } from "../../src/present/words/numbers.js";
import { usePage } from "../data/page-context.ts";
import { Nothing } from "./nothing.tsx";

/** Why no single decision is listed. */
export function NoDecisions({ of }: { of: string }) {
  const { decisions, decisions_of } = usePage();
  if (decisions_of === null) {
    return (
      <Nothing
        why="Single decisions were left out of this report on request."
        command="defensible report --html FILE"
      />
    );
  }
  return (
    <Nothing
      why={
        decisions.length > 0
          ? `This report lists ${whole(decisions.length)} of ${whole(decisions_of)} decisions, and none of ${of} is among them.`
          : "This report lists no single decisions."
      }
    />
  );
}
