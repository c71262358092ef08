import type { Command } from "commander";
import { InputError } from "../../core/errors.js";
import { clusterSize, correlationSize, judgeCorrelation, labelSize } from "../../measures/gate/plan/gate-region.js";
import { estimateSize, pairedSize } from "../../measures/gate/plan/paired-size.js";
import { examples, integer, number, share } from "../options.js";
import { answer, fraction, type PlanOutput, planned } from "./options.js";

interface EstimateFlags extends PlanOutput {
  rate: number;
  halfWidth: number;
  level: number;
}

export function estimate(): Command {
  return planned("estimate", "decisions that give a rate with an interval of a given width")
    .option("--rate <rate>", "about what the rate is", share(0, 1), 0.1)
    .option("--half-width <h>", "half of what the interval may be wide, from end to end", share(0.0001, 0.4999), 0.03)
    .option("--level <p>", "confidence level", fraction, 0.95)
    .addHelpText("after", examples("defensible plan estimate --rate 0.08 --half-width 0.02"))
    .action((flags: EstimateFlags) => {
      answer(estimateSize({ rate: flags.rate, half_width: flags.halfWidth, level: flags.level }), flags);
    });
}

interface PairedFlags extends PlanOutput {
  onlyA: number;
  onlyB: number;
  alpha: number;
  power: number;
}

export function paired(): Command {
  return planned("paired", "decisions that show a difference between two runs on the same decisions (McNemar)")
    .option("--only-a <share>", "decisions that are defensible in A only", share(0, 1), 0.1)
    .option("--only-b <share>", "decisions that are defensible in B only", share(0, 1), 0.05)
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

interface ClusterFlags extends PlanOutput {
  n: number;
  size: number;
  icc: number;
}

export function clusters(): Command {
  return planned("clusters", "decisions to collect when they come in threads, authors or communities")
    .option("--n <decisions>", "independent decisions that would be enough", integer(1, 1_000_000_000), 100)
    .option("--size <m>", "decisions a cluster, on average", number(1, 1_000_000), 5)
    .option("--icc <r>", "correlation of decisions within a cluster", number(0, 1), 0.1)
    .addHelpText("after", examples("defensible plan clusters --n 76 --size 5 --icc 0.2"))
    .action((flags: ClusterFlags) => {
      answer(clusterSize({ n: flags.n, cluster_size: flags.size, icc: flags.icc }), flags);
    });
}

interface CorrelationFlags extends PlanOutput {
  rho: number;
  alpha: number;
  power: number;
}

export function correlation(): Command {
  return planned("correlation", "cases that show a correlation")
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

interface LabelFlags extends PlanOutput {
  rate: number;
  halfWidth: number;
  level: number;
  decisions: number;
  correlation?: number;
  sensitivity: number;
  specificity: number;
}

export function labels(): Command {
  return planned("labels", "labels by people that correct the auditor's errors to within a half-width")
    .option("--rate <rate>", "about what the true rate is", fraction, 0.08)
    .option("--half-width <h>", "how far the interval may reach each way", share(0.0001, 0.4999), 0.02)
    .option("--level <p>", "confidence level", fraction, 0.95)
    .option("--decisions <N>", "audited decisions", integer(2), 10_000)
    .option("--sensitivity <p>", "share of the indefensible decisions that the auditor finds", share(0, 1), 0.8)
    .option("--specificity <p>", "share of the defensible ones that it lets be", share(0, 1), 0.95)
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
