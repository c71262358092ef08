import { Component, type ReactNode } from "react";
import { printable } from "../../src/figures/printable.js";
import { Nothing } from "./nothing.tsx";

/** Keeps the rest of the report usable where a view cannot be drawn, as from data of another version. */
export class ViewGuard extends Component<{ children: ReactNode }, { cause: unknown }> {
  override state: { cause: unknown } = { cause: null };

  static getDerivedStateFromError(cause: unknown): { cause: unknown } {
    return { cause: cause ?? new Error("unknown") };
  }

  override render(): ReactNode {
    const { cause } = this.state;
    if (cause === null) return this.props.children;
    const why = cause instanceof Error ? cause.message : String(cause);
    return <Nothing why={`This view cannot be shown from these data: ${printable(why, 300)}. The other views can.`} />;
  }
}
