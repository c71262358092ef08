import type { Plan, PlanCertificate, PlanCertify } from "../../core/results/plan.js";
import { clopperPearsonInterval, wilsonInterval } from "../../stats/intervals/proportion.js";
import { type Block, table } from "../document/document.js";
import { intervalText, percent, whole } from "../words/numbers.js";
import type { PlanBody } from "./plan-document.js";

/** Sizes needed to certify, the answer first. */
export function certifyBlocks(plan: PlanCertify): PlanBody {
  const { limit, ai_limit, delta, power, truth, ai_truth, communities } = plan.inputs;
  const subtitle = `at most ${share(limit)} indefensible and ${share(ai_limit)} ambiguous · wrong with probability at most ${share(delta)} · power ${share(power)} · if the truth is ${share(truth)} indefensible and ${share(ai_truth)} ambiguous`;
  const blocks: Block[] = [
    ...threadBlocks(plan),
    ...certificateBlocks(plan.threads ? "Independent decisions" : "One community", plan.one_community, plan),
  ];
  if (plan.each_of_many) {
    blocks.push(
      ...certificateBlocks(
        `Each of ${whole(communities)} communities (Bonferroni, δ/${communities})`,
        plan.each_of_many,
        plan,
      ),
      { kind: "text", text: holmText(plan) },
    );
  }
  blocks.push({
    kind: "text",
    text: `Exact power is a sawtooth: it falls with every further decision until one more failure is allowed. “Allowed” is how many indefensible decisions (and Yes answers) such a sample may have and still certify. “First” is the smallest number that reaches the power, “from then on” the one after which no larger number falls below it again; choose the latter if you cannot hit a number exactly. ${lookText(plan)}`,
  });
  return { subtitle, blocks };
}

function lookText({ inputs: { look } }: PlanCertify): string {
  return look === "anytime"
    ? "Sizes are those of the certified gate: e-values, valid at every look, for independent decisions. Decisions in threads need more: --threads."
    : "Sizes are those of the exact test at one look that is declared beforehand, as for the held-out certificate. The certified gate uses e-values and needs more: --look anytime.";
}

/** With thread sizes: the simulated answer first. */
function threadBlocks({ threads, inputs }: PlanCertify): Block[] {
  if (!threads) return [];
  const { n, cap, mean_size: mean, draws, reason } = threads;
  return [
    { kind: "heading", text: "One community, decisions in threads" },
    {
      kind: "headline",
      value: n === null ? "–" : whole(n),
      label:
        n === null
          ? `no answer: ${reason}`
          : `decisions in ${whole(threads.threads!)} threads certify both limits with probability ${share(inputs.power)}`,
      under: `Looked at after every thread, counting at most ${cap} decisions of any one thread; ${Number(mean.toFixed(2))} decisions a thread on average. Simulated with ${whole(draws)} communities whose decisions are independent; where a thread's decisions resemble each other it takes more.`,
    },
  ];
}

function certificateBlocks(title: string, certificate: PlanCertificate, plan: PlanCertify): Block[] {
  const { indefensible, joint } = certificate;
  const alone = indefensible.smallest;
  const both = joint.smallest;
  const best = joint.from_then_on ?? joint.smallest;
  // With a first n but no n from which all pass, the reason explains the dash in the table.
  const open = [
    !alone || indefensible.from_then_on ? "" : `From then on, indefensible alone: ${indefensible.reason}. `,
    !both || joint.from_then_on ? "" : `From then on, with ambiguity: ${joint.reason}. `,
  ].join("");
  return [
    { kind: "heading", text: title },
    {
      kind: "headline",
      value: best ? whole(best.n) : "–",
      label: best
        ? `decisions certify both limits with probability ${chance(best.power)}`
        : "no answer for both limits together",
      under: `${best ? "" : `Reason: ${joint.reason}. `}${open}No failure at all: ${whole(certificate.zero_failures)} decisions are the least that can certify ${share(plan.inputs.limit)}. ${certificate.steps
        .slice(1)
        .map((step) => `${step.failures} failure${step.failures === 1 ? "" : "s"}: ${whole(step.n)}`)
        .join(" · ")}.`,
    },
    table(
      ["", ">first", ">allowed", ">power", ">from then on", ">allowed", ">power"],
      [
        row("indefensible alone", alone, indefensible.from_then_on, (size) => String(size.failures)),
        row("with ambiguity", both, joint.from_then_on, (size) => `${size.failures} · ${size.inverse_yes} Yes`),
      ],
    ),
  ];
}

function row<Size extends { n: number; power: number }>(
  label: string,
  first: Size | null,
  steady: Size | null,
  allowed: (size: Size) => string,
): string[] {
  const cells = (size: Size | null) => (size ? [whole(size.n), allowed(size), chance(size.power)] : ["–", "–", "–"]);
  return [label, ...cells(first), ...cells(steady)];
}

function holmText(plan: PlanCertify): string {
  const { holm, inputs } = plan;
  if (!holm) return "";
  if (holm.n === null) return `Holm over ${whole(inputs.communities)} communities: ${holm.reason}.`;
  return `With Holm instead of Bonferroni, and ${whole(inputs.communities)} communities that are all as good as this one, ${whole(holm.n)} decisions each are enough for the limit on indefensible decisions: ${chance(holm.expected_share!)} of the communities are certified on average, and all of them with probability ${chance(holm.all!)}.`;
}

type SmallPlan = Exclude<Plan, { what: "certify" | "gate" }>;

/** Plans whose answer is one number. */
export function sizeBlocks(plan: SmallPlan): PlanBody {
  switch (plan.what) {
    case "estimate": {
      const { rate, half_width, level } = plan.inputs;
      const reach = (interval: typeof wilsonInterval, n: number) => intervalText(interval(rate * n, n, level));
      const wide = Number((200 * half_width).toFixed(4));
      return body(`a rate near ${share(rate)}, ${share(level)} interval at most ${wide} percentage points wide`, [
        headline(plan.wilson, "decisions", "for the Wilson interval, which reports show"),
        table(
          ["interval", ">decisions", `>if ${share(rate)} are seen`],
          [
            ["normal approximation", whole(plan.normal), ""],
            ["Wilson", whole(plan.wilson), reach(wilsonInterval, plan.wilson)],
            [
              "Clopper–Pearson (exact)",
              whole(plan.clopper_pearson),
              reach(clopperPearsonInterval, plan.clopper_pearson),
            ],
          ],
        ),
        text(
          "The half-width is half of the interval from end to end. Except at 50% these intervals are lopsided: one side reaches a little further than the half-width, the other less far.",
        ),
        text(
          "If the rate is unknown, --rate 0.5 gives the largest number. Decisions of one thread or author resemble each other: `defensible plan clusters` says how many more they take.",
        ),
      ]);
    }
    case "paired": {
      const { only_a, only_b, alpha, power } = plan.inputs;
      const sizes = [plan.mid_p, plan.exact].map(({ n, power: reached }) => [
        n === null ? "–" : whole(n),
        reached === null ? "more than 5,000: see the normal approximation" : chance(reached),
      ]);
      return body(
        `${share(only_a)} of the decisions hold only under A and ${share(only_b)} only under B · α = ${share(alpha)}, two-sided · power ${share(power)}`,
        plan.reason
          ? [text(plan.reason)]
          : [
              headline(
                plan.mid_p.n ?? plan.normal,
                "decisions, audited in both ways",
                `show a difference of ${points(plan.difference)} with McNemar's test (mid-p)`,
              ),
              table(
                ["test", ">decisions", "power"],
                [
                  ["McNemar, mid-p", ...sizes[0]!],
                  ["McNemar, exact", ...sizes[1]!],
                  ["normal approximation", plan.normal === null ? "–" : whole(plan.normal), ""],
                ],
              ),
              text(
                "What matters is how often the two ways differ, not how often both hold: `defensible report compare A B` on a few decisions shows both shares.",
              ),
            ],
      );
    }
    case "clusters": {
      const { n, cluster_size, icc } = plan.inputs;
      return body(
        `${whole(n)} independent decisions' worth · ${cluster_size} decisions a cluster · correlation within clusters ${icc}`,
        [
          headline(
            plan.n,
            `decisions in ${whole(plan.clusters)} clusters`,
            `tell as much as ${whole(n)} independent ones: the design effect is ${Number(plan.design_effect.toFixed(4))}`,
          ),
          text(
            "Clusters are threads, authors or communities whose decisions resemble each other. The JSON report has the design effect of a run: (that − 1) / (size of a cluster − 1) is its correlation.",
          ),
        ],
      );
    }
    case "correlation": {
      const { correlation, alpha, power } = plan.inputs;
      return body(`correlation ${correlation} · α = ${share(alpha)}, two-sided · power ${share(power)}`, [
        headline(plan.n, "cases", "show that the correlation is not zero (Fisher's transformation, approximate)"),
      ]);
    }
    case "labels": {
      const { rate, half_width, level, decisions, correlation, sensitivity } = plan.inputs;
      const judge =
        sensitivity === null
          ? ""
          : ` (sensitivity ${share(sensitivity)}, specificity ${share(plan.inputs.specificity!)})`;
      return body(
        `a true rate near ${share(rate)} to within ${share(half_width)}, ${share(level)} interval · ${whole(decisions)} audited decisions · labels and verdicts correlate with ${Number(correlation.toFixed(3))}${judge}`,
        [
          headline(
            plan.labels,
            "labels by people, of decisions drawn at random",
            plan.reason ?? `instead of ${whole(plan.labels_alone)} without the auditor (prediction-powered, nested)`,
          ),
          text(
            "`defensible humans sample --random N` draws them. Labels of a stratified sheet (`--cases`) are weighted and give another interval. For the interval, not for a certificate: a one-sided exact bound needs more, see `defensible plan certify` with the labels as decisions.",
          ),
        ],
      );
    }
  }
}

function body(subtitle: string, blocks: Block[]): PlanBody {
  return { subtitle, blocks };
}

function text(words: string): Block {
  return { kind: "text", text: words };
}

function headline(n: number | null, label: string, under: string): Block {
  return { kind: "headline", value: n === null ? "–" : whole(n), label, under };
}

function points(value: number): string {
  return `${Number((100 * Math.abs(value)).toFixed(4))} percentage points`;
}

/** A share with as many digits as it has, at most four. */
export function share(value: number): string {
  return `${Number((100 * value).toFixed(4))}%`;
}

/** A probability for a table, with one decimal. */
export function chance(value: number): string {
  if (value > 0 && value < 0.0005) return `< ${percent(0.001)}`;
  if (value < 1 && value > 0.9995) return `> ${percent(0.999)}`;
  return percent(value);
}
