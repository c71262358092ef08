import { Component, type ReactNode } from "react";
import { printable } from "../../src/text/printable.js";
import { Nothing } from "./nothing.tsx";

interface ViewGuardProps {
  children: ReactNode;
  /** What it stands around. */
  part?: "view" | "section";
}

/** Keeps the rest usable where a view or a section of it cannot be drawn, as from data of another version. */
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
