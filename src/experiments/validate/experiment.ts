import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { TRUTH_FILE } from "../../core/names.js";
import { type FileContext, fileContext } from "../../store/files/stores.js";
import { findWorkspace, openWorkspace } from "../../store/files/workspace.js";
import type { OwnCommand, Tools } from "../slice.js";
import type { Step } from "../study/run/step.js";
import { validateDocument } from "./document.js";
import type { Validate } from "./result.js";
import { runValidate, type ValidateRequest } from "./run-validate.js";

type Options = Omit<ValidateRequest, "progress"> & { workspace?: string };

/** What is validated, in a study too. */
const SIZES = { communities: 40, decisions: 2400, labels: 200 };

export const validate: OwnCommand<Validate, Options> = {
  takes: ["result"],
  options: {
    "--preset <name>": [
      "worlds of this kind (default: the workspace's, else small)",
      { choices: ["small", "fleet", "paper"] },
    ],
    "--run <id>": ["compare this run of the simulated workspace with its truth (default: the newest)"],
    "--worlds <n>": ["simulated worlds; 0: only the run", { whole: [0, 100_000] }, 40],
    "--communities <n>": ["communities of each world", { whole: [2, 100_000] }, SIZES.communities],
    "--decisions <n>": ["decisions of each world", { whole: [10, 10_000_000] }, SIZES.decisions],
    "--labels <n>": ["true labels per world, to correct the auditor by", { whole: [30] }, SIZES.labels],
    "--temperature <t>": ["temperature of the simulated audits", { number: [0, 2] }, 0.2],
    "--noise <share>": ["how much of its misreadings the simulated auditor has", { share: [0, 1] }],
    "--seed <s>": ["seed of the first world; the others follow (default: 1)", { whole: [0] }],
  },
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
    return runValidate(runs.context, {
      ...SIZES,
      run: manifest!.run_id,
      worlds: runs.sizes.worlds,
      temperature: manifest!.temperature,
      seed,
      progress: (done) => context.tell({ event: "worlds", done, of: runs.sizes.worlds }),
    });
  },
};
