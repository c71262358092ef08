/** A command whose JSON is kept in `<name>.json`. `{run}` is the run of `audit`, `{other}` that of `audit-other`. */
export interface Golden {
  name: string;
  args: readonly string[];
  status: number;
}

const golden = (name: string, command: string, status = 0): Golden => ({
  name,
  args: command.split(" "),
  status,
});

/** Every command that prints JSON, in an order in which each finds what it needs, in a workspace with the sample. */
export const COMMANDS: readonly Golden[] = [
  golden("audit-dry-run", "audit --humans --flip 40 --dry-run"),
  golden("audit", "audit --humans --flip 40"),
  golden("report", "report --against gold"),
  golden("cohort-create", "cohort create quiet --filter community=quiet-corner"),
  golden("cohort-list", "cohort list"),
  golden("cohort-show", "cohort show quiet"),
  golden("report-cohort", "report --cohort quiet --run {run}"),
  golden("calibrate", "calibrate --run {run}"),
  golden("calibrate-list", "calibrate list"),
  golden("gate", "gate --run {run}"),
  golden("gate-check", "gate --run {run} --check", 2),
  golden("gate-apply", "gate --run {run} --mode paper --di 0.5 --ai 0.9 --apply"),
  golden("gate-history", "gate --history"),
  golden("gate-watch", "gate --run {run} --watch"),
  golden("route", "route decisions.jsonl --run {run} --force --review-share 1"),
  golden("outcomes", "outcomes import reviews.jsonl"),
  golden("report-outcomes", "report --run {run}"),
  golden("gate-close", "gate --close maintenance"),
  golden("show-list", "show --run {run}"),
  golden("show-one", "show quiet-corner-001 --run {run}"),
  golden("runs-show", "runs show {run}"),
  golden("rules-lint", "rules lint"),
  golden("rules-tiers", "rules tiers --communities quiet-corner"),
  golden("rules-scopes", "rules scopes --communities quiet-corner"),
  golden("experiment-gap", "experiment gap --run {run}"),
  golden("experiment-signal", "experiment signal --run {run}"),
  golden("experiment-dual", "experiment dual --communities quiet-corner"),
  golden("experiment-circularity", "experiment circularity --run {run}"),
  golden("stability", "stability --communities quiet-corner --replicates 6"),
  golden("attack-build", "attack build --out attacks.jsonl"),
  golden("attack-run", "attack run attacks.jsonl"),
  golden("plan-certify", "plan certify"),
  golden("plan-gate", "plan gate"),
  golden("plan-estimate", "plan estimate"),
  golden("plan-labels", "plan labels"),
  golden("humans-sample", "humans sample --run {run} --random 20 --out sheet"),
  golden("audit-other", "audit --tier title --communities quiet-corner"),
  golden("report-compare", "report compare {run} {other}"),
  golden("export", "export --run {run} --out audits.jsonl"),
  golden("simulate", "simulate world --communities 4 --decisions 60"),
];
