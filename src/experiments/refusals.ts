import { Refusal } from "../app/notices.js";
import { InputError } from "../core/errors.js";

/** Why an experiment cannot be done. */
export type ExperimentRefusal =
  | { code: "no_rules" }
  /** How many verdicts a run has, and of what kind: none of them makes a case. */
  | { code: "nothing_to_attack"; verdicts: number; clean: number; settled: number }
  | { code: "no_opposite"; run: string }
  | { code: "other_run"; run: string }
  | { code: "changed_since_run"; run: string; parts: string[] }
  | { code: "no_cases"; because: "no_decision" | "no_verdict" }
  | { code: "nothing_differs_there"; asked: string[]; differing: string[] }
  /** `run`: that of the simulated workspace, whose verdicts are all without a known truth; null: nothing is there. */
  | { code: "nothing_to_validate"; run: { run_id: string; without_truth: number } | null }
  | { code: "bad_simulation"; file: string }
  | { code: "unknown_cohort"; role: string; asked: string; there: string[] }
  | { code: "other_world"; root: string; preset: string; seed: number };

export function refusal(why: ExperimentRefusal): Refusal<ExperimentRefusal> {
  return new Refusal(why);
}

/** A refusal in the words of the command line. */
export function refusalWords(why: ExperimentRefusal): InputError {
  const [message, remedy] = wordsOf(why);
  return new InputError(why.code, message, remedy);
}

function wordsOf(why: ExperimentRefusal): [message: string, remedy: string] {
  switch (why.code) {
    case "no_rules":
      return ["rules: the workspace has no rules", "Import some: `defensible import rules.yaml`."];
    case "nothing_to_attack":
      return [
        `attack: no case can be made; of ${why.verdicts} verdicts ${why.clean} are clean and ${why.settled} are settled by the rules`,
        "Ask for some cases, or audit decisions whose rules settle them.",
      ];
    case "no_opposite":
      return [`run ${why.run}: has no audits of opposites`, "Leave out --run or --dual."];
    case "other_run":
      return [
        `run ${why.run}: did not audit this attack file`,
        "Leave out --run to audit it, or name the file that the run was made with.",
      ];
    case "changed_since_run":
      return [
        `attack: ${changedText(why)}; layers 2 and 3 would judge by other texts than the auditor was shown`,
        "Leave out --run to audit the file again, or put the texts back; --anyway analyses anyway and keeps nothing.",
      ];
    case "no_cases":
      return why.because === "no_decision"
        ? ["stability: no decision was chosen", "Check --cohort, --communities and --filter."]
        : [
            "stability: the pilot gave no verdict, so that no case could be chosen",
            "`defensible runs show` says how its audits ended.",
          ];
    case "nothing_differs_there":
      return [
        `--communities: the rules of ${why.asked.join(", ")} are the same on both sides; ${why.differing.join(", ")} differ`,
        "Name one of these.",
      ];
    case "nothing_to_validate":
      return why.run === null
        ? [
            "--worlds 0: leaves nothing to do without a run of a simulated workspace",
            "Make a world with `defensible simulate DIR`, audit it, and validate there; or leave out --worlds.",
          ]
        : [
            `run ${why.run.run_id}: no verdict is of a decision whose truth is known; got ${why.run.without_truth} without`,
            "Name another run, or leave out --worlds 0.",
          ];
    case "bad_simulation":
      return [`${why.file}: not the settings of a world`, "Make the world again, or name --preset."];
    case "unknown_cohort":
      return [
        `--cohort-${why.role}: there is no cohort "${why.asked}"; there ${why.there.length === 1 ? "is" : "are"} ${why.there.join(", ") || "none"}`,
        "`defensible cohort create` makes one.",
      ];
    case "other_world":
      return [
        `${why.root}: holds a simulated world of other settings (preset ${why.preset}, seed ${why.seed})`,
        "Name another folder with --out, or replace that world and its runs with --force.",
      ];
  }
}

/** What of a workspace is no longer as a run saw it. */
export function changedText({ run, parts }: { run: string; parts: readonly string[] }): string {
  return `the ${parts.join(" and ")} of the workspace are no longer those of run ${run}`;
}
