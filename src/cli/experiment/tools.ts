import { existsSync, mkdirSync, readFileSync } from "node:fs";
import type { Tools } from "../../experiments/slice.js";
import { writeFileAtomic } from "../../io/files.js";
import { selectionFrom } from "../audit/options.js";
import { EXIT } from "../exit-code.js";
import { Interrupts, interruptible } from "../interrupt.js";
import { type ScrubOptions, scrubFrom } from "../model-options.js";
import { contextOf } from "../options.js";
import { print, printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { worldsProgress } from "../progress.js";
import { auditsBy, plansBy } from "./audits.js";
import type { ArmFlags, ExperimentFlags } from "./flags.js";

export type Flags = ExperimentFlags & ArmFlags & ScrubOptions;

/** What the command line does for the command of an experiment. */
export function toolsFrom(flags: Flags): Tools {
  return {
    say,
    print,
    json: (value) => printJson(value, flags),
    page: (document, taken) => printPage(document, flags, taken),
    workspace: (named) => contextOf(named ?? flags),
    make: (context) => auditsBy(context, flags),
    plan: (context) => plansBy(context, flags),
    files: {
      has: existsSync,
      read: (path) => readFileSync(path, "utf8"),
      write: writeFileAtomic,
      makeFolder: (path) => mkdirSync(path, { recursive: true }),
    },
    selection: (seed) => selectionFrom(flags, seed),
    scrub: () => scrubFrom(flags),
    worlds: worldsProgress,
    interruptible,
    interrupts: () => new Interrupts(),
    end: (how) => {
      if (how === "user") process.exitCode ??= EXIT.user;
      else process.exitCode = EXIT[how];
    },
  };
}
