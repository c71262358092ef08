import { writeStepFile } from "../../store/files/experiment-store.js";
import { keepStep, type Step } from "../study/run/step.js";
import { attacksOf } from "./build/build-attacks.js";
import { DEFAULT_WANTED, type Wanted } from "./build/plan.js";
import { attackInputs } from "./run/read-cases.js";
import { attackAudits, attackResult, scoreAttackRun } from "./run/run-attack.js";

/** The kinds that the paper has, and none of the others: they have a command of their own. */
const PAPER_ATTACKS: Wanted = {
  ...(Object.fromEntries(Object.keys(DEFAULT_WANTED).map((kind) => [kind, 0])) as Wanted),
  clean: DEFAULT_WANTED.clean,
  action_flip: DEFAULT_WANTED.action_flip,
  hallucinated_grounding: DEFAULT_WANTED.hallucinated_grounding,
};

/** Where the attacks of the step are. */
const ATTACKS = "replicate-attacks.jsonl";

/** SG-Bench of the paper's sizes, made of audited decisions, audited in its turn. */
export const attackStep: Step = {
  name: "attack",
  title: "attacks",
  needs: () => ["attack_base"],
  more(_context, { audits, chosen }) {
    const { clean, action_flip, hallucinated_grounding } = DEFAULT_WANTED;
    return Math.min(clean + action_flip + hallucinated_grounding, audits || Number.POSITIVE_INFINITY, chosen);
  },
  async run(context) {
    const { runs, seed } = context;
    const base = await runs.get("attack_base");
    const { cases } = await attacksOf(runs.context, base.manifest!, { wanted: PAPER_ATTACKS, seed });
    writeStepFile(runs.context.workspace, ATTACKS, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const inputs = attackInputs(cases);
    // The cases are chosen already: what selects decisions of the workspace does not select among them.
    const wanted = { ...attackAudits(inputs, false), selection: {} };
    const manifest = (await runs.audit(wanted, { fitted: false })).manifest!;
    const set = await scoreAttackRun(runs.context, manifest, cases, inputs);
    const options = { rate: 0.05, seed, draws: runs.sizes.draws, question: false, dual: false };
    const result = await attackResult(runs.context, manifest, { cases, set }, options);
    context.results.attack = await keepStep(context, { ...result, file: ATTACKS });
  },
};
