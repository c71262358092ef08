import type { ReadHashes } from "../core/records/audit.js";
import type { CaseFrame } from "../core/records/case.js";
import type { Content } from "../core/records/decision.js";

/** Hashes what an auditor reads. */
export interface ReadHasher {
  content: (content: Content) => string;
  /** Of rules and precedents; kept for each frame. */
  frame: (frame: CaseFrame) => Omit<ReadHashes, "content">;
}
