import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { TRUTH_FILE } from "../../core/names.js";
import { type FileContext, fileContext } from "../../store/files/stores.js";
import { findWorkspace, openWorkspace } from "../../store/files/workspace.js";
import type { OwnCommand, Tools } from "../slice.js";
import { keepStep, type Step } from "../study/run/step.js";
import type { Validate } from "./result.js";
import { runValidate, type ValidateRequest } from "./run-validate.js";
import { validateDocument } from "./validate-document.js";

type Options = Omit<ValidateRequest, "progress"> & { workspace?: string };

/** What is validated, in a study too. */
const SIZES = { communities: 40, decisions: 2400, labels: 200 };

export const validate: OwnCommand<Validate, Options> = {
  takes: ["result"],
  options: [
    {
      flag: "--preset <name>",
      does: "worlds of this kind (default: the workspace's, else small)",
      choices: ["small", "fleet", "paper"],
    },
    { flag: "--run <id>", does: "compare this run of the simulated workspace with its truth (default: the newest)" },
    { flag: "--worlds <n>", does: "simulated worlds; 0: only the run", is: { whole: [0, 100_000] }, default: 40 },
    {
      flag: "--communities <n>",
      does: "communities of each world",
      is: { whole: [2, 100_000] },
      default: SIZES.communities,
    },
    {
      flag: "--decisions <n>",
      does: "decisions of each world",
      is: { whole: [10, 10_000_000] },
      default: SIZES.decisions,
    },
    {
      flag: "--labels <n>",
      does: "true labels per world, to correct the auditor by",
      is: { whole: [30] },
      default: SIZES.labels,
    },
    { flag: "--temperature <t>", does: "temperature of the simulated audits", is: { number: [0, 2] }, default: 0.2 },
    {
      flag: "--noise <share>",
      does: "how much of its misreadings the simulated auditor has",
      is: { share: [0, 1] },
    },
    { flag: "--seed <s>", does: "seed of the first world; the others follow (default: 1)", is: { whole: [0] } },
  ],
  examples: [
    "defensible validate --worlds 100",
    "defensible simulate world && cd world && defensible audit && defensible validate --worlds 0",
  ],
  async run(tools, options) {
    const context = simulatedWorkspace(tools, options);
    const result = await runValidate(context, { ...options, progress: tools.worlds(options.worlds) });
    await context?.experiments.keep(result);
    return { result, kept: null };
  },
  document: validateDocument,
};

/** The workspace, if it is a simulated one; null: no such workspace and no run named. */
function simulatedWorkspace({ files, say }: Tools, { workspace: named, run }: Options): FileContext | null {
  let root: string;
  try {
    root = named ?? findWorkspace();
  } catch (cause) {
    if (run !== undefined || !(cause instanceof InputError)) throw cause;
    return null;
  }
  if (files.has(join(root, TRUTH_FILE))) return fileContext(openWorkspace(root));
  if (named === undefined && run === undefined) {
    say("This workspace is no simulation, so its runs have no known truth; simulated worlds are used alone.");
    return null;
  }
  throw new InputError(
    "no_truth",
    `workspace: ${root} is no simulation; there is no ${TRUTH_FILE}`,
    "Make a world with `defensible simulate DIR`, and audit it there.",
  );
}

export const validateStep: Step = {
  name: "validate",
  title: "against the truth",
  refuses({ simulation }) {
    if (simulation) return null;
    return {
      reason: "requires a simulated workspace",
      command: "defensible validate, or defensible study --preset paper --out DIR",
    };
  },
  needs: () => ["random"],
  async run(context) {
    const { runs, seed } = context;
    const { manifest } = await runs.get("random");
    const result = await runValidate(runs.context, {
      ...SIZES,
      run: manifest!.run_id,
      worlds: runs.sizes.worlds,
      temperature: manifest!.temperature,
      seed,
      progress: (done) => context.tell({ event: "worlds", done, of: runs.sizes.worlds }),
    });
    context.results.validate = await keepStep(context, result);
  },
};
