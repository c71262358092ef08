import type { Command } from "commander";
import { commandOf, EXPERIMENTS } from "../experiments/registry.js";

export interface ListedCommand {
  /** Help heading of the command. */
  group: CommandGroup;
  does: string;
  /** Left out of the help: an older name of another command. */
  hidden?: boolean;
  load: () => Promise<Command>;
}

/** Headings of the help, in order. */
export type CommandGroup = "Start" | "Measure" | "Improve rules" | "Trust" | "Automate" | "Research" | "Data";

/** The experiments under a help heading, with their older names. */
function experiments(group: CommandGroup): Record<string, ListedCommand> {
  const listed = Object.entries(EXPERIMENTS).filter(([, experiment]) => experiment.group === group);
  const load = (name: string, older: boolean) => async () =>
    (await import("./experiment/command.js")).experimentCommand(name, older);
  return Object.fromEntries(
    listed.flatMap(([name, { does, older }]): [string, ListedCommand][] => [
      [commandOf(name).split(" ")[0]!, { group, does, load: load(name, false) }],
      ...(older
        ? [
            [older.name, { group, does: older.does, hidden: true, load: load(name, true) }] satisfies [
              string,
              ListedCommand,
            ],
          ]
        : []),
    ]),
  );
}

/** Every command, in the order of the help. `--help` needs only this list; a command's own file is loaded on use. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  demo: {
    group: "Start",
    does: "the sample platform from audit to report, in seconds",
    load: async () => (await import("./commands/start/demo.js")).demoCommand(),
  },
  init: {
    group: "Start",
    does: "make a workspace: settings, rules, decisions, runs",
    load: async () => (await import("./commands/start/init.js")).initCommand(),
  },
  doctor: {
    group: "Start",
    does: "what is installed, which keys are set, what is missing",
    load: async () => (await import("./commands/start/doctor.js")).doctorCommand(),
  },
  audit: {
    group: "Measure",
    does: "check each decision against its rules; run again to continue",
    load: async () => (await import("./commands/measure/audit.js")).auditCommand(),
  },
  report: {
    group: "Measure",
    does: "how defensible the decisions of a run are",
    load: async () => (await import("./commands/measure/report.js")).reportCommand(),
  },
  show: {
    group: "Measure",
    does: "list decisions of a run, or show one with its reasoning",
    load: async () => (await import("./commands/measure/show.js")).showCommand(),
  },
  prompts: {
    group: "Measure",
    does: "write the questions of an audit, to answer them elsewhere",
    load: async () => (await import("./commands/measure/prompts.js")).promptsCommand(),
  },
  decide: {
    group: "Measure",
    does: "let a model propose decisions, for another to audit",
    load: async () => (await import("./commands/measure/decide.js")).decideCommand(),
  },
  rules: {
    group: "Improve rules",
    does: "draft rules from a page, find gaps, preview a rewrite",
    load: async () => (await import("./commands/rules/rules.js")).rulesCommand(),
  },
  calibrate: {
    group: "Trust",
    does: "turn an auditor's signals into a probability",
    load: async () => (await import("./commands/trust/calibrate.js")).calibrateCommand(),
  },
  ...experiments("Trust"),
  plan: {
    group: "Trust",
    does: "how many decisions or labels are needed",
    load: async () => (await import("./commands/trust/plan.js")).planCommand(),
  },
  certificate: {
    group: "Trust",
    does: "what one decision rests on, as a file that can be checked",
    load: async () => (await import("./commands/trust/certificate.js")).certificateCommand(),
  },
  seal: {
    group: "Trust",
    does: "chain new audits, routes, gate changes and outcomes by hashes",
    load: async () => (await import("./commands/trust/seal.js")).sealCommand(),
  },
  verify: {
    group: "Trust",
    does: "check a certificate, or the sealed logs of a workspace",
    load: async () => (await import("./commands/trust/verify.js")).verifyCommand(),
  },
  gate: {
    group: "Automate",
    does: "which communities may be automated; `gate apply` activates it",
    load: async () => (await import("./commands/automate/gate.js")).gateCommand(),
  },
  route: {
    group: "Automate",
    does: "send each decision to automation or to review, by the active gate",
    load: async () => (await import("./commands/automate/route.js")).routeCommand(),
  },
  outcomes: {
    group: "Automate",
    does: "import what reviewers and appeals decided about routed decisions",
    load: async () => (await import("./commands/automate/outcomes.js")).outcomesCommand(),
  },
  serve: {
    group: "Automate",
    does: "the live service: HTTP API and workers on PostgreSQL",
    load: async () => (await import("./commands/automate/serve.js")).serveCommand(),
  },
  worker: {
    group: "Automate",
    does: "run jobs of the live service",
    load: async () => (await import("./commands/automate/serve.js")).workerCommand(),
  },
  migrate: {
    group: "Automate",
    does: "bring the service's database up to date",
    load: async () => (await import("./commands/automate/serve.js")).migrateCommand(),
  },
  tenant: {
    group: "Automate",
    does: "workspaces of the service: keys, sign-in, check of the log",
    load: async () => (await import("./commands/automate/tenant.js")).tenantCommand(),
  },
  experiment: {
    group: "Research",
    does: "experiments on your own decisions",
    load: async () => (await import("./experiment/command.js")).experimentsCommand(),
  },
  ...experiments("Research"),
  simulate: {
    group: "Research",
    does: "make a simulated workspace with known truth",
    load: async () => (await import("./commands/research/simulate.js")).simulateCommand(),
  },
  import: {
    group: "Data",
    does: "import decisions, precedents, labels and rules",
    load: async () => (await import("./commands/data/import.js")).importCommand(),
  },
  cohort: {
    group: "Data",
    does: "named selections of decisions",
    load: async () => (await import("./commands/data/cohort.js")).cohortCommand(),
  },
  runs: {
    group: "Data",
    does: "list, show or delete runs",
    load: async () => (await import("./commands/data/runs.js")).runsCommand(),
  },
  export: {
    group: "Data",
    does: "write audits, decisions or statements of reasons to a file",
    load: async () => (await import("./commands/data/export.js")).exportCommand(),
  },
  erase: {
    group: "Data",
    does: "permanently erase what people wrote in decisions, everywhere",
    load: async () => (await import("./commands/data/erase.js")).eraseCommand(),
  },
  schema: {
    group: "Data",
    does: "print the JSON Schema of a format",
    load: async () => (await import("./commands/data/schema.js")).schemaCommand(),
  },
};
