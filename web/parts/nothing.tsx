import type { ReactNode } from "react";

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
  return (
    <div className="nothing">
      <p>{why}</p>
      {command && (
        <p>
          To have it: <code>{command}</code>
        </p>
      )}
      {children}
    </div>
  );
}
