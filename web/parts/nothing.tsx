import type { ReactNode } from "react";
import { whole } from "../../src/present/words/numbers.js";
import { isFromFile, useMaybePage, usePage } from "../data/page-context.ts";
import { Prose } from "./text/prose.tsx";

interface NothingProps {
  why: string;
  command?: string | undefined;
  children?: ReactNode;
}

/** Shown in place of a missing chart or table: why it is missing, and what would create it. */
export function Nothing({ why, command, children }: NothingProps) {
  const fromFile = isFromFile(useMaybePage());
  return (
    <div className="nothing">
      <p>
        <Prose text={why} />
      </p>
      {command && worksHere(command, fromFile) && (
        <p>
          Run <code>{command}</code>
        </p>
      )}
      {children}
    </div>
  );
}

/** A file of audits has no workspace, which all commands but `report` need. */
function worksHere(command: string, fromFile: boolean): boolean {
  return !fromFile || command.startsWith("defensible report ");
}

/** Why no decisions are listed. */
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
