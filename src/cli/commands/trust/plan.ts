import { Command, Option } from "commander";
import { InputError } from "../../../core/errors.js";
import { GATE_VARIABLES, type GateVariable } from "../../../core/gate.js";
import { GATE_LOOKS, type GateLook } from "../../../measures/gate/adjustment.js";
import { DEFAULT_THREAD_CAP, STANDARD_LIMITS } from "../../../measures/gate/gate-input.js";
import { ASSUMED_PRIORS } from "../../../measures/gate/plan/gate-region.js";
import { planCertify, planGate } from "../../../measures/gate/plan/plan-gate.js";
import { examples, integer, least, share } from "../../options.js";
import { answer, fraction, type PlanOutput, planned, prior, threadSizes } from "../../plan/options.js";
import { clusters, correlation, estimate, labels, paired } from "../../plan/sizes.js";

export function planCommand(): Command {
  const plan = new Command("plan")
    .helpCommand(false)
    .addHelpText(
      "after",
      examples("defensible plan gate", "defensible plan gate --n 200", "defensible plan certify --true 0.03"),
    );
  for (const sub of [certify(), gate(), estimate(), paired(), clusters(), correlation(), labels()])
    plan.addCommand(sub);
  return plan;
}

interface CertifyFlags extends PlanOutput {
  limit: number;
  ai: number;
  delta: number;
  power: number;
  true: number;
  trueAi: number;
  communities: number;
  look: GateLook;
  threads?: number[];
  threadCap: number;
}

function certify(): Command {
  return planned("certify", "decisions that certify a community's rates to be below their limits")
    .option("--limit <rate>", "maximum share of indefensible decisions", fraction, 0.1)
    .option("--ai <rate>", "maximum Ambiguity Index", fraction, 0.15)
    .option("--delta <p>", "probability to certify wrongly", fraction, 0.05)
    .option("--power <p>", "probability to certify rightly", fraction, 0.8)
    .option("--true <rate>", "what the share of indefensible decisions really is", share(0, 1), 0.03)
    .option("--true-ai <rate>", "what the Ambiguity Index really is", share(0, 1), 0.07)
    .option("--communities <n>", "communities that are tested together", integer(1, 100_000), 1)
    .addOption(
      new Option("--look <how>", "anytime: e-values, as the certified gate; once: the exact test at one declared look")
        .choices([...GATE_LOOKS])
        .default("anytime"),
    )
    .option("--threads <sizes>", "decisions come in threads of these sizes, such as 1,1,2,10 (simulated)", threadSizes)
    .option(
      "--thread-cap <n>",
      "with --threads: a thread counts as at most so many decisions",
      integer(1),
      DEFAULT_THREAD_CAP,
    )
    .addHelpText(
      "after",
      examples(
        "defensible plan certify",
        "defensible plan certify --true 0.02 --communities 270",
        "defensible plan certify --threads 1,2 --thread-cap 5",
      ),
    )
    .action((flags: CertifyFlags) => {
      const { limit, ai, delta, power, communities, look, threads, threadCap } = flags;
      if (threads && look === "once") {
        throw new InputError(
          "plan_threads",
          "--threads: requires --look anytime; the exact test takes decisions as independent",
          "Leave out --look once.",
        );
      }
      const rates = { limit, ai_limit: ai, delta, power, truth: flags.true, ai_truth: flags.trueAi, communities, look };
      answer(planCertify({ ...rates, ...(threads ? { thread_sizes: threads, thread_cap: threadCap } : {}) }), flags);
    });
}

interface GateFlags extends PlanOutput {
  n: number;
  di: number;
  ai: number;
  min: number;
  variable: GateVariable;
  delta: number;
  communities: number;
  q: number;
  open: number;
  priorIndefensible: [number, number];
  priorAmbiguity: [number, number];
}

function gate(): Command {
  const { indefensible, ambiguity } = ASSUMED_PRIORS;
  return planned("gate", "how often each gate passes a community, by what is true of it: table and picture")
    .option("--n <decisions>", "decisions of the community", integer(1, 20_000), 25)
    .option("--di <rate>", "minimum Defensibility Index", least(share(0, 1)), STANDARD_LIMITS.di)
    .option("--ai <rate>", "maximum Ambiguity Index", share(0, 1), STANDARD_LIMITS.ai)
    .option("--min <n>", "least number of decisions", integer(0), STANDARD_LIMITS.min_decisions)
    .addOption(
      new Option("--variable <index>", "which ambiguity is limited").choices([...GATE_VARIABLES]).default("ai"),
    )
    .option("--open <rate>", "how often the opposite of a defensible decision is defensible too", share(0, 1), 0.03)
    .option("--delta <p>", "certified: probability to certify wrongly, over all communities", fraction, 0.05)
    .option("--communities <n>", "certified: communities tested together (Bonferroni)", integer(1, 1_000_000), 1)
    .option("--q <p>", "shrunk: greatest probability to be beyond a limit, as `gate --q`", fraction, 0.05)
    .option("--prior-indefensible <mean,strength>", "shrunk: what the fleet is like", prior, [
      indefensible.mean,
      indefensible.strength,
    ])
    .option("--prior-ambiguity <mean,strength>", "shrunk: the same for ambiguity", prior, [
      ambiguity.mean,
      ambiguity.strength,
    ])
    .addHelpText(
      "after",
      examples("defensible plan gate", "defensible plan gate --n 200 --communities 270 --open 0.06"),
    )
    .action((flags: GateFlags) => {
      const [mean, strength] = flags.priorIndefensible;
      const [aiMean, aiStrength] = flags.priorAmbiguity;
      const { n, di, ai, min, variable, delta, communities, q, open } = flags;
      const limits = { di, ai, min_decisions: min, variable };
      const priors = { indefensible: { mean, strength }, ambiguity: { mean: aiMean, strength: aiStrength } };
      answer(planGate({ n, limits, delta, communities, risk: q, open, priors }), flags);
    });
}
