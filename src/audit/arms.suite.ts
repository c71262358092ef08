import { writeFileSync } from "node:fs";
import type { AuditRequest } from "../app/audit/audit-request.js";
import { ANSWER, fakeAuditor, workspaceWith } from "../app/audit/run-audit.suite.js";
import type { Auditor } from "../auditors/auditor.js";
import type { AuditCase } from "../core/records/case.js";
import { type Arm, OPPOSITE_ARM, PLAIN_ARM, scopeArm, temperatureArm, tierArm } from "./arms.js";

const RULES = {
  "platform.yaml":
    "scope: platform\nversion: p1\nrules:\n  - {id: P1, title: Be kind, description: Always, detail: To all}\n",
  "community.yaml":
    "scope: community\ncommunity: c\nversion: c1\nrules:\n  - {id: R1, title: No links, description: None at all, detail: Not even short ones}\n",
};

export const OLD_BOOK: Arm = {
  name: "rules=old",
  book: {
    id: "b1",
    rules: [{ scope: "community", community: "c", version: "c1", rules: [{ id: "R9", title: "Old rule" }] }],
    precedents: [{ id: "q1", community: "c", content: "old precedent", decision: "approve" }],
  },
};

export const ARMS: readonly Arm[] = [
  PLAIN_ARM,
  tierArm("title"),
  tierArm("wiki"),
  temperatureArm(0.7),
  scopeArm("platform"),
  scopeArm("community"),
  { name: "precedents=off", precedents: false },
  OPPOSITE_ARM,
  OLD_BOOK,
  { name: "template=extended", template: "extended" },
];

export interface Seen {
  arm: string;
  case: AuditCase;
  temperature: number;
  seed: string;
  key: string;
}

/** Remembers what it is shown, by arm. */
export function spy(changes: Partial<Auditor> = {}) {
  const seen: Seen[] = [];
  const auditor = fakeAuditor({
    ask(ask) {
      for (const { key, seed } of ask.wanted) {
        seen.push({ arm: key.split("\u0000")[1]!, case: ask.case!, temperature: ask.temperature, seed, key });
      }
      return { generations: ask.wanted.map(() => ANSWER) };
    },
    ...changes,
  });
  return { auditor, seen, of: (arm: string) => seen.find((one) => one.arm === arm)! };
}

/** Decisions of one community with rules of both scopes in three tiers, and a precedent. */
export function sample(decisions = 1) {
  const workspace = workspaceWith(decisions, RULES);
  const precedent = { id: "q0", community: "c", content: "a precedent", decision: "remove" };
  writeFileSync(workspace.paths.precedents, `${JSON.stringify(precedent)}\n`);
  return workspace;
}

/** A request for decisions and their opposites. */
export const dual = (changes: Partial<AuditRequest> = {}): Partial<AuditRequest> => ({
  experiment: "dual",
  arms: [PLAIN_ARM, OPPOSITE_ARM],
  ...changes,
});
