import { OLDEST_BROWSERS } from "../../src/present/words/oldest-browsers.js";

/** Shown instead of the report when it cannot be read or drawn. */
export function Failed({ cause }: { cause: unknown }) {
  return (
    <main className="failed">
      <h1>This report cannot be shown</h1>
      <p>{cause instanceof Error ? cause.message : String(cause)}</p>
      <p>
        It takes {OLDEST_BROWSERS}. If yours is one of these, the file may have been cut off or changed on its way: ask
        for it again, or write it anew with <code>defensible report --html</code>.
      </p>
    </main>
  );
}
