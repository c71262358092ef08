import { Command, Option } from "commander";
import { InputError } from "../../core/errors.js";
import { GATE_VARIABLES, type GateVariable } from "../../core/gate.js";
import type { Plan } from "../../core/results/plan.js";
import { GATE_LOOKS, type GateLook } from "../../measures/gate/adjustment.js";
import { STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { estimateSize } from "../../measures/gate/plan/estimate-size.js";
import { ASSUMED_PRIORS } from "../../measures/gate/plan/gate-region.js";
import { pairedSize } from "../../measures/gate/plan/paired-size.js";
import { planCertify } from "../../measures/gate/plan/plan-certify.js";
import { planGate } from "../../measures/gate/plan/plan-gate.js";
import { clusterSize, correlationSize, judgeCorrelation, labelSize } from "../../measures/gate/plan/small-sizes.js";
import { DEFAULT_THREAD_CAP } from "../../measures/gate/thread-units.js";
import { planDocument } from "../../present/plan/plan-document.js";
import { type CommonOptions, examples, integer, number, withCommonOptions } from "../options.js";
import { printJson } from "../output.js";
import { type PageOptions, printPage } from "../page.js";
import { fraction, prior, threadSizes } from "../plan-options.js";

type Output = CommonOptions & PageOptions;

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

function what(name: string, description: string): Command {
  return withCommonOptions(new Command(name))
    .description(description)
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp());
}

function answer(plan: Plan, options: Output): void {
  printPage(() => planDocument(plan), options, printJson(plan, options));
}

interface CertifyFlags extends Output {
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
  return what("certify", "decisions that certify a community's rates to be below their limits")
    .option("--limit <rate>", "greatest share of indefensible decisions", fraction, 0.1)
    .option("--ai <rate>", "greatest Ambiguity Index", fraction, 0.15)
    .option("--delta <p>", "probability to certify wrongly", fraction, 0.05)
    .option("--power <p>", "probability to certify rightly", fraction, 0.8)
    .option("--true <rate>", "what the share of indefensible decisions really is", number(0, 1), 0.03)
    .option("--true-ai <rate>", "what the Ambiguity Index really is", number(0, 1), 0.07)
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
          "--threads: goes with --look anytime; the exact test takes decisions as independent",
          "Leave out --look once.",
        );
      }
      const rates = { limit, ai_limit: ai, delta, power, truth: flags.true, ai_truth: flags.trueAi, communities, look };
      answer(planCertify({ ...rates, ...(threads ? { thread_sizes: threads, thread_cap: threadCap } : {}) }), flags);
    });
}

interface GateFlags extends Output {
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
  return what("gate", "how often each gate passes a community, by what is true of it: table and picture")
    .option("--n <decisions>", "decisions of the community", integer(1, 20_000), 25)
    .option("--di <rate>", "least Defensibility Index", number(0, 1), STANDARD_LIMITS.di)
    .option("--ai <rate>", "greatest Ambiguity Index", number(0, 1), STANDARD_LIMITS.ai)
    .option("--min <n>", "least number of decisions", integer(0), STANDARD_LIMITS.min_decisions)
    .addOption(
      new Option("--variable <index>", "which ambiguity is limited").choices([...GATE_VARIABLES]).default("ai"),
    )
    .option("--open <rate>", "how often the opposite of a defensible decision is defensible too", number(0, 1), 0.03)
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

interface EstimateFlags extends Output {
  rate: number;
  halfWidth: number;
  level: number;
}

function estimate(): Command {
  return what("estimate", "decisions that give a rate with an interval of a given width")
    .option("--rate <rate>", "about what the rate is", number(0, 1), 0.1)
    .option("--half-width <h>", "half of what the interval may be wide, from end to end", number(0.0001, 0.4999), 0.03)
    .option("--level <p>", "confidence level", fraction, 0.95)
    .addHelpText("after", examples("defensible plan estimate --rate 0.08 --half-width 0.02"))
    .action((flags: EstimateFlags) => {
      answer(estimateSize({ rate: flags.rate, half_width: flags.halfWidth, level: flags.level }), flags);
    });
}

interface PairedFlags extends Output {
  onlyA: number;
  onlyB: number;
  alpha: number;
  power: number;
}

function paired(): Command {
  return what("paired", "decisions that show a difference between two runs on the same decisions (McNemar)")
    .option("--only-a <share>", "decisions that are defensible in A only", number(0, 1), 0.1)
    .option("--only-b <share>", "decisions that are defensible in B only", number(0, 1), 0.05)
    .option("--alpha <p>", "probability to find a difference that is not there", fraction, 0.05)
    .option("--power <p>", "probability to find this one", fraction, 0.8)
    .addHelpText("after", examples("defensible plan paired --only-a 0.06 --only-b 0.02"))
    .action((flags: PairedFlags) => {
      const { onlyA, onlyB, alpha, power } = flags;
      if (!(onlyA + onlyB > 0 && onlyA + onlyB <= 1)) {
        throw new InputError(
          "plan_shares",
          `--only-a, --only-b: shares of the same decisions; got ${onlyA} and ${onlyB}, expected them to add up to more than 0 and at most 1`,
          "Give the shares of decisions on which the two runs differ.",
        );
      }
      answer(pairedSize({ only_a: onlyA, only_b: onlyB, alpha, power }), flags);
    });
}

interface ClusterFlags extends Output {
  n: number;
  size: number;
  icc: number;
}

function clusters(): Command {
  return what("clusters", "decisions to collect when they come in threads, authors or communities")
    .option("--n <decisions>", "independent decisions that would be enough", integer(1, 1_000_000_000), 100)
    .option("--size <m>", "decisions a cluster, on average", number(1, 1_000_000), 5)
    .option("--icc <r>", "correlation of decisions within a cluster", number(0, 1), 0.1)
    .addHelpText("after", examples("defensible plan clusters --n 76 --size 5 --icc 0.2"))
    .action((flags: ClusterFlags) => {
      answer(clusterSize({ n: flags.n, cluster_size: flags.size, icc: flags.icc }), flags);
    });
}

interface CorrelationFlags extends Output {
  rho: number;
  alpha: number;
  power: number;
}

function correlation(): Command {
  return what("correlation", "cases that show a correlation")
    .option("--rho <r>", "the correlation", number(-0.9999, 0.9999), 0.3)
    .option("--alpha <p>", "probability to find one that is not there", fraction, 0.05)
    .option("--power <p>", "probability to find this one", fraction, 0.8)
    .addHelpText("after", examples("defensible plan correlation --rho 0.66"))
    .action((flags: CorrelationFlags) => {
      if (Math.abs(flags.rho) < 1e-6) {
        throw new InputError(
          "plan_rho",
          `--rho: a correlation of ${flags.rho} cannot be shown; expected one of at least 0.000001 either way`,
          "Give the correlation you expect.",
        );
      }
      answer(correlationSize({ correlation: flags.rho, alpha: flags.alpha, power: flags.power }), flags);
    });
}

interface LabelFlags extends Output {
  rate: number;
  halfWidth: number;
  level: number;
  decisions: number;
  correlation?: number;
  sensitivity: number;
  specificity: number;
}

function labels(): Command {
  return what("labels", "labels by people that correct the auditor's errors to within a half-width")
    .option("--rate <rate>", "about what the true rate is", fraction, 0.08)
    .option("--half-width <h>", "how far the interval may reach each way", number(0.0001, 0.4999), 0.02)
    .option("--level <p>", "confidence level", fraction, 0.95)
    .option("--decisions <N>", "audited decisions", integer(2), 10_000)
    .option("--sensitivity <p>", "share of the indefensible decisions that the auditor finds", number(0, 1), 0.8)
    .option("--specificity <p>", "share of the defensible ones that it lets be", number(0, 1), 0.95)
    .option("--correlation <r>", "correlation of labels and verdicts, instead of the two", number(-1, 1))
    .addHelpText(
      "after",
      examples("defensible plan labels", "defensible plan labels --decisions 100000 --correlation 0.8"),
    )
    .action((flags: LabelFlags) => {
      const { rate, level, decisions, sensitivity, specificity } = flags;
      const given = flags.correlation !== undefined;
      answer(
        labelSize({
          rate,
          half_width: flags.halfWidth,
          level,
          decisions,
          correlation: flags.correlation ?? judgeCorrelation(rate, sensitivity, specificity),
          sensitivity: given ? null : sensitivity,
          specificity: given ? null : specificity,
        }),
        flags,
      );
    });
}
