import { Command, type Help } from "commander";
import { AUDITOR_FORMS } from "../auditors/create-auditor.js";
import { withAuditOptions } from "./audit/options.js";
import { keepRawOption } from "./model-options.js";
import { examples } from "./options.js";
import { outputWidth } from "./output.js";

/** `defensible help models`: the flags that commands omit from their own help. */
export function modelsHelp(): string {
  const flags = withAuditOptions(new Command()).addOption(keepRawOption()).options;
  const page = new Command("defensible audit")
    .usage("[--auditor NAME] [flags]")
    .description("Every command that calls a model takes these flags: audit, decide, stability, experiment, …")
    .helpOption(false)
    .configureHelp({ helpWidth: outputWidth() });
  for (const flag of flags) {
    if (flag.helpGroupHeading === undefined) continue;
    flag.hidden = false;
    page.addOption(flag);
  }
  const help: Help = page.createHelp();
  help.prepareContext({ helpWidth: outputWidth() });
  const auditors = AUDITOR_FORMS.map((form) => `  ${form}`).join("\n");
  return `${help.formatHelp(page, help)}
Auditors (--auditor NAME; default: the workspace's):
${auditors}
${examples(
  "defensible audit --auditor openai:gpt-4.1-mini --max-cost 5 --dry-run",
  "defensible audit --auditor openai-compatible:llama3.1 --base-url http://127.0.0.1:11434/v1",
)}
docs/models.md has what each model gives, docs/answers.md how to use a gateway of your own.
`;
}
