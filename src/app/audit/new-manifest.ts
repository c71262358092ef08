import { fingerprint, type RunSettings } from "../../audit/arms.js";
import type { Auditor, GivenSettings } from "../../auditors/auditor.js";
import type { Config } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import type { MissingMode, SignalMode } from "../../core/records/audit.js";
import type { ArmRecord, Manifest } from "../../core/records/manifest.js";
import { VERSION } from "../../io/machine.js";
import type { Weights } from "../../measures/signals/weights.js";
import type { Context } from "../../store/context.js";
import type { AuditRequest } from "./audit-request.js";
import type { Plan } from "./plan.js";

/** Settings of audits that the user may choose. */
export type AuditChoices = Partial<
  Pick<RunSettings, "template" | "tier" | "temperature" | "signal" | "missing" | "samples">
>;

const DEFAULT_SAMPLES = 10;

/** The user's choice, else the setting that the auditor's stored answers were given under, else the configuration. */
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

/** Unlisted labels occur only with token probabilities; frequencies over draws are smoothed instead. */
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

/** The flag, else the setting that stored answers were given under, else the default. A stored answer's settings cannot be changed. */
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
      `Leave out \`${name}\`: a replay has the settings of its answers.`,
    );
  }
  return (flag ?? given ?? otherwise) as NonNullable<GivenSettings[K]>;
}

interface ManifestInputs {
  context: Pick<Context, "config" | "now" | "newId">;
  request: AuditRequest;
  weights: Weights;
  promptVersion: string;
  plan: Plan;
  arms: ArmRecord[];
  rulesHash: string;
  precedentsHash: string;
}

/** The manifest of a run about to start. Whatever identifies the run is part of its fingerprint; unused settings are left out. */
export function newManifest(inputs: ManifestInputs): Manifest {
  const { context, request, weights, plan } = inputs;
  const now = context.now();
  const identity = {
    auditor: request.auditor.name,
    auditor_version: request.auditor.version,
    prompt_version: inputs.promptVersion,
    template: request.template,
    tier: request.tier,
    temperature: request.temperature,
    signal: request.signal,
    replicates: request.replicates,
    humans: request.humans,
    seed: request.seed,
    actions: context.config.actions,
    selection: Object.fromEntries(Object.entries(request.selection).filter(([, value]) => value !== undefined)),
    hashes: { decisions: plan.decisionsHash, rules: inputs.rulesHash, precedents: inputs.precedentsHash },
    weights: {
      alpha: weights.alpha,
      beta: weights.beta,
      gamma: weights.gamma,
      component: weights.component,
      calibrated: weights.calibrated,
      ...(weights.provenance ? { provenance: weights.provenance } : {}),
    },
    ...(request.missing === "paper" ? { missing: request.missing } : {}),
    ...(request.signal === "sampling" ? { samples: request.samples } : {}),
    ...(request.flip ? { flip: request.flip === Number.POSITIVE_INFINITY ? ("all" as const) : request.flip } : {}),
    ...(request.alternatives ? { alternatives: request.alternatives } : {}),
    ...(request.statedReasons ? { stated_reasons: true } : {}),
    ...(request.endpoint ? { endpoint: request.endpoint } : {}),
    ...(request.scrub ? { scrub: request.scrub.id } : {}),
    ...(request.contextTokens ? { context_tokens: request.contextTokens } : {}),
    ...(request.experiment
      ? {
          experiment: {
            kind: request.experiment,
            arms: inputs.arms,
            ...(request.design ? { design: request.design } : {}),
          },
        }
      : {}),
  };
  return {
    format: 1,
    run_id: context.newId(now),
    parent_run_id: null,
    status: "open",
    created_at: now.toISOString(),
    sealed_at: null,
    software: VERSION,
    fingerprint: fingerprint(identity),
    ...identity,
    ...(plan.decisions > 0 ? { decisions: plan.decisions } : {}),
    ...(plan.sameFamily > 0 ? { same_family: { decisions: plan.sameFamily, of: plan.decisions } } : {}),
    counts: { planned: plan.audits, verdicts: 0, unscored: 0, errors: 0 },
    ...(plan.flips > 0 ? { flip_counts: { planned: plan.flips, verdicts: 0, unscored: 0, errors: 0 } } : {}),
  };
}
