import type { PlanCertificate, PlanCertify } from "../../core/results/plan.js";
import { type Block, table } from "../document/document.js";
import { whole } from "../words/numbers.js";
import type { PlanBody } from "./plan-document.js";
import { chance, share } from "./plan-text.js";

/** Sizes to certify, the answer first. */
export function certifyBlocks(plan: PlanCertify): PlanBody {
  const { limit, ai_limit, delta, power, truth, ai_truth, communities } = plan.inputs;
  const subtitle = `at most ${share(limit)} indefensible and ${share(ai_limit)} ambiguous · wrong with probability at most ${share(delta)} · power ${share(power)} · if the truth is ${share(truth)} indefensible and AI ${share(ai_truth)}`;
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
  // With a first n but none from then on, the reason belongs to the dash in the table.
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
