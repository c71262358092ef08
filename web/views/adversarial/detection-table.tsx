import type { AttackResult, AttackTarget } from "../../../src/experiments/attack/result.js";
import { kindWords, layerWords, unionAtRateWords } from "../../../src/present/words/experiments/attack-words.js";
import { printable } from "../../../src/text/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { capitalised } from "../../parts/text/words.ts";
import { detectedAt, flaggedAt } from "./places.ts";

const OWN = ["signal", "level", "grounding", "scope", "question", "dual", "two_layers", "union"];
const CHOSEN = ["signal", "signal_pds", "grounding_at_rate", "scope_at_rate", "question_at_rate", "union_at_rate"];

/** Share of attacks that each layer noticed, by kind; the last row are clean cases. */
export function DetectionTable({ result, at, target }: Kept<AttackResult> & { target: AttackTarget }) {
  const rows = result.detection.filter((row) => row.target === target);
  if (rows.length === 0) return null;
  const kinds = [...new Set(rows.map((row) => row.kind))];
  const members = (names: readonly string[]) =>
    names.filter((name) => rows.some((row) => row.layer === name) && shown(result, name));
  // Attacks on the trace change no probability: the first layer cannot see them.
  const groups =
    target === "input" ? [OWN, CHOSEN] : [["grounding", "scope", "grounding_at_rate", "scope_at_rate", "union"]];
  return (
    <>
      {groups.map((group, i) => (
        <Shares
          key={group.join(" ")}
          {...{ result, at, target, kinds }}
          layers={members(group)}
          caption={captionOf(target, i, result)}
        />
      ))}
      {target === "input" && members(CHOSEN).includes("union_at_rate") && (
        <p className="small muted">{unionAtRateWords(result).note}</p>
      )}
      {target === "trace" && (
        <p className="small muted">
          The citation of a finished audit was replaced and the layers looked again; nothing was asked anew, and the
          verdict stayed. No probability changed, so the first layer sees nothing of it by construction.
        </p>
      )}
    </>
  );
}

/** Without probabilities the verdict of level 3 stands for the first layer, otherwise the signal does. */
function shown({ layers }: AttackResult, name: string): boolean {
  const signal = layers.find((layer) => layer.name === "signal")?.member ?? false;
  return name === "signal" ? signal : name === "level" ? !signal : true;
}

function captionOf(target: AttackTarget, group: number, result: AttackResult): string {
  if (target === "trace") return "Attacks on the trace: share noticed";
  if (group === 0) return "Attacks on the input: share noticed, and false alarms on clean cases";
  const rate = (result.settings as { false_positive_rate?: number } | undefined)?.false_positive_rate;
  return `The same with every threshold chosen for false alarms on at most ${rate === undefined ? "one share" : `${100 * rate} %`} of clean cases`;
}

function headOf(result: AttackResult, layer: string): string {
  return layer === "union_at_rate" ? unionAtRateWords(result).head : layerWords(layer);
}

interface SharesProps extends Kept<AttackResult> {
  target: AttackTarget;
  kinds: readonly string[];
  layers: readonly string[];
  caption: string;
}

function Shares({ result, at, target, kinds, layers, caption }: SharesProps) {
  const last = layers.at(-1);
  if (!last) return null;
  const cell = (from: string | null, layer: string) =>
    from === null ? null : <Est key={layer} at={from} with={layer === last ? "interval" : "value"} />;
  return (
    <PlainTable
      caption={caption}
      heads={[
        { key: "kind", name: "Kind" },
        { key: "n", name: "Cases", align: "right" },
        ...layers.map((layer) => ({ key: layer, name: capitalised(headOf(result, layer)), align: "right" as const })),
      ]}
      rows={[
        ...kinds.map((kind) => {
          const from = detectedAt(result, at, target, kind, last);
          return {
            key: kind,
            cells: [
              printable(kindWords(kind), 40),
              from && <Num key="n" at={`${from}/n`} as="whole" />,
              ...layers.map((layer) => cell(detectedAt(result, at, target, kind, layer), layer)),
            ],
          };
        }),
        ...(target === "input" && flaggedAt(result, at, last)
          ? [
              {
                key: "clean: false alarms",
                cells: [
                  "clean: false alarms",
                  <Num key="n" at={`${flaggedAt(result, at, last)}/n`} as="whole" />,
                  ...layers.map((layer) => cell(flaggedAt(result, at, layer), layer)),
                ],
                chosen: false,
              },
            ]
          : []),
      ]}
    />
  );
}
