import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { buildAttacks } from "../../experiments/attack/build/build-attacks.js";
import { DEFAULT_WANTED, type Wanted } from "../../experiments/attack/build/plan.js";
import { analyseAttacks } from "../../experiments/attack/run/analyse-attacks.js";
import { attackInputs } from "../../experiments/attack/run/read-cases.js";
import { writeFileAtomic } from "../../io/files.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { ambiguityOf, auditAttacks, scoreAttackRun } from "../commands/attack-run.js";
import { keepStep, type StepContext } from "./context.js";

/** The kinds that the paper has, and none of the others: they have a command of their own. */
const PAPER_ATTACKS: Wanted = {
  ...(Object.fromEntries(Object.keys(DEFAULT_WANTED).map((kind) => [kind, 0])) as Wanted),
  clean: DEFAULT_WANTED.clean,
  action_flip: DEFAULT_WANTED.action_flip,
  hallucinated_grounding: DEFAULT_WANTED.hallucinated_grounding,
};

/** SG-Bench of the paper's sizes, made of audited decisions, audited in its turn. */
export async function replicateAttack(context: StepContext): Promise<void> {
  const { runs, seed } = context;
  const { workspace } = runs;
  const { source, manifest } = await runs.get("attack_base");
  const built = await withDuckDB((db) =>
    buildAttacks(db, workspace, { manifest: manifest!, source }, { wanted: PAPER_ATTACKS, seed }),
  );
  const { cases, pool } = built;
  if (cases.length === 0) {
    throw new InputError(
      "nothing_to_attack",
      `attack: no case can be made; of ${pool.verdicts} verdicts ${pool.clean} are clean and ${pool.settled} are settled by the rules`,
      "Audit decisions whose rules settle them.",
    );
  }
  mkdirSync(workspace.paths.experiments, { recursive: true });
  const file = join(workspace.paths.experiments, "replicate-attacks.jsonl");
  writeFileAtomic(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const inputs = attackInputs(cases);
  // The cases are chosen already: what selects decisions of the workspace does not select among them.
  const { communities: _, filter: __, limit: ___, sample: ____, ...flags } = runs.auditFlags({});
  const { manifest: audited } = await runs.audit(() => auditAttacks(workspace, flags, inputs));
  const set = await scoreAttackRun(workspace, audited!, cases, inputs);
  const result = analyseAttacks(set, {
    rate: 0.05,
    seed,
    draws: runs.sizes.draws,
    question: false,
    dual: false,
    runs: [audited!.run_id],
    auditor: audited!.auditor,
    ambiguity: await ambiguityOf(workspace, cases),
  });
  context.results.attack = keepStep(context, { ...result, file: "replicate-attacks.jsonl" });
}
