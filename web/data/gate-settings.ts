import { useCallback, useMemo } from "react";
import { GATE_MODES, GATE_VARIABLES, type GateMode, type GateVariable } from "../../src/core/names.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { changeQuery, useRoute } from "../route/use-route.ts";
import { usePage } from "./page-context.ts";

/** The gate settings a reader may change. They are in the address and shared by every view that uses the gate. */
export interface GateSettings {
  di: number;
  ai: number;
  min_decisions: number;
  mode: GateMode;
  variable: GateVariable;
}

/** Their names in the address. Links between views keep them: `gateQuery`. */
const GATE_QUERY: Readonly<Record<keyof GateSettings, string>> = {
  di: "di",
  ai: "ai",
  min_decisions: "min",
  mode: "mode",
  variable: "variable",
};

/** The gate's part of an address, for links to another view. */
export function gateQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    Object.values(GATE_QUERY).flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])),
  );
}

function ownGateSettings({ gate_input: { limits, mode } }: ReportPage): GateSettings {
  const { di, ai, min_decisions, variable } = limits;
  return { di, ai, min_decisions, mode, variable };
}

/** The settings in an address. Values that `defensible gate` would refuse are ignored, because an address may be typed. */
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
    mode: GATE_MODES.find((mode) => mode === query.get("mode")) ?? own.mode,
    variable: GATE_VARIABLES.find((variable) => variable === query.get("variable")) ?? own.variable,
  };
}

/** Changes as parts of the address; a value equal to the report's is left out. */
export function gateChanges(changes: Partial<GateSettings>, own: GateSettings): Record<string, string> {
  const names = (Object.keys(GATE_QUERY) as (keyof GateSettings)[]).filter((name) => changes[name] !== undefined);
  return Object.fromEntries(
    names.map((name) => [GATE_QUERY[name], changes[name] === own[name] ? "" : String(changes[name])]),
  );
}

export interface GateSettingsInUse {
  settings: GateSettings;
  /** The report's own settings. */
  own: GateSettings;
  changed: boolean;
  set: (changes: Partial<GateSettings>) => void;
  reset: () => void;
}

export function useGateSettings(): GateSettingsInUse {
  const page = usePage();
  const { query } = useRoute();
  const own = useMemo(() => ownGateSettings(page), [page]);
  const settings = useMemo(() => readGateSettings(query, own), [query, own]);
  const set = useCallback((changes: Partial<GateSettings>) => changeQuery(gateChanges(changes, own)), [own]);
  const reset = useCallback(() => set(own), [set, own]);
  const changed = (Object.keys(own) as (keyof GateSettings)[]).some((name) => own[name] !== settings[name]);
  return { settings, own, changed, set, reset };
}
