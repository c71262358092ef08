import type { Command } from "commander";

export interface ListedCommand {
  /** What follows its name in the list. */
  takes: string;
  does: string;
  load: () => Promise<Command>;
}

/** Every command, in the order of the help. The list is all that `--help` needs; a command's own file is loaded when it is asked for. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  init: {
    takes: "[options] [dir]",
    does: "make a workspace: a folder with settings, rules, decisions and runs",
    load: async () => (await import("./commands/init.js")).initCommand(),
  },
  import: {
    takes: "[options] <files...>",
    does: "import decisions, precedents or labels (JSONL, CSV, Parquet) and rule sets (YAML, JSON)",
    load: async () => (await import("./commands/import.js")).importCommand(),
  },
  cohort: {
    takes: "",
    does: "named, recorded selections of decisions for `audit --cohort` and `report --cohort`",
    load: async () => (await import("./commands/cohort.js")).cohortCommand(),
  },
  audit: {
    takes: "[options]",
    does: "audit decisions: can each be derived from its rules? Repeating the command continues an unfinished run",
    load: async () => (await import("./commands/audit.js")).auditCommand(),
  },
  prompts: {
    takes: "[options]",
    does: "write what an audit would ask, to be answered elsewhere and read by `audit --auditor answers:FILE`",
    load: async () => (await import("./commands/prompts.js")).promptsCommand(),
  },
  decide: {
    takes: "[options]",
    does: "let a model propose decisions from content and rules alone, to be audited by another",
    load: async () => (await import("./commands/decide.js")).decideCommand(),
  },
  report: {
    takes: "[options]",
    does: "report how defensible the decisions of a run are, with every number explained",
    load: async () => (await import("./commands/report.js")).reportCommand(),
  },
  gate: {
    takes: "[options]",
    does: "say which communities may be automated, how sure that is, and what the others need",
    load: async () => (await import("./commands/gate.js")).gateCommand(),
  },
  calibrate: {
    takes: "[options]",
    does: "turn an auditor's signals into a probability that a decision is defensible, and say how far to trust it",
    load: async () => (await import("./commands/calibrate.js")).calibrateCommand(),
  },
  route: {
    takes: "[options] [file]",
    does: "decide which decisions may be automated and which go to a person, by the gate in force",
    load: async () => (await import("./commands/route.js")).routeCommand(),
  },
  outcomes: {
    takes: "",
    does: "bring back what reviewers and appeals made of routed decisions",
    load: async () => (await import("./commands/outcomes.js")).outcomesCommand(),
  },
  experiment: {
    takes: "",
    does: "experiments on your own decisions, with your own auditor, or on audits that are there",
    load: async () => (await import("./commands/experiment.js")).experimentCommand(),
  },
  rules: {
    takes: "",
    does: "what the rules leave open, and what more detail, one scope alone, or a rewrite does to the same decisions",
    load: async () => (await import("./commands/rules.js")).rulesCommand(),
  },
  attack: {
    takes: "",
    does: "attack the auditor: make wrong decisions that look right, and see which layer of defence notices them",
    load: async () => (await import("./commands/attack.js")).attackCommand(),
  },
  plan: {
    takes: "",
    does: "how many decisions or labels it takes, and what a gate lets through, before the data are there",
    load: async () => (await import("./commands/plan.js")).planCommand(),
  },
  validate: {
    takes: "[options]",
    does: "check the instruments where the truth is known: a run of a simulated workspace against its truth, and estimators, gates and scores over many simulated worlds",
    load: async () => (await import("./commands/validate.js")).validateCommand(),
  },
  humans: {
    takes: "",
    does: "validate the auditor against people: draw a blinded rating sheet, bring ratings back, compare",
    load: async () => (await import("./commands/humans.js")).humansCommand(),
  },
  stability: {
    takes: "[options]",
    does: "audit the same decisions again and again: which verdicts hold, and which are a coin toss?",
    load: async () => (await import("./commands/stability.js")).stabilityCommand(),
  },
  show: {
    takes: "[options] [decision]",
    does: "show which decisions are defensible or not, or one decision with its reasoning",
    load: async () => (await import("./commands/show.js")).showCommand(),
  },
  runs: {
    takes: "",
    does: "list, show or delete runs",
    load: async () => (await import("./commands/runs.js")).runsCommand(),
  },
  export: {
    takes: "[options]",
    does: "write the audits of a run, or the decisions, to a file",
    load: async () => (await import("./commands/export.js")).exportCommand(),
  },
  schema: {
    takes: "[options] <name>",
    does: "print the JSON Schema of a format",
    load: async () => (await import("./commands/schema.js")).schemaCommand(),
  },
  replicate: {
    takes: "[options]",
    does: "all experiments of the paper in one go, side by side with the numbers it printed",
    load: async () => (await import("./commands/replicate.js")).replicateCommand(),
  },
  simulate: {
    takes: "[options] <dir>",
    does: "make a governed world in which the truth of every decision is known, as a workspace",
    load: async () => (await import("./commands/simulate.js")).simulateCommand(),
  },
  doctor: {
    takes: "[options]",
    does: "say what is installed, which keys and servers are there, and what is missing",
    load: async () => (await import("./commands/doctor.js")).doctorCommand(),
  },
};
