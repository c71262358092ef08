import type { RunSettings } from "../../audit/settings.js";
import type { Auditor, GivenSettings } from "../../auditors/auditor.js";
import type { Config } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import type { MissingMode, SignalMode } from "../../core/records/audit.js";

/** What may be chosen of how audits are made. */
export type AuditChoices = Partial<
  Pick<RunSettings, "template" | "tier" | "temperature" | "signal" | "missing" | "samples">
>;

const DEFAULT_SAMPLES = 10;

/** What was chosen, else what the auditor's kept answers were given under, else the configuration. */
export function chosenSettings(
  choices: AuditChoices,
  auditor: Auditor,
  config: Pick<Config, "template" | "tier" | "temperature" | "missing">,
): Required<AuditChoices> {
  const signal = setting("signal", choices.signal, auditor, "logprobs");
  return {
    template: setting("template", choices.template, auditor, config.template),
    tier: setting("tier", choices.tier, auditor, config.tier),
    temperature: setting("temperature", choices.temperature, auditor, config.temperature),
    signal,
    missing: missingMode(choices.missing, config.missing, signal),
    samples: setting("samples", choices.samples, auditor, DEFAULT_SAMPLES),
  };
}

/** Only token probabilities have labels that are not listed: frequencies over draws are smoothed instead. */
function missingMode(
  flag: MissingMode | undefined,
  configured: MissingMode | undefined,
  signal: SignalMode,
): MissingMode {
  if (flag === "paper" && signal !== "logprobs") {
    throw new InputError(
      "missing_mode",
      `missing paper: needs token probabilities, which signal ${signal} does not read`,
      "Leave it out, or audit with signal logprobs.",
    );
  }
  return signal === "logprobs" ? (flag ?? configured ?? "floor") : "floor";
}

/** The flag, else what kept answers were given under, else the default. Answers cannot be given other settings afterwards. */
function setting<K extends keyof GivenSettings>(
  name: K,
  flag: GivenSettings[K],
  auditor: Auditor,
  otherwise: NonNullable<GivenSettings[K]>,
): NonNullable<GivenSettings[K]> {
  const given = auditor.given?.[name];
  if (flag !== undefined && given !== undefined && flag !== given) {
    throw new InputError(
      "other_settings",
      `${name}: got ${flag}, but the answers of ${auditor.name} were given with ${given}`,
      `Leave out --${name}: a replay has the settings of its answers.`,
    );
  }
  return (flag ?? given ?? otherwise) as NonNullable<GivenSettings[K]>;
}
