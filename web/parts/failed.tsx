/** Shown instead of the report when it cannot be read. */
export function Failed({ cause }: { cause: unknown }) {
  return (
    <main className="failed">
      <h1>This report cannot be shown</h1>
      <p>{cause instanceof Error ? cause.message : String(cause)}</p>
      <p>Any browser from 2023 on can read it. If yours is newer, the file may have been cut off on its way.</p>
    </main>
  );
}
