import { InputError } from "../../core/errors.js";
import { TEMPLATES, type Template } from "../../core/records/audit.js";
import { collectGarbage } from "../../io/machine.js";
import type { SeveralFrom } from "../audits.js";
import type { ArmStudy, OptionsOf, SliceOptions } from "../slice.js";
import type { Step } from "../study/run/step.js";
import { TEMPERATURES } from "../study/values.js";
import { isRepeated } from "./build-stability.js";
import { stabilityDocument } from "./document.js";
import type { Stability } from "./result.js";
import { makeStability, runStability, type StabilityChoices, stabilityOf } from "./run-stability.js";

const OPTIONS = {
  "--replicates <k>": ["audits of a case at a temperature, at most (default 300)", { whole: [1, 100_000] }],
  "--fixed": ["exactly as many, instead of stopping where a case is settled"],
  "--temperatures <list>": ["temperatures to compare", temperatureList, [0.1, 0.3, 0.7, 1]],
  "--templates <list>": ["also vary instructions and form of the trace: some of paper,guided,extended", templateList],
  "--pilot <k>": [
    "audits of each candidate before, to tell Flippers from Stable (default 10; 0: none)",
    { whole: [0, 10_000] },
  ],
  "--pilot-temperature <t>": ["temperature of the pilot (default: the lowest)", { number: [0, 2] }],
  "--flippers <rule>": [
    "what makes a Flipper: several levels (default), or both sides of level 3",
    { choices: ["level", "boundary"] },
  ],
  "--cases <n>": [
    "cases to measure, half Flippers and half Stable, so an even number (default 100; with --cohort all)",
    { whole: [2] },
  ],
  "--cases-of <run>": ["measure the cases of another run of this experiment, to compare auditors"],
  "--stop <when>": [
    "stop where the boundary is settled (default), or the class too",
    { choices: ["boundary", "class"] },
  ],
  "--alpha <x>": [
    "probability that a settled state is wrong (default 0.05: 53 audits with the same level settle a case)",
    { share: [1e-9, 0.5] },
  ],
  "--rao-blackwell": ["let probabilities count instead of the levels drawn from them"],
  "--budget <n>": ["audits in all after the pilot; they go where they decide something", { whole: [1] }],
  "--budget-order <how>": [
    "a budget goes to the cases nearest to being settled (default), or the widest",
    { choices: ["nearest", "widest"] },
  ],
  "--sequential": ["with --run or --audits: say only what is settled, not the shares as they are"],
  "--draws <n>": ["draws of each bootstrap", { whole: [100, 1_000_000] }, 2000],
} as const satisfies SliceOptions;

type Options = OptionsOf<typeof OPTIONS> & { seed?: number; dryRun?: boolean; rows: number };

export const stability: ArmStudy<Stability, Options, SeveralFrom> = {
  audits: "made",
  sets: { flag: "temperature", instead: "Use --temperatures." },
  rows: 12,
  several: {
    run: "analyse this run again, no model is asked; `newest`: the newest of this experiment; several: several auditors",
    audits: "analyse an audits file with columns `replicate` and `temperature` or `arm`",
    rows: "cases shown",
    reads: ["signal", "samples", "maxCost", "seed", "retryErrors"],
  },
  options: OPTIONS,
  examples: [
    "defensible stability --cases 20 --temperatures 0.2,1 --dry-run",
    "defensible stability --cases 100 --auditor openai:gpt-4.1-mini --budget 20000 --max-cost 5",
    "defensible stability --replicates 1000 --fixed --auditor simulated:columns",
    "defensible stability --run 20261115T101530Z-4f2a --md=stability.md --figure-data figures",
    "defensible stability --audits replicates.parquet --pilot 10 --json",
  ],
  async run({ context: there, from, selection, say }, { fixed, sequential, ...options }) {
    if (fixed && sequential) {
      throw new InputError("fixed_and_sequential", "--fixed and --sequential: got both", "Leave out one of the two.");
    }
    const choices: StabilityChoices = {
      ...options,
      mode: fixed ? "fixed" : sequential ? "sequential" : undefined,
      rule: options.flippers,
      evidence: options.raoBlackwell ? "probabilities" : undefined,
      order: options.budgetOrder,
    };
    const planned = (words: string, notes: string[]) => {
      if (!options.dryRun) say(`${words}.`);
      for (const note of notes) say(`Note: ${note}.`);
    };
    const context = "files" in from ? null : there;
    const audits =
      "make" in from ? { ...from, selection: selection(options.seed ?? context!.config.seed), planned } : from;
    const made = await runStability(context, audits, choices);
    if (made && context && !isRepeated(made.result)) {
      say("Not kept: no decision was audited twice under the same conditions. What was kept before stays.");
    }
    return made;
  },
  document: stabilityDocument,
};

function temperatureList(text: string): number[] {
  const values = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (values.some((value) => !(value >= 0 && value <= 2)) || new Set(values).size !== values.length) {
    throw new RangeError("expected different temperatures from 0 to 2, such as 0.1,0.3,0.7,1.0.");
  }
  return values.sort((a, b) => a - b);
}

function templateList(text: string): Template[] {
  const names = text.split(",").map((name) => name.trim());
  const chosen = TEMPLATES.filter((template) => names.includes(template));
  if (chosen.length !== names.length) throw new RangeError(`expected some of ${TEMPLATES.join(",")}.`);
  return names as Template[];
}

/** Candidates of the pilot for each case, if no cohort defines them. */
const CANDIDATES_PER_CASE = 5;

/** Pilot, choice of cases, replicates: as many per case as in the paper. */
export const stabilityStep: Step = {
  name: "stability",
  title: "repeated audits",
  needs: () => [],
  async more({ runs }, { chosen }) {
    const { replicates, cases, pilot } = runs.sizes;
    const { stability } = runs.cohorts;
    const cohort = stability === null ? null : await runs.context.cohorts.find(stability);
    const candidates = Math.min(cohort?.decision_ids.length ?? CANDIDATES_PER_CASE * cases, chosen);
    return pilot * candidates + replicates * Math.min(cases, candidates) * TEMPERATURES.length;
  },
  async run(context) {
    const { runs, seed } = context;
    const { replicates, cases, pilot, draws } = runs.sizes;
    const audits = await makeStability(
      runs.context,
      {
        make: async (wanted) => (await runs.audit(wanted, { fitted: true })).manifest,
        selection: runs.selectionOf({ cohort: runs.cohorts.stability }),
        planned: (words, notes) => context.tell({ event: "planned", words, notes }),
      },
      { temperatures: TEMPERATURES, mode: "fixed", replicates, cases, pilot, draws, seed },
    );
    collectGarbage();
    return stabilityOf(audits!);
  },
};
