import { Component, type ReactNode } from "react";
import { Failed } from "./failed.tsx";

/** Around everything: whatever cannot be drawn, the page says so and is never empty. Views have a guard of their own, which keeps the rest. */
export class PageGuard extends Component<{ children: ReactNode }, { failed: boolean; cause: unknown }> {
  override state: { failed: boolean; cause: unknown } = { failed: false, cause: null };

  static getDerivedStateFromError(cause: unknown): { failed: boolean; cause: unknown } {
    return { failed: true, cause };
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed cause={this.state.cause} /> : this.props.children;
  }
}
