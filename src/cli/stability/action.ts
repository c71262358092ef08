import { auditFormat } from "../../app/audit/audit-request.js";
import { worded } from "../../app/refusal.js";
import { InputError } from "../../core/errors.js";
import { refusalWords } from "../../experiments/refusals.js";
import { isRepeated } from "../../experiments/stability/build-stability.js";
import { stabilityDocument } from "../../experiments/stability/document/stability-document.js";
import {
  runStability,
  type StabilityChoices,
  type StabilityFrom,
  type StabilityMaking,
} from "../../experiments/stability/run-stability.js";
import type { FileContext } from "../../store/files/stores.js";
import { selectionFrom } from "../audit/options.js";
import type { StabilityFlags } from "../commands/trust/stability.js";
import { auditsBy } from "../experiment/audits.js";
import { refuseAuditing, runAndAudits } from "../experiment/flags.js";
import { contextOf } from "../options.js";
import { say } from "../output.js";
import { showExperiment } from "../page.js";

/** `defensible stability`: audits, unless audits are named, and analyses them. */
export async function stability(flags: StabilityFlags): Promise<void> {
  if (flags.temperature !== undefined) {
    throw new InputError("temperature_is_varied", "--temperature: the experiment sets it", "Use --temperatures.");
  }
  if (flags.fixed && flags.sequential) {
    throw new InputError("fixed_and_sequential", "--fixed and --sequential: got both", "Leave out one of the two.");
  }
  const { context, from } = flags.run || flags.audits ? await named(flags) : await making(flags);
  const made = await worded(refusalWords, () => runStability(context, from, choicesOf(flags)));
  if (!made) return;
  if (context && !isRepeated(made.result)) {
    say("Not kept: no decision was audited twice under the same conditions. What was kept before stays.");
  }
  showExperiment(made, flags, stabilityDocument);
}

function choicesOf(flags: StabilityFlags): StabilityChoices {
  const { temperatures, templates, replicates, pilot, pilotTemperature, cases, casesOf, stop, alpha } = flags;
  return {
    ...{ temperatures, templates, replicates, pilot, pilotTemperature, cases, casesOf, stop, alpha },
    mode: flags.fixed ? "fixed" : flags.sequential ? "sequential" : undefined,
    rule: flags.flippers,
    evidence: flags.raoBlackwell ? "probabilities" : undefined,
    budget: flags.budget,
    order: flags.budgetOrder,
    seed: flags.seed,
    draws: flags.draws,
  };
}

interface Found {
  /** Null: nowhere to keep the result. */
  context: FileContext | null;
  from: StabilityFrom | StabilityMaking;
}

/** Flags of audits that say something of an analysis too, or that do no harm to it. */
const HARMLESS = ["signal", "samples", "maxCost", "seed", "retryErrors"] as const;

async function named(flags: StabilityFlags): Promise<Found> {
  refuseAuditing(flags, HARMLESS);
  const { run: runs, audits, actions } = flags;
  if (runs && audits) throw runAndAudits();
  if (runs) return { context: await contextOf(flags), from: { runs } };
  const files = audits!.map((path) => ({ path, format: auditFormat(path) }));
  return { context: null, from: { files, actions } };
}

async function making(flags: StabilityFlags): Promise<Found> {
  if (flags.actions) {
    throw new InputError("needs_audits", "--actions: requires --audits", "A workspace knows its own actions.");
  }
  const context = await contextOf(flags);
  const from: StabilityMaking = {
    make: auditsBy(context, flags),
    selection: selectionFrom(flags, flags.seed ?? context.config.seed),
    planned: (words, notes) => {
      if (!flags.dryRun) say(`${words}.`);
      for (const note of notes) say(`Note: ${note}.`);
    },
  };
  return { context, from };
}
