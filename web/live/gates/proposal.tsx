import { useState } from "react";
import { plural, roundedShare, whole } from "../../../src/present/words/numbers.js";
import { SelectBox } from "../../parts/controls/choices.tsx";
import { UserText } from "../../parts/text/written.tsx";
import { api } from "../api.ts";
import { NameCell, Panel, ProblemLine, Rows, useAction, WithReason } from "../parts.tsx";
import { type ActiveGate, ifMatch, MODE_NAMES, STATE_NAMES } from "./gates.tsx";

type CohortState = { state: string; passes: boolean; suspended: boolean } | null;

interface Preview {
  gate_id: string;
  epoch: number;
  notes: string[];
  changes: {
    settings: { setting: string; before: unknown; after: unknown }[];
    passing: { before: number; after: number };
    coverage: { before: number | null; after: number | null };
    communities: { community: string; before: CohortState; after: CohortState }[];
  };
}

interface GateProposalProps {
  epoch: number;
  active: ActiveGate["gate"];
  onApplied: () => void;
}

/** Preview of a gate before it is applied: its changes, community by community. */
export function GateProposal({ epoch, active, onApplied }: GateProposalProps) {
  const [mode, setMode] = useState(active?.mode === "certified" ? "certified" : "shrunk");
  const [preview, setPreview] = useState<Preview | null>(null);
  const { busy, problem, run } = useAction();
  return (
    <Panel title="Propose a gate" note="computed from finished days">
      <div className="controls">
        <SelectBox
          label="Kind"
          value={mode}
          options={Object.entries(MODE_NAMES).map(([value, name]) => ({ value, name }))}
          onChange={setMode}
        />
        <button
          type="button"
          disabled={busy}
          onClick={() => run(async () => setPreview((await api.post<Preview>("/v1/gate/preview", { mode })).body))}
        >
          {busy ? "Computing…" : "Show what would change"}
        </button>
      </div>
      <ProblemLine of={problem} />
      {preview && (
        <Changes
          of={preview}
          stale={preview.epoch !== epoch}
          onApply={async (reason) => {
            await api.post("/v1/gate/apply", { gate_id: preview.gate_id, reason }, ifMatch(preview.epoch));
            setPreview(null);
            onApplied();
          }}
          onDrop={() => setPreview(null)}
        />
      )}
    </Panel>
  );
}

interface ChangesProps {
  of: Preview;
  stale: boolean;
  onApply: (reason: string) => Promise<unknown>;
  onDrop: () => void;
}

function Changes({ of: { changes, notes }, stale, onApply, onDrop }: ChangesProps) {
  const { passing, coverage, communities, settings } = changes;
  const share = (value: number | null) => (value === null ? "none" : roundedShare(value));
  return (
    <div className="gate-diff">
      <h3>What would change</h3>
      <p>
        {whole(passing.before)} → <b>{plural(passing.after, "passing community", "passing communities")}</b>, with{" "}
        {share(coverage.before)} → <b>{share(coverage.after)}</b> of all decisions.
      </p>
      {settings.length > 0 && (
        <p className="muted small">
          Settings:{" "}
          {settings
            .map(({ setting, before, after }) => `${setting.replaceAll("_", " ")} ${shown(before)} → ${shown(after)}`)
            .join("; ")}
        </p>
      )}
      {communities.length === 0 ? (
        <p>No community changes its state.</p>
      ) : (
        <Rows caption="Communities that change" heads={["Community", "Now", "Then"]}>
          {communities.slice(0, 100).map(({ community, before, after }) => (
            <tr key={community}>
              <NameCell text={community} />
              <td className="muted">{stateName(before)}</td>
              <td>
                <b>{stateName(after)}</b>
              </td>
            </tr>
          ))}
        </Rows>
      )}
      {notes.length > 0 && (
        <ul className="plain small muted">
          {notes.slice(0, 6).map((note) => (
            <li key={note}>
              <UserText text={note} max={300} />
            </li>
          ))}
        </ul>
      )}
      <div className="live-actions">
        {communities.length > 0 && communities.every(({ after }) => after === null) ? (
          <p role="alert">
            It knows no community: its period has no finished day with audits yet. It cannot be applied.
          </p>
        ) : stale ? (
          <p role="alert">The gate has changed since. Look again before you apply it.</p>
        ) : (
          <WithReason label="Apply this gate" title="Why is it applied?" onDo={onApply} />
        )}
        <button type="button" onClick={onDrop}>
          Drop it
        </button>
      </div>
    </div>
  );
}

function stateName(state: CohortState): string {
  if (!state) return "Not in this gate";
  if (state.suspended) return "Suspended";
  return state.passes ? "Automated" : (STATE_NAMES[state.state] ?? state.state);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, one]) => `${name} ${String(one)}`)
      .join(", ");
  }
  return MODE_NAMES[String(value)] ?? String(value);
}
