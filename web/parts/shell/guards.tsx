import { Component, type ReactNode } from "react";
import { OLDEST_BROWSERS } from "../../../src/present/words/sentence.js";
import { printable } from "../../../src/text/printable.js";
import { Nothing } from "../nothing.tsx";

/** Surrounds the page, which reports any rendering error and is never empty. Views have their own guard, which keeps the rest. */
export class PageGuard extends Component<{ children: ReactNode }, { failed: boolean; cause: unknown }> {
  override state: { failed: boolean; cause: unknown } = { failed: false, cause: null };

  static getDerivedStateFromError(cause: unknown): { failed: boolean; cause: unknown } {
    return { failed: true, cause };
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed cause={this.state.cause} /> : this.props.children;
  }
}

interface ViewGuardProps {
  children: ReactNode;
  part?: "view" | "section";
}

/** Keeps the rest usable if a view or section cannot be drawn, for example with data of another version. */
export class ViewGuard extends Component<ViewGuardProps, { cause: unknown }> {
  override state: { cause: unknown } = { cause: null };

  static getDerivedStateFromError(cause: unknown): { cause: unknown } {
    return { cause: cause ?? new Error("unknown") };
  }

  override render(): ReactNode {
    const { cause } = this.state;
    if (cause === null) return this.props.children;
    const why = cause instanceof Error ? cause.message : String(cause);
    const { part = "view" } = this.props;
    return (
      <Nothing why={`This ${part} cannot be shown from these data: ${printable(why, 300)}. The other ${part}s can.`} />
    );
  }
}

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
