import { useCallback, useMemo } from "react";
import type { GateMode, GateVariable } from "../../src/domain/gate.js";
import type { ReportPage } from "../../src/figures/report-page.js";
import { useQuery, useRoute } from "../route/use-route.ts";
import { usePage } from "./page-context.ts";

/** What the reader may change about the gate. It stands in the address, the same for every view that looks at the gate. */
export interface GateSettings {
  di: number;
  ai: number;
  min_decisions: number;
  mode: GateMode;
  variable: GateVariable;
}

/** Parts of the address that hold them. A link from one view to another carries them along: `gateQuery`. */
export const GATE_QUERY = ["di", "ai", "min", "mode", "variable"] as const;

const MODES: readonly GateMode[] = ["paper", "shrunk", "certified"];
const VARIABLES: readonly GateVariable[] = ["ai", "ai_pure"];

/** The gate's part of an address, for links to another view. */
export function gateQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(GATE_QUERY.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])));
}

/** Settings of the report's own gate, or the paper's Standard where it has none. */
export function ownGateSettings({ gate_input: { limits, mode } }: ReportPage): GateSettings {
  const { di, ai, min_decisions, variable } = limits;
  return { di, ai, min_decisions, mode, variable };
}

/** What an address asks for; what `defensible gate` would refuse is passed over, because anybody may type an address. */
export function readGateSettings(query: URLSearchParams, own: GateSettings): GateSettings {
  const rate = (name: string, fallback: number) => {
    const text = query.get(name);
    const value = Number(text);
    return text && value > 0 && value < 1 ? value : fallback;
  };
  const min = Number(query.get("min"));
  return {
    di: rate("di", own.di),
    ai: rate("ai", own.ai),
    min_decisions: query.get("min") && Number.isSafeInteger(min) && min >= 1 ? min : own.min_decisions,
    mode: MODES.find((mode) => mode === query.get("mode")) ?? own.mode,
    variable: VARIABLES.find((variable) => variable === query.get("variable")) ?? own.variable,
  };
}

export interface GateSettingsInUse {
  settings: GateSettings;
  /** The report's own. */
  own: GateSettings;
  /** Whether the reader has changed something. */
  changed: boolean;
  set: (changes: Partial<GateSettings>) => void;
  reset: () => void;
}

export function useGateSettings(): GateSettingsInUse {
  const page = usePage();
  const { query } = useRoute();
  const own = useMemo(() => ownGateSettings(page), [page]);
  const settings = useMemo(() => readGateSettings(query, own), [query, own]);
  const [, setDi] = useQuery("di", String(own.di));
  const [, setAi] = useQuery("ai", String(own.ai));
  const [, setMin] = useQuery("min", String(own.min_decisions));
  const [, setMode] = useQuery("mode", own.mode);
  const [, setVariable] = useQuery("variable", own.variable);
  const set = useCallback(
    (changes: Partial<GateSettings>) => {
      if (changes.di !== undefined) setDi(String(changes.di));
      if (changes.ai !== undefined) setAi(String(changes.ai));
      if (changes.min_decisions !== undefined) setMin(String(changes.min_decisions));
      if (changes.mode !== undefined) setMode(changes.mode);
      if (changes.variable !== undefined) setVariable(changes.variable);
    },
    [setDi, setAi, setMin, setMode, setVariable],
  );
  const reset = useCallback(() => set(own), [set, own]);
  const changed = (Object.keys(own) as (keyof GateSettings)[]).some((name) => own[name] !== settings[name]);
  return { settings, own, changed, set, reset };
}
