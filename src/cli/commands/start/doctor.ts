import { Command } from "commander";
import { examine, probe } from "../../../app/doctor/examine.js";
import { auditorFrom, type ModelSettings } from "../../../auditors/create-auditor.js";
import { DefensibleError } from "../../../core/errors.js";
import { VERSION } from "../../../io/machine.js";
import { checkLines, checkOf, probeLines } from "../../../present/doctor/doctor-words.js";
import { EXIT } from "../../exit-code.js";
import { withModelOptions } from "../../model-options.js";
import { type CommonOptions, contextOf, examples, withCommonOptions, workspaceOf } from "../../options.js";
import { print, printJson } from "../../output.js";

interface DoctorOptions extends CommonOptions, ModelSettings {
  auditor?: string;
}

export function doctorCommand(): Command {
  return withModelOptions(withCommonOptions(new Command("doctor")))
    .option(
      "--auditor <name>",
      "check with one cheap call what a model supports: probabilities, how many, answers per call",
    )
    .addHelpText(
      "after",
      examples(
        "defensible doctor",
        "defensible doctor --auditor openai:gpt-4.1-mini",
        "defensible doctor --auditor openai-compatible:llama3.1 --base-url http://127.0.0.1:11434/v1",
      ),
    )
    .action(doctor);
}

async function doctor(options: DoctorOptions): Promise<void> {
  if (options.auditor) return probeAuditor(options.auditor, options);
  const findings = await examine({
    node: process.versions.node,
    hasKey: (name) => Boolean(process.env[name]),
    open: () => contextOf(options),
  });
  const checks = findings.map(checkOf);
  if (checks.some((check) => check.status === "wrong")) process.exitCode = EXIT.user;
  if (printJson({ version: VERSION, checks }, options)) return;
  for (const line of checkLines(VERSION, checks)) print(line);
}

async function probeAuditor(name: string, options: CommonOptions & ModelSettings): Promise<void> {
  const workspace = await workspaceOf(options).catch((cause: unknown) => {
    if (cause instanceof DefensibleError && !options.workspace) return null;
    throw cause;
  });
  const auditor = await auditorFrom(name, options, workspace?.config ?? null, false, workspace?.root);
  try {
    const probed = await probe(name, auditor);
    if (printJson(probed, options)) return;
    for (const line of probeLines(probed)) print(line);
  } finally {
    await auditor.close?.();
  }
}
