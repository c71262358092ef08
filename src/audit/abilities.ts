import type { Auditor, Capabilities } from "../auditors/auditor.js";
import { InputError } from "../core/errors.js";
import type { SignalMode } from "../core/records/audit.js";

interface Wishes {
  auditor: Auditor;
  signal: SignalMode;
  temperature: number;
  samples: number;
  maxCost: number | null;
  batch: boolean;
}

/** Refuses what the auditor cannot give, and names what it can: a signal mode is never exchanged silently. */
export function checkAbilities(
  { auditor, signal, temperature, maxCost, batch }: Wishes,
  probed: Capabilities | null,
): void {
  const able = auditor.signals.filter((mode) => mode !== "logprobs" || probed === null || probed.logprobs);
  if (!able.includes(signal)) {
    const why = probed?.notes.length ? ` ${probed.notes.join(" ")}` : "";
    throw new InputError(
      "unsupported_signal",
      `signal: ${auditor.name} cannot give "${signal}".${why}`,
      `It can give: ${able.map((mode) => `--signal ${mode}`).join(", ")}. \`defensible doctor --auditor\` shows what a model gives.`,
    );
  }
  if (signal === "sampling" && temperature === 0) {
    throw new InputError(
      "no_variation",
      "temperature: at 0 every draw is the same, and frequencies say nothing",
      "Set --temperature above 0, for instance 0.7 or 1.",
    );
  }
  if (batch && !auditor.batch) {
    throw new InputError(
      "no_batch",
      `batch: ${auditor.name} has no batch service that can be used here`,
      "openai:… and gemini:… have one. Leave out --batch.",
    );
  }
  checkPrice(auditor, maxCost);
}

/** A limit in money needs a price. */
export function checkPrice(auditor: Auditor, maxCost: number | null): void {
  if (maxCost !== null && auditor.price === null) {
    throw new InputError(
      "unknown_price",
      `cost: the price of ${auditor.name} is not known, so --max-cost cannot be kept`,
      "Give its price in defensible.yaml under `prices`, or leave out --max-cost and use --limit.",
    );
  }
}
