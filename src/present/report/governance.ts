import type { Report } from "../../core/results/report.js";
import { printable } from "../../text/printable.js";
import type { Block } from "../document/document.js";
import { decimal, plural } from "../words/numbers.js";

/** What the workspace's calibration and gate say of this run, in two sentences; nothing where there is neither. */
export function governanceSection({ calibration, gate }: Report): Block[] {
  const sentences: string[] = [];
  if (calibration) {
    const { auroc, weights } = calibration;
    const name = `Calibration ${printable(String(calibration.calibration_id))} (${calibration.method})`;
    sentences.push(
      calibration.model
        ? `${name} turns the auditor's signals into a probability: log-loss ${decimal(calibration.log_loss, 3)}, AUROC ${decimal(auroc, 3)}.`
        : `${name} gives the weights of S (α ${decimal(weights.alpha, 3)}, β ${decimal(weights.beta, 3)}, γ ${decimal(weights.gamma, 3)}) and no probability: AUROC ${decimal(auroc, 3)}.`,
    );
  }
  if (gate?.closed) {
    const { since, reason } = gate.closed;
    sentences.push(
      `Every gate is closed since ${printable(since, 40)} (${printable(reason)}): nothing is automated until \`defensible gate --open\`.`,
    );
  } else if (gate) {
    const passing = gate.communities.filter((community) => community.passes[gate.mode] && !community.suspended).length;
    sentences.push(
      `The gate in force (mode ${gate.mode}) lets ${passing} of ${plural(gate.communities.length, "community", "communities")} be automated; \`defensible gate\` shows why.`,
    );
  }
  if (sentences.length === 0) return [];
  return [
    { kind: "heading", text: "Calibration and gate" },
    { kind: "text", text: sentences.join(" ") },
  ];
}
