import { changedRemark } from "../../src/present/words/gate-change.js";
import { usePage } from "../data/page-context.ts";
import { Remarks } from "./remarks.tsx";

/** Beside a text of the workspace: that it need not be the one that was audited. Nothing where it is. */
export function ChangedRemark({ of }: { of: Parameters<typeof changedRemark>[1] }) {
  const remark = changedRemark(usePage(), of);
  return remark && <Remarks of={[remark]} />;
}
