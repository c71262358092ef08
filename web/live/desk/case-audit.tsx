import { useMemo } from "react";
import { decisionCitation } from "../../../src/present/words/decision-list.js";
import { usePage } from "../../data/page-context.ts";
import { LevelBadge } from "../../parts/gate-parts.tsx";
import { DecisionAudit } from "../../views/review/audit.tsx";
import { api } from "../api.ts";
import { Panel, ProblemLine, useAction } from "../parts.tsx";
import type { CaseData } from "./item.ts";

export type AuditedCase = Pick<CaseData, "decision" | "rule_sets">;

/** The audit, folded until the reviewer asks for it; the server records the request. */
export function FoldedAudit({ path, onShown }: { path: string; onShown: (found: AuditedCase) => void }) {
  const { busy, problem, run } = useAction();
  return (
    <Panel title="The audit">
      <p className="muted">
        Folded, so that it does not steer you. An answer given after looking counts as made with the audit in view.
      </p>
      <div className="live-actions">
        <button
          type="button"
          disabled={busy}
          onClick={() => run(async () => onShown((await api.post<AuditedCase>(path)).body))}
        >
          Show the audit
        </button>
      </div>
      <ProblemLine of={problem} />
    </Panel>
  );
}

/** The audit, and whether it agrees with the reviewer's outcome. Its citation is marked in the rules next to the content. */
export function ShownAudit({ of: { decision }, outcome }: { of: AuditedCase; outcome: string | null }) {
  const page = usePage();
  const citation = useMemo(() => decisionCitation(page, decision), [page, decision]);
  const { audit } = decision;
  const agrees = outcome !== null && audit.level ? (audit.level !== 3) === (outcome === "uphold") : null;
  return (
    <Panel title="The audit">
      <p className="lead">
        {!audit.level ? (
          "The audit has no verdict."
        ) : (
          <>
            {agrees === null
              ? "The auditor says: "
              : agrees
                ? "The auditor agrees: "
                : "The auditor sees it otherwise: "}
            <LevelBadge level={audit.level} />
          </>
        )}
      </p>
      <DecisionAudit decision={decision} citation={citation} at="/decisions/0" command={undefined} />
    </Panel>
  );
}
