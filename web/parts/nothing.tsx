import type { ReactNode } from "react";
import { isFromFile } from "../data/from-file.ts";
import { usePage } from "../data/page-context.ts";
import { Prose } from "./prose.tsx";

/** Instead of a picture or a table that cannot be: why, and what would change it. */
export function Nothing({
  why,
  command,
  children,
}: {
  why: string;
  command?: string | undefined;
  children?: ReactNode;
}) {
  const fromFile = isFromFile(usePage());
  return (
    <div className="nothing">
      <p>
        <Prose text={why} />
      </p>
      {command && worksHere(command, fromFile) && (
        <p>
          To have it: <code>{command}</code>
        </p>
      )}
      {children}
    </div>
  );
}

/** A file of audits has no workspace, which all commands but a report's need. */
function worksHere(command: string, fromFile: boolean): boolean {
  return !fromFile || command.startsWith("defensible report ");
}
