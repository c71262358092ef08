import { useMe } from "../person.ts";
import { useFetched } from "../use-fetched.ts";
import type { ActiveGate } from "./gates.tsx";

/** Warns that the active gate is raw and guarantees nothing. `here`: on the page of the gate. */
export function RawGate({ here = false }: { here?: boolean }) {
  const { scopes } = useMe();
  const { data } = useFetched<ActiveGate>(scopes.includes("gate:read") ? "/v1/gate" : null, 8000);
  if (data?.gate?.mode !== "paper") return null;
  return (
    <p className="live-raw small">
      <b>The active gate is raw.</b> Where a community’s observed rates pass, every decision is automated, even one that
      its own audit calls indefensible. Nothing is promised.{" "}
      {here ? "The cautious gate leaves a margin for chance." : <a href="#/gates">Gate</a>}
    </p>
  );
}
