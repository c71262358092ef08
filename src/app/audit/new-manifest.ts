import { fingerprint } from "../../audit/identity.js";
import type { ArmRecord, Manifest } from "../../core/records/manifest.js";
import { VERSION } from "../../io/package-file.js";
import type { Weights } from "../../measures/signals/weights.js";
import type { Context } from "../../store/context.js";
import type { AuditRequest } from "./audit-request.js";
import type { Plan } from "./plan.js";

export interface ManifestInputs {
  context: Pick<Context, "config" | "now" | "newId">;
  request: AuditRequest;
  weights: Weights;
  promptVersion: string;
  plan: Plan;
  arms: ArmRecord[];
  rulesHash: string;
  precedentsHash: string;
}

/** The manifest of a run that is about to start. What identifies it goes into its fingerprint; what is not in use is left out. */
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
    ...(plan.sameFamily > 0 ? { same_family: { decisions: plan.sameFamily, of: plan.decisions } } : {}),
    counts: { planned: plan.audits, verdicts: 0, unscored: 0, errors: 0 },
    ...(plan.flips > 0 ? { flip_counts: { planned: plan.flips, verdicts: 0, unscored: 0, errors: 0 } } : {}),
  };
}
